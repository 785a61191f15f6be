package ccd

import (
	"fmt"
	"math"
	"slices"

	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/plausible"
	"github.com/firstcontact-ros/firstcontact/premise"
)

// modelPremises lists what every verdict rests on, whatever is asked: the pairs that
// are left out, how meshes count, and the gaps of robot and scene.
func (c *Checker) modelPremises() []premise.Premise {
	out := make([]premise.Premise, 0, len(c.model.Assumed))
	out = append(out, c.gapsOfModel()...)
	for _, p := range c.assumedPairs() {
		out = append(out, premise.Premise{Kind: premise.LeftOut, Names: []string{p.A, p.B}, Detail: p.Reason})
	}
	for i := range c.robot.Links {
		if l := &c.robot.Links[i]; len(l.Collisions) == 0 {
			out = append(out, premise.Premise{Kind: premise.NoGeometry, Names: []string{l.Name}, Detail: "the link has no collision geometry and cannot touch anything"})
		}
	}
	for i := range c.model.Bodies {
		b := &c.model.Bodies[i]
		if b.Open {
			out = append(out, premise.Premise{
				Kind: premise.Surface, Names: []string{b.Name},
				Detail: "part of its mesh is not closed and is checked as a surface without an inside",
			})
		}
		if b.Ambiguous {
			out = append(out, premise.Premise{
				Kind: premise.Ambiguous, Names: []string{b.Name},
				Detail: "what its mesh encloses cannot be told exactly and is taken to be more rather than less",
			})
		}
	}
	return out
}

// Premises returns what every verdict of the checker rests on, whatever the motion, as long as
// that does not move the root link: pairs that are left out, meshes that count as surfaces, gaps
// of the robot, the scene and the state.
func (c *Checker) Premises() []premise.Premise {
	more := slices.Concat(c.plausible.Reach(nil), plausible.Premises(c.plausible.State(c.State())))
	return slices.Concat(c.premises(), c.accepted(more))
}

// Plausible returns what is known of the robot and the scene besides the model: whether they
// are likely to be what was meant. Findings that can hide a collision are among the premises of
// verdicts.
func (c *Checker) Plausible() *plausible.Model { return c.plausible }

// gapsOfModel lists what can hide a collision from every check.
func (c *Checker) gapsOfModel() []premise.Premise {
	var out []premise.Premise
	for _, d := range c.doubtful {
		out = append(out, d.Premise())
	}
	out = append(out, c.robot.Gaps...)
	if c.world != nil {
		out = append(out, c.world.Gaps...)
	}
	out = slices.DeleteFunc(out, func(p premise.Premise) bool { return plausible.TakesUp(&p) }) // told again by what follows
	return c.accepted(append(out, plausible.Premises(c.plausible.Standing())...))
}

// accepted marks the gaps that the options accept.
func (c *Checker) accepted(list []premise.Premise) []premise.Premise {
	for i := range list {
		list[i].Accepted = list[i].IsGap() && c.opts.Accept.Covers(&list[i])
	}
	return list
}

// heldPremises lists the joints that a motion with this layout does not move.
func (c *Checker) heldPremises(rows []int) []premise.Premise {
	var out []premise.Premise
	for d, row := range rows {
		if row < 0 {
			out = append(out, premise.Premise{
				Kind: premise.Held, Names: []string{c.model.Tree.Dofs[d].Name}, Value: c.state[d],
				Detail: fmt.Sprintf("the motion does not name it: it is held at %.6g", c.state[d]),
			})
		}
	}
	for _, joint := range c.model.Tree.Immobile {
		if joint != c.base {
			out = append(out, heldAtOrigin(joint))
		}
	}
	at := map[string]float64{}
	for d, row := range rows {
		if row < 0 {
			at[c.model.Tree.Dofs[d].Name] = c.state[d]
		}
	}
	return append(out, c.accepted(plausible.Premises(c.plausible.State(at)))...)
}

func heldAtOrigin(joint string) premise.Premise {
	return premise.Premise{Kind: premise.Held, Names: []string{joint}, Detail: "the joint is floating: it is held at its origin"}
}

// motionPremises lists what a verdict on m, bound as b, rests on besides the layout's
// premises.
func (c *Checker) motionPremises(m *motion.Motion, b *kin.Course, beyond []string) []premise.Premise {
	out := b.Premises()
	for i := range m.Gaps {
		if !c.carries(&m.Gaps[i]) {
			out = append(out, m.Gaps[i])
		}
	}
	for _, joint := range beyond {
		out = append(out, premise.Premise{Kind: premise.BeyondLimits, Names: []string{joint}, Detail: "it leaves its limits and is checked as given"})
	}
	if c.base != "" && len(m.Root) == 0 {
		out = append(out, heldAtOrigin(c.base))
	}
	out = append(out, c.plausible.Reach(m)...)
	if len(beyond) > 0 || c.plausible.Turns(m) {
		out = append(out, c.plausible.Gaps(m)...)
	}
	return c.accepted(out)
}

// carries reports whether the gap is about attached objects that the scene has.
func (c *Checker) carries(gap *premise.Premise) bool {
	if gap.Kind != premise.Attached || c.world == nil || len(gap.Names) == 0 {
		return false
	}
	for _, name := range gap.Names {
		if i := c.world.Object(name); i < 0 || c.world.Objects[i].AttachedTo == "" {
			return false
		}
	}
	return true
}

// firstOpen returns the first open gap of the list, nil where there is none.
func firstOpen(list []premise.Premise) *premise.Premise {
	for i := range list {
		if list[i].Open() {
			return &list[i]
		}
	}
	return nil
}

// coveredUntil returns the time until which no open gap of the list leaves anything out: the
// first time at which a recording has one, and 0 where a gap of another kind is open.
func coveredUntil(list []premise.Premise) float64 {
	until := math.Inf(1)
	for i := range list {
		switch p := &list[i]; {
		case !p.Open():
		case p.Kind == premise.RecordingGap && p.Value >= 0:
			until = min(until, p.Value)
		default:
			return 0
		}
	}
	return until
}

// withhold takes back what a verdict says of more than was covered: with an open gap
// a witness stays one, but from the time until, where the gap begins, nothing is proved
// free, neither the rest of the motion nor the time before a contact.
func withhold(v *motion.Verdict, gap *premise.Premise, until float64) {
	v.ProvenUntil = min(v.ProvenUntil, until)
	if !v.MinClearance.Stopped {
		v.MinClearance = motion.Clearance{}
	}
	switch v.Status {
	case motion.Free:
		v.Status, v.Reason = motion.Undecided, gap.Why()
	case motion.Contact:
		v.TOC.Lo = min(v.TOC.Lo, until)
	}
}
