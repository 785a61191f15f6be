package plausible

import (
	"fmt"
	"slices"

	"github.com/firstcontact-ros/firstcontact/internal/base/oneline"
	"github.com/firstcontact-ros/firstcontact/premise"
)

// Finding is one thing in the input that is probably not what was meant.
type Finding struct {
	Name   string   `json:"name"`            // one of those that Kinds lists
	About  []string `json:"about,omitempty"` // links, joints or objects, the worst first
	File   string   `json:"file,omitempty"`  // where it stands, if that is known
	Value  float64  `json:"value"`           // what was measured
	Limit  float64  `json:"limit"`           // the threshold that it is beyond
	Detail string   `json:"message"`         // one sentence for people
	Remedy string   `json:"remedy"`          // what to do about it
	Gap    bool     `json:"gap"`             // it can hide a collision
}

// String is the finding on one line.
func (f Finding) String() string {
	return fmt.Sprintf("%s: %s; %s", f.Name, f.Detail, f.Remedy)
}

// Premise is a finding that is a gap, as a premise of verdicts. Accept takes
// "implausible:NAME" with the finding's name, or with that of a link, joint or object.
func (f Finding) Premise() premise.Premise {
	return premise.Premise{
		Kind: premise.Implausible, Names: append([]string{f.Name}, f.About...),
		Value: f.Value, Detail: f.Detail, Remedy: f.Remedy,
	}
}

// TakesUp reports whether a gap of a robot or a scene is told again by a finding: what a reader says of
// a pose whose angles look like degrees.
func TakesUp(p *premise.Premise) bool { return p.Kind == premise.Implausible && len(p.Names) == 2 }

// ofReader makes one finding of the gaps that it takes up.
func ofReader(gaps []premise.Premise) []Finding {
	var list []measured
	for i := range gaps {
		if p := &gaps[i]; TakesUp(p) {
			list = append(list, measured{about: p.Names[1], value: p.Value, detail: p.Detail})
		}
	}
	return collect("rpy-degrees", premise.MaxRPY, list, more)
}

// Kind is a sort of finding.
type Kind struct {
	Name   string
	Gap    bool   // it can hide a collision
	Remedy string // what to do about it
}

// Kinds lists all sorts of findings.
func Kinds() []Kind { return slices.Clone(kinds) }

func kindOf(name string) *Kind {
	return &kinds[slices.IndexFunc(kinds, func(k Kind) bool { return k.Name == name })]
}

// measured is a number about a link, a joint or an object.
type measured struct {
	about  string
	file   string
	value  float64
	detail string
}

// collect makes one finding of several things, of which worst has the largest excess; nil where
// there are none.
func collect(name string, limit float64, things []measured, worse func(a, b float64) bool) []Finding {
	if len(things) == 0 {
		return nil
	}
	slices.SortStableFunc(things, func(a, b measured) int {
		switch {
		case worse(a.value, b.value):
			return -1
		case worse(b.value, a.value):
			return 1
		}
		return 0
	})
	f := found(name, things[0].value, limit, things[0].detail)
	f.File = things[0].file
	for _, t := range things {
		if t.about != "" && !slices.Contains(f.About, t.about) {
			f.About = append(f.About, t.about)
		}
	}
	if rest := f.About[min(1, len(f.About)):]; len(rest) > 0 {
		f.Detail += fmt.Sprintf(" (likewise %s)", oneline.Few(rest))
	}
	return []Finding{f}
}

func more(a, b float64) bool { return a > b }
func less(a, b float64) bool { return a < b }

// found is a finding of a kind.
func found(name string, value, limit float64, detail string, about ...string) Finding {
	k := kindOf(name)
	return Finding{Name: name, About: about, Value: value, Limit: limit, Detail: detail, Remedy: k.Remedy, Gap: k.Gap}
}
