package lazyprm

import "context"

// Edge is the straight segment between two configurations.
type Edge struct {
	From, To []float64 // rad or m, one per joint

	// Memo is what the EdgeChecker that tested the segment last keeps about it. Turning
	// the segment round leaves it.
	Memo any

	tests int // how many candidate paths it was tested in
}

// NewEdge returns the segment between two configurations, of which nothing is known.
func NewEdge(from, to []float64) *Edge { return &Edge{From: from, To: to} }

// turn lets the segment be driven the other way.
func (e *Edge) turn() { e.From, e.To = e.To, e.From }

// EdgeChecker answers what a lazy planner asks. It belongs to one plan, and to one
// goroutine.
//
// Whether its word is a proof is the implementation's to say: a planner's path is
// worth what its checker's word is.
type EdgeChecker interface {
	// Free reports whether the robot touches nothing at a configuration.
	Free(ctx context.Context, q []float64) (bool, error)

	// Test tests segments together, those most likely to collide first, and returns
	// the place of one in collision as soon as it finds one, or -1 if all are free.
	// What it has found out about the others it keeps (in their Memo or elsewhere), so
	// that a later test goes on from there (SSL04, section II-D). The segments need
	// not follow one another, but go faster where they do. A context that ends is an
	// error.
	Test(ctx context.Context, edges []*Edge) (hit int, err error)
}

// runs cuts segments into stretches of which each begins where the one before it ends.
func runs(edges []*Edge, each func(first int, run []*Edge) (more bool)) {
	for first := 0; first < len(edges); {
		end := first + 1
		for end < len(edges) && same(edges[end-1].To, edges[end].From) {
			end++
		}
		if !each(first, edges[first:end]) {
			return
		}
		first = end
	}
}

func same(a, b []float64) bool {
	for j := range a {
		if a[j] != b[j] {
			return false
		}
	}
	return true
}

// waypoints returns the configurations along segments that follow one another.
func waypoints(run []*Edge) [][]float64 {
	path := [][]float64{run[0].From}
	for _, e := range run {
		path = append(path, e.To)
	}
	return path
}
