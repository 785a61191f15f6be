package ccd

import (
	"fmt"
	"strings"

	"github.com/firstcontact-ros/firstcontact/internal/engine/defaultpairs"
	"github.com/firstcontact-ros/firstcontact/selfcollision/pairproof"
)

// Pairs says which pairs of bodies a Checker covers, which it leaves out and why, and
// what is proved about the robot's pairs of links. Bodies are links, attached objects
// and objects of the world.
type Pairs struct {
	// Self and World count the pairs that a check covers: of the robot with itself, and
	// of the robot with the world. They include those that Proofs may leave out, because
	// it depends on the motion whether a proof applies.
	Self, World int
	// Assumed lists the pairs that no check covers, on the user's word or by default.
	Assumed []AssumedPair
	// Proven counts the pairs of links that are proved never to meet and are left out
	// of a check at clearance 0 that stays within the joint limits.
	Proven int
	// Proofs are those of Options.Proofs, WithProofs or ProveDefaults; nil where there
	// are none. They are shared: do not change them.
	Proofs *pairproof.Report
}

// AssumedPair is a pair of bodies that no check covers.
type AssumedPair struct {
	A, B string // names of links or objects
	// Reason is "adjacent" or "touch at the default state" for pairs left out by
	// default, "srdf: " and the SRDF's reason, "scene", "option" or "attached". It ends
	// in "proved to touch always" or "proved never to touch" where that is proved.
	Reason string
}

// Pairs returns which pairs the checker covers, which it leaves out, and why.
func (c *Checker) Pairs() *Pairs {
	p := &Pairs{Assumed: c.assumedPairs(), Proofs: c.opts.Proofs}
	p.Self, p.World = c.checkedPairs()
	if c.proven != nil {
		_, p.Proven = c.proven.engine(&c.engine, make([]byte, len(c.proven.used)))
	}
	return p
}

// assumedPairs lists the pairs of Pairs.Assumed.
func (c *Checker) assumedPairs() []AssumedPair {
	out := make([]AssumedPair, len(c.model.Assumed))
	for i, p := range c.model.Assumed {
		out[i] = AssumedPair{A: c.model.Bodies[p.A].Name, B: c.model.Bodies[p.B].Name, Reason: p.Reason}
	}
	return out
}

// checkedPairs counts the pairs of Pairs.Self and Pairs.World.
func (c *Checker) checkedPairs() (self, world int) {
	self = c.model.Far
	last := [2]int{-1, -1} // pairs of elements of the same two bodies are consecutive
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

// How AssumedPair.Reason ends where something is proved of the pair.
const (
	provedAlways = "proved to touch always"
	provedNever  = "proved never to touch"
)

// maxNamedPairs is how many pairs Defaults names: more than a robot without an SRDF
// usually leaves out.
const maxNamedPairs = 200

// Defaults describes on one line the pairs that are left out by default and what is
// proved of them. It names those of which nothing is proved, up to 200.
func (p *Pairs) Defaults() string {
	always, never, defaults := 0, 0, 0
	var open []string
	for _, a := range p.Assumed {
		if !strings.HasPrefix(a.Reason, defaultpairs.Adjacent) && !strings.HasPrefix(a.Reason, defaultpairs.TouchAtRest) {
			continue
		}
		defaults++
		switch {
		case strings.HasSuffix(a.Reason, provedAlways):
			always++
		case strings.HasSuffix(a.Reason, provedNever):
			never++
		default:
			open = append(open, a.A+"/"+a.B+" ("+a.Reason+")")
		}
	}
	out := fmt.Sprintf("%d pairs of links are not checked: %d proved to touch always, %d proved never to touch, %d assumed to be meant to",
		defaults, always, never, len(open))
	if more := len(open) - maxNamedPairs; more > 0 {
		open = append(open[:maxNamedPairs:maxNamedPairs], fmt.Sprintf("and %d more", more))
	}
	if len(open) > 0 {
		out += ": " + strings.Join(open, ", ")
	}
	return out
}
