package node

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/firstcontact-ros/firstcontact/config"
)

// pins are the SHA-256 sums, in hexadecimal, that the parameter model.sha256 requires, by
// name.
type pins map[string]string

// pinnable lists what can be pinned: the texts of URDF and SRDF, the obstacles (scene_hash),
// and everything that is checked (model_hash).
var pinnable = []string{"urdf", "srdf", "scene", "model"}

// pinsOf reads the parameter model.sha256.
func pinsOf(v config.Values) (pins, error) {
	p := pins{}
	for _, entry := range v.Strings("model.sha256") {
		name, sum, _ := strings.Cut(entry, ":")
		if b, err := hex.DecodeString(sum); err != nil || len(b) != sha256.Size || !slices.Contains(pinnable, name) {
			return nil, fmt.Errorf("parameter model.sha256: %q: give NAME:SHA-256 with a NAME of %s and 64 hexadecimal digits", entry, strings.Join(pinnable, ", "))
		}
		if p[name] != "" {
			return nil, fmt.Errorf("parameter model.sha256: %s is given twice", name)
		}
		p[name] = strings.ToLower(sum)
	}
	return p, nil
}

func sumOf(text []byte) string { return fmt.Sprintf("%x", sha256.Sum256(text)) }

// check fails if a different sum of the text is required.
func (p pins) check(name string, text []byte) error {
	if p[name] == "" {
		return nil
	}
	return p.checkSum(name, sumOf(text))
}

// checkSum fails if a different sum is required. "" is the sum of something absent.
func (p pins) checkSum(name, sum string) error {
	want := p[name]
	if want == "" || want == sum {
		return nil
	}
	if sum == "" {
		return fmt.Errorf("the parameter model.sha256 requires %s with the SHA-256 %s, but there is none", name, want)
	}
	return fmt.Errorf("the SHA-256 of %s is %s, but the parameter model.sha256 requires %s", name, sum, want)
}

// sums are the checksums of a model, in the form that model.sha256 takes.
type sums struct{ urdf, srdf, scene, model string }

// check fails if the pins require different sums.
func (s sums) check(p pins) error {
	for i, sum := range [...]string{s.urdf, s.srdf, s.scene, s.model} {
		if err := p.checkSum(pinnable[i], sum); err != nil {
			return err
		}
	}
	return nil
}

func (s sums) String() string {
	var words []string
	for i, sum := range [...]string{s.urdf, s.srdf, s.scene, s.model} {
		if sum != "" {
			words = append(words, fmt.Sprintf("%q", pinnable[i]+":"+sum))
		}
	}
	return "[" + strings.Join(words, ", ") + "]"
}
