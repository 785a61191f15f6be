package ccd

import (
	"errors"

	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/selfcollision/pairfile"
	"github.com/firstcontact-ros/firstcontact/selfcollision/pairproof"
)

// AssumedPair is a pair left out of every check, and why.
type AssumedPair struct {
	A, B   string
	Reason string // "adjacent", "touch at the default state", "srdf: ...", "scene", "option", "attached", ProvedAlways
}

// AssumedPairs lists the pairs of bodies that are not checked on the user's
// word or by default, not by proof, with the reason of each.
func (c *Checker) AssumedPairs() []AssumedPair {
	out := make([]AssumedPair, len(c.model.Assumed))
	for i, p := range c.model.Assumed {
		out[i] = AssumedPair{A: c.model.Bodies[p.A].Name, B: c.model.Bodies[p.B].Name, Reason: p.Reason}
	}
	return out
}

// CheckedPairs counts the pairs of bodies that every check covers, of the robot
// with itself and with the world.
func (c *Checker) CheckedPairs() (self, world int) {
	self = c.model.Far
	last := [2]int{-1, -1} // pairs of the elements of two bodies stand together
	for i := range c.model.Pairs {
		p := &c.model.Pairs[i]
		k := [2]int{c.model.Elements[p.A].Body, c.model.Elements[p.B].Body}
		if k == last {
			continue
		}
		last = k
		if p.World {
			world++
		} else {
			self++
		}
	}
	return self, world
}

// byProof says of the pairs that are left out what is proved of them, and adds those
// that always touch where nothing but proofs leaves out a pair.
func (c *Checker) byProof(links map[[2]int]string) {
	r := c.opts.Proven
	if r == nil {
		return
	}
	for i := range r.Pairs {
		p := &r.Pairs[i]
		reason := links[[2]int{p.A, p.B}]
		switch {
		case p.Meets == pairproof.Always && c.opts.OnlyProven:
			links[[2]int{p.A, p.B}] = ProvedAlways
		case reason != "" && p.Meets == pairproof.Always:
			links[[2]int{p.A, p.B}] = reason + ", " + ProvedAlways
		case reason != "" && p.Meets == pairproof.Never:
			links[[2]int{p.A, p.B}] = reason + ", " + ProvedNever
		}
	}
}

// What reasons say where it is proved.
const (
	ProvedAlways = "proved to touch always"
	ProvedNever  = "proved never to touch"
)

// checkProven fails on proofs that are not about this robot, and where only proofs
// are wanted and there are none.
func (c *Checker) checkProven() error {
	r := c.opts.Proven
	if r == nil {
		if c.opts.OnlyProven {
			return errors.New("only proven pairs are to be left out, but there is no report on pairs: give one, as 'firstcontact pairs' makes")
		}
		return nil
	}
	return pairfile.Fits(r, c.robot, pairproof.Options{Padding: c.opts.Padding, LinkPadding: c.opts.LinkPadding})
}

// allowances lists the pairs of bodies that are not checked.
func (c *Checker) allowances(m *model.Model, world *scene.Snapshot) model.Exempt {
	links := map[[2]int]string{}
	if s := c.robot.Semantic; s != nil && !c.opts.OnlyProven {
		for _, d := range s.Disabled {
			links[[2]int{d.A, d.B}] = "srdf: " + d.Reason
		}
	}
	for _, d := range c.defaults {
		links[[2]int{d.A, d.B}] = d.Reason
	}
	c.byProof(links)
	off := model.Exempt{}
	off.AddLinks(m, links)
	off.AddScene(m, world)
	off.AddNamed(m, c.opts.Allowed, "option")
	return off
}
