package romtree

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
)

// Range is the range of a joint or a variable, in rad or m; from -Inf to +Inf if it is
// not bounded.
type Range struct{ Lo, Hi float64 }

// Finite reports whether both ends are finite.
func (r Range) Finite() bool { return !math.IsInf(r.Lo, 0) && !math.IsInf(r.Hi, 0) }

// Size bounds |q| in r.
func (r Range) Size() float64 { return max(math.Abs(r.Lo), math.Abs(r.Hi)) }

func (r Range) holds(lo, hi float64) bool { return r.Lo <= lo && hi <= r.Hi }

// JointBox is a set of configurations for which something is proved. Callers check Holds
// before they use the proof.
type JointBox struct {
	Tree *kin.Tree
	// Vars is the range of each variable of the tree by the joints' limits; continuous
	// joints and joints without limits are unbounded.
	Vars []Range
	// Joints is the range of each elementary joint (frame): Vars through its mimic
	// relation, enlarged on both sides by the joint's tube. Entry 0 is unused.
	Joints []Range
}

// LimitsBox returns the box of the tree's limits. tube gives, by the joint's name in
// kin.Frame, how far a joint may deviate from its motion, in rad or m; nil means not at all.
func LimitsBox(tree *kin.Tree, tube map[string]float64) *JointBox {
	b := &JointBox{Tree: tree, Vars: make([]Range, len(tree.Dofs)), Joints: make([]Range, len(tree.Frames))}
	for i := range tree.Dofs {
		d := &tree.Dofs[i]
		b.Vars[i] = Range{math.Inf(-1), math.Inf(1)}
		if d.Bounded && !d.Continuous {
			b.Vars[i] = Range{d.Lo, d.Hi}
		}
	}
	for k := 1; k < len(tree.Frames); k++ {
		b.Joints[k] = b.joint(k, b.Vars[tree.Frames[k].Dof], tube)
	}
	return b
}

// joint returns the range of joint k with its variable in v.
func (b *JointBox) joint(k int, v Range, tube map[string]float64) Range {
	f := &b.Tree.Frames[k]
	stray := tube[f.Joint]
	if f.Mult == 0 { // avoid 0 times infinity
		return Range{f.Offset - stray, f.Offset + stray}
	}
	lo, hi := f.Mult*v.Lo+f.Offset, f.Mult*v.Hi+f.Offset
	if lo > hi {
		lo, hi = hi, lo
	}
	return Range{lo - stray, hi + stray}
}

// Holds reports whether the configuration, one position per variable, is in the box
// with all that the joints may be off it. Rounding is monotone, so that a variable
// within its limits has each joint within what was computed from them; how far that
// is from the truth, PlacingErr counts.
func (b *JointBox) Holds(q []float64, tube map[string]float64) bool { return b.HoldsAll(q, q, tube) }

// HoldsAll is like Holds for all configurations between lo and hi, for instance those of a
// motion, by its control points.
func (b *JointBox) HoldsAll(lo, hi []float64, tube map[string]float64) bool {
	if len(lo) != len(b.Vars) || len(hi) != len(b.Vars) {
		return false
	}
	for k := 1; k < len(b.Joints); k++ {
		d := b.Tree.Frames[k].Dof
		if !(lo[d] <= hi[d]) { // so that a NaN never holds
			return false
		}
		if at := b.joint(k, Range{lo[d], hi[d]}, tube); !b.Joints[k].holds(at.Lo, at.Hi) {
			return false
		}
	}
	return true
}
