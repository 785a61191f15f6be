package ccd

import (
	"errors"

	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/selfcollision/pairfile"
	"github.com/firstcontact-ros/firstcontact/selfcollision/pairproof"
)

// byProof adds to the reasons of pairs that are left out what is proved of them and,
// with Options.OnlyProven, leaves out the pairs that are proved to touch always.
func (c *Checker) byProof(links map[[2]int]string) {
	r := c.opts.Proofs
	if r == nil {
		return
	}
	for i := range r.Pairs {
		p := &r.Pairs[i]
		reason := links[[2]int{p.A, p.B}]
		switch {
		case p.Meets == pairproof.Always && c.opts.OnlyProven:
			links[[2]int{p.A, p.B}] = provedAlways
		case reason != "" && p.Meets == pairproof.Always:
			links[[2]int{p.A, p.B}] = reason + ", " + provedAlways
		case reason != "" && p.Meets == pairproof.Never:
			links[[2]int{p.A, p.B}] = reason + ", " + provedNever
		}
	}
}

// checkProofs fails on proofs for another robot or other paddings, and on OnlyProven
// without proofs.
func (c *Checker) checkProofs() error {
	r := c.opts.Proofs
	if r == nil {
		if c.opts.OnlyProven {
			return errors.New("only proven pairs are to be left out, but there is no report on pairs: give one, as 'firstcontact pairs' makes")
		}
		return nil
	}
	return pairfile.Fits(r, c.robot, c.opts.ProofOptions())
}

// allowances returns the allowed collision matrix: the pairs of bodies that are not
// checked, with reasons.
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
