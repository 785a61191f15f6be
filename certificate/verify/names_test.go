package verify

import (
	"errors"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/certificate/digest"
	"github.com/firstcontact-ros/firstcontact/scene"
)

// A name in the scene that is nobody's is an error, also where the certificate was
// written with it.
func TestNamesAreSomebodys(t *testing.T) {
	for _, c := range []struct {
		says   string
		change func(w *scene.Snapshot)
	}{
		{"", func(*scene.Snapshot) {}},
		{"", func(w *scene.Snapshot) {
			w.Allowed, w.Absent = append(w.Allowed, [2]string{"gone", "base"}), []string{"gone"}
		}},
		{"pads link tol", func(w *scene.Snapshot) { w.LinkPadding["tol"] = 0.01 }},
		{"gone is neither", func(w *scene.Snapshot) { w.Allowed = append(w.Allowed, [2]string{"gone", "base"}) }},
		{"may touch amr", func(w *scene.Snapshot) { w.Objects[3].TouchLinks = []string{"arm", "amr"} }},
		{"placed by the position of joint world_joint", func(w *scene.Snapshot) { w.PlacedBy = "world_joint" }},
	} {
		p := premisedProof(t)
		c.change(p.world)
		p.header.SceneSum = digest.Scene(p.world)
		_, err := p.verify()
		var refusal *Refusal
		if (err == nil) != (c.says == "") || err != nil && (errors.As(err, &refusal) || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%q: %v", c.says, err)
		}
	}
}

// Less padding than the scene asks for is refused, unless the user asks for it by name.
func TestPaddingByName(t *testing.T) {
	for _, c := range []struct {
		option map[string]float64
		says   string
	}{
		{nil, "instead of the required 0.003 m"},
		{map[string]float64{"tool": 0.002}, ""},
		{map[string]float64{"tool": 0.0025}, "instead of the required 0.0025 m"},
		{map[string]float64{"tol": 0.002}, "link tol"},
	} {
		p := premisedProof(t) // pads tool by 0.002 m
		p.world.LinkPadding["tool"] = 0.003
		p.header.SceneSum = digest.Scene(p.world)
		p.opts.LinkPadding = c.option
		if _, err := p.verify(); (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v: %v, want %q", c.option, err, c.says)
		}
	}
}
