package spheretree

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// Query says how much of a distance is wanted. The zero value asks for the distance
// to rounding, without limits.
type Query struct {
	// Alpha is the relative error allowed, in [0, 1): the lower bound is then at least
	// 1 - Alpha of the upper one, but for rounding (Quinlan 1994).
	Alpha float64
	// Min and Max are the distance range of interest in metres (SPHERE II-A). The
	// search ends as soon as two points at most Min apart are found, and leaves
	// aside what is at least Max away. Max 0 means no limit.
	Min, Max float64
	// PoseError bounds, in metres, how far the pose given may put a point of b from
	// where it is; both bounds allow for it.
	PoseError float64
	// Warm is the memory of this pair of trees: the triangles that were closest are
	// tried first, and those found are put there. It is the caller's, one for each
	// pair; nil starts cold. Any content is safe.
	Warm *Warm
}

// valid reports whether the query can be answered.
func (q *Query) valid() bool {
	return q.Alpha >= 0 && q.Alpha < 1 && q.Min >= 0 && q.Max >= 0 && q.PoseError >= 0 && !math.IsInf(q.PoseError, 0)
}

// Warm remembers which triangles of two trees were closest. The zero value remembers
// nothing.
type Warm struct {
	a, b int32 // places in the trees' own orders, plus one
}

// Outcome tells how a search ended.
type Outcome uint8

// The outcomes.
const (
	// Unknown: the pose or the query is not one (NaN, a matrix that does not turn, a
	// negative limit). Nothing was looked at; the bounds are 0 and +Inf.
	Unknown Outcome = iota
	// Found: the bounds are as close as asked for, and there are witness points.
	Found
	// Beyond: nothing is closer than Max, which Lower says. There is a witness, farther
	// than that, only where the search came across one: else Upper is +Inf.
	Beyond
	// Within: the witness points are at most Min apart, and the search ended there;
	// Lower may be anything down to 0.
	Within
)

// Result is what a distance query found, in the frame of tree a.
type Result struct {
	Outcome Outcome
	// Lower and Upper bound the true distance, rounding included; Upper is +Inf where
	// there is no witness. With Alpha 0 and the outcome Found they differ by rounding
	// alone, [Rounding] times the reach of trees and pose, and by the trees' Deviation.
	Lower, Upper float64
	// Distance is that of the witness points as computed, between the bounds; 0 where
	// the geometries were found to touch.
	Distance float64
	// PointA of a and PointB of b are the witnesses, both in a's frame.
	PointA, PointB geom.Vec
	// TriangleA and TriangleB are theirs, as numbered when the trees were built; -1
	// where there is no witness.
	TriangleA, TriangleB int32
	Work                 Work
}

// Work counts what a query did.
type Work struct {
	Spheres    int // pairs of balls compared
	Gaps       int // pairs of triangles told apart along a direction
	Triangles  int // pairs of triangles whose distance was computed
	Transforms int // points transformed
}

// Add adds the counts of another query.
func (w *Work) Add(o Work) {
	w.Spheres += o.Spheres
	w.Gaps += o.Gaps
	w.Triangles += o.Triangles
	w.Transforms += o.Transforms
}

// Scratch is the memory of one goroutine's queries; it grows once. The zero value is
// ready.
type Scratch struct {
	todo []item
}
