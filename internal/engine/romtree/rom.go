package romtree

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
)

// RangeOfMotion encloses, for each joint of a robot, everything that moves with it in all
// configurations of a box (SPHERE, section III). The proof holds for the model that it was
// made from, padding included, and within Box: check Holds or HoldsAll before each use.
// Immutable.
type RangeOfMotion struct {
	Model *model.Model
	Box   *JointBox

	// Subtree[k] is a ball in frame k around frame k's shapes and everything beyond it: MR of
	// the paper. Swept[k] is one in the parent's frame around the same in all positions of
	// joint k: M. Frame 0 has Subtree only.
	Subtree, Swept []SubtreeBall
	// Endless names the joints beyond which a prismatic joint without limits makes the subtree
	// unbounded.
	Endless []string
}

// SubtreeBall is a ball around a subtree.
type SubtreeBall struct {
	convex.Ball // empty, of radius -1, if nothing has a shape
	// Known is false if the subtree is unbounded.
	Known bool
	// Exact and Sampled are the radii of both forms (m).
	Exact, Sampled float64
}

// RomOptions limits the work on a RangeOfMotion. The zero value gives balls a few per
// cent larger than the smallest, in about a second for a humanoid.
type RomOptions struct {
	Gap    float64 // rad: the largest arc of one piece, or between samples; 0 means 0.2
	Points int     // the most points of a subtree's hull; 0 means 256
	// NoSampled leaves out the sampled form, which is smaller than the exact form only
	// by the slack of the polygons around arcs.
	NoSampled bool
}

func (o RomOptions) gap() float64 {
	if o.Gap > 0 {
		return min(o.Gap, 1)
	}
	return 0.2
}

func (o RomOptions) points() int {
	if o.Points > 0 {
		return o.Points
	}
	return 256
}

// NewRangeOfMotion encloses the subtrees of m's robot for the configurations in box,
// by the exact sweep and by the paper's samples with the sum of their errors, and
// keeps the smaller ball of both.
func NewRangeOfMotion(m *model.Model, box *JointBox, o RomOptions) *RangeOfMotion {
	n := len(m.Tree.Frames)
	r := &RangeOfMotion{Model: m, Box: box, Subtree: make([]SubtreeBall, n), Swept: make([]SubtreeBall, n)}
	sweep := newSweeper(m, box, exact, o.gap(), o.points())
	r.fill(sweep, func(b *SubtreeBall) *float64 { return &b.Exact })
	if !o.NoSampled {
		reach := sweep.reaches()
		sample := newSweeper(m, box, sampled, o.gap(), o.points())
		sample.reach = reach
		r.fill(sample, func(b *SubtreeBall) *float64 { return &b.Sampled })
	}
	for k := 1; k < n; k++ {
		if r.Subtree[k].Known && !r.Swept[k].Known && !m.Tree.OfRoot(k) {
			r.Endless = append(r.Endless, m.Tree.Frames[k].Joint)
		}
	}
	return r
}

// fill keeps the balls of one form if they are smaller than the present ones.
func (r *RangeOfMotion) fill(s *sweeper, radius func(*SubtreeBall) *float64) {
	take := func(b *SubtreeBall, of convex.Ball, ok bool) {
		if !ok || !(of.Radius-of.Radius == 0) { // an overflowed ball encloses nothing
			*radius(b) = math.Inf(1)
			return
		}
		*radius(b) = of.Radius
		if !b.Known || of.Radius < b.Radius {
			b.Ball, b.Known = of, true
		}
	}
	for k := len(r.Subtree) - 1; k >= 0; k-- { // from the tips, because clouds are cached
		c, ok := s.beyond(k, nil)
		take(&r.Subtree[k], c.ball(), ok)
		if k > 0 {
			b, ok := s.ballOf(k)
			take(&r.Swept[k], b, ok)
		}
	}
}

// Holds reports whether the balls hold for a model and a configuration with its tube
// (see JointBox.Holds).
func (r *RangeOfMotion) Holds(m *model.Model, q []float64, tube map[string]float64) bool {
	return m == r.Model && r.Box.Holds(q, tube)
}
