package pairproof

import (
	"encoding/hex"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/firstcontact-ros/firstcontact/certificate/digest"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Report is the result for a robot's pairs and identifies the model: a proof holds only
// for the robot of that digest, within that joint box, with that padding and that
// clearance. It can be written as JSON and read back.
type Report struct {
	Robot       string // its name
	Digest      string // of links, joints and shapes, SHA-256
	Variables   []Variable
	Padding     float64
	LinkPadding map[string]float64 `json:",omitempty"`
	Clearance   float64

	// Pairs of links with collision geometry, sorted by A and B. Pairs that a cancelled
	// run did not reach are missing.
	Pairs []Pair
	Took  time.Duration
}

// Variable is an independent joint variable and its range in the joint box (rad or
// m). A continuous joint has a full turn.
type Variable struct {
	Name      string
	Unbounded bool `json:",omitempty"` // no range: pairs that it moves cannot be proved
	Lo, Hi    float64
}

// Clone returns a copy that shares nothing with r; of nil it is nil.
func (r *Report) Clone() *Report {
	if r == nil {
		return nil
	}
	c := *r
	c.Variables, c.LinkPadding, c.Pairs = slices.Clone(r.Variables), maps.Clone(r.LinkPadding), slices.Clone(r.Pairs)
	for i := range c.Pairs {
		p := &c.Pairs[i]
		p.Joints, p.Witness, p.Apart = slices.Clone(p.Joints), slices.Clone(p.Witness), slices.Clone(p.Apart)
	}
	return &c
}

// Count returns how many pairs have the given answer.
func (r *Report) Count(m Meeting) int {
	n := 0
	for i := range r.Pairs {
		if r.Pairs[i].Meets == m {
			n++
		}
	}
	return n
}

// Of returns the result for two links, nil if there is none.
func (r *Report) Of(a, b int) *Pair {
	a, b = min(a, b), max(a, b)
	for i := range r.Pairs {
		if p := &r.Pairs[i]; p.A == a && p.B == b {
			return p
		}
	}
	return nil
}

// Fits returns nil if the proofs of r hold for the robot with the padding and the
// clearance of opt, and otherwise an error that names the difference.
func (r *Report) Fits(robot *urdf.Robot, opt Options) error {
	fresh, err := emptyReport(robot, opt)
	if err != nil {
		return err
	}
	switch {
	case r.Digest != fresh.Digest:
		return fmt.Errorf("the report on pairs is about another robot (%s, digest %.12s) than %s (%.12s): make it again", r.Robot, r.Digest, fresh.Robot, fresh.Digest)
	case !slices.Equal(r.Variables, fresh.Variables):
		return fmt.Errorf("the report on pairs is about other joint limits of %s: make it again", r.Robot)
	case r.Padding != fresh.Padding || !samePadding(r.LinkPadding, fresh.LinkPadding):
		return fmt.Errorf("the report on pairs is about links padded by %g m, not %g m, or about others by name: make it again", r.Padding, fresh.Padding)
	case r.Clearance != fresh.Clearance:
		return fmt.Errorf("the report on pairs is about a clearance of %g m, not %g m: make it again", r.Clearance, fresh.Clearance)
	}
	for i := range r.Pairs {
		if p := &r.Pairs[i]; p.A < 0 || p.A >= p.B || p.B >= len(robot.Links) {
			return fmt.Errorf("the report on pairs names links %d and %d, which robot %s does not have: make it again", p.A, p.B, r.Robot)
		}
	}
	return nil
}

func samePadding(a, b map[string]float64) bool {
	if len(a) != len(b) {
		return false
	}
	for link, x := range a {
		if y, ok := b[link]; !ok || x != y {
			return false
		}
	}
	return true
}

// emptyReport returns a report without pairs that identifies the model of a run.
func emptyReport(robot *urdf.Robot, opt Options) (*Report, error) {
	if robot == nil {
		return nil, fmt.Errorf("there is no robot (nil)")
	}
	tree, err := kin.NewTree(robot)
	if err != nil {
		return nil, fmt.Errorf("robot %s: %w", robot.Name, err)
	}
	sum := digest.Robot(robot)
	r := &Report{
		Robot: robot.Name, Digest: hex.EncodeToString(sum[:]),
		Padding: opt.Padding, LinkPadding: opt.LinkPadding, Clearance: opt.Clearance,
	}
	for d := range tree.Dofs {
		v, err := rangeOf(&tree.Dofs[d])
		if err != nil {
			return nil, fmt.Errorf("robot %s: %w", robot.Name, err)
		}
		r.Variables = append(r.Variables, v)
	}
	return r, nil
}

// halfTurn is the smallest float64 above pi, so that a full turn leaves no gap.
var halfTurn = math.Nextafter(math.Pi, 4)

// rangeOf returns a variable's range.
func rangeOf(d *kin.Dof) (Variable, error) {
	v := Variable{Name: d.Name}
	switch {
	case d.Continuous:
		v.Lo, v.Hi = -halfTurn, halfTurn
	case d.Bounded:
		v.Lo, v.Hi = d.Lo, d.Hi
		if width := d.Hi - d.Lo; !(width >= 0) || math.IsInf(width, 0) {
			return v, fmt.Errorf("joint %s: its limits from %g to %g are no range: correct them", d.Name, d.Lo, d.Hi)
		}
	default:
		v.Unbounded = true
	}
	return v, nil
}
