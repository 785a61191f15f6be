package distance

import (
	"context"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/place"
	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/tri"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// foot is the point of a surface nearest to another point, and its leaf; a negative
// node where there is none within reach.
type foot struct {
	at     geom.Vec
	node   int32
	square float64 // of the distance
}

// touching is what is no distance, squared: nothing nearer is worth looking for.
const touching = 1e-26

// nearestOn returns the point of a mesh nearest to x among those whose squared
// distance is at most within.
func (w *Searcher) nearestOn(l *model.Leaves, x geom.Vec, within float64) foot {
	best := foot{node: -1, square: within}
	stack := append(w.feet[:0], queued{0, squareToBox(&l.Tree.Nodes[0].Box, x)})
	for len(stack) > 0 && best.square > touching {
		top := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if top.lower > best.square {
			continue
		}
		n := &l.Tree.Nodes[top.at]
		if n.Left < 0 {
			t := volume.Triangle(l, top.at)
			p := tri.ClosestPoint(&t, x)
			if d := r3.Sub(p, x); r3.Dot(d, d) <= best.square {
				best = foot{p, top.at, r3.Dot(d, d)}
			}
			continue
		}
		near, far := queued{n.Left, squareToBox(&l.Tree.Nodes[n.Left].Box, x)}, queued{n.Left + 1, squareToBox(&l.Tree.Nodes[n.Left+1].Box, x)}
		if far.lower < near.lower {
			near, far = far, near
		}
		if far.lower <= best.square {
			stack = append(stack, far)
		}
		if near.lower <= best.square {
			stack = append(stack, near)
		}
	}
	w.feet = stack[:0]
	return best
}

// hullOf returns a convex piece that holds the element, as tight as can be had.
func (w *Searcher) hullOf(element int) *convex.Core {
	e := &w.m.Elements[element]
	if !e.Loose() {
		return &e.Core
	}
	if w.fine == nil {
		w.fine = make([]*convex.Core, len(w.m.Elements))
	}
	if w.fine[element] == nil {
		fine := *e.Leaves.Hull()
		if len(fine.Vertices) == 0 || fine.Radius+e.Padding > e.Core.Radius {
			fine = e.Core
		} else {
			fine.Radius += e.Padding
		}
		w.fine[element] = &fine
	}
	return w.fine[element]
}

// insert adds a queued such that those from first on stay sorted, the nearest last.
func insert(spots []queued, first int, x queued) []queued {
	spots = append(spots, x)
	i := len(spots) - 1
	for ; i > first && spots[i-1].lower < x.lower; i-- {
		spots[i] = spots[i-1]
	}
	spots[i] = x
	return spots
}

// New returns a searcher for a model, with a robot and a question of its own.
func New(m *model.Model) *Searcher { return NewAt(place.New(m), &engine.Question{}) }

// NewAt returns a searcher for an engine that places the robot itself (see Nearest),
// and whose clock runs for the searches as well.
func NewAt(r *place.Robot, q *engine.Question) *Searcher {
	return &Searcher{m: r.M, at: r, q: q}
}

// tooLarge is why a query ends before anything is computed.
const tooLarge = "positions, speeds or lengths are too large to compute with"

// begin starts a query at a configuration. Unless warm, nothing that is remembered of
// the questions before has an effect on the answer.
func (w *Searcher) begin(ctx context.Context, state []float64, warm bool) {
	w.prepare()
	w.q.Watch(ctx)
	w.at.Stray(nil)
	w.follows = warm
	if !warm {
		w.warmSince = w.q.Number
	}
	if !w.at.Rest(state, warm) && w.q.Reason == "" {
		w.q.Reason = tooLarge
	}
	w.q.Work.Intervals++
}

// prepare makes room for what is remembered of each pair. A search that only bounds
// distances may come first.
func (w *Searcher) prepare() {
	if w.known == nil {
		w.known, w.outsides = make([]*knownPage, (len(w.m.Pairs)+pagePairs-1)/pagePairs), make([]uint64, len(w.m.Pairs))
	}
}

// Forget makes searches independent of those before.
func (w *Searcher) Forget() {
	w.near.last = 0
	w.warmSince = w.q.Number
	for _, page := range w.known {
		if page != nil {
			*page = knownPage{}
		}
	}
}

// State is the robot's state, for its frames; ask it to Ensure a frame first.
func (w *Searcher) State() *kin.State { return w.at.State }

// witnessOf puts a touch in the caller's terms.
func (w *Searcher) witnessOf(t *engine.PairTouch) motion.Witness {
	q := &w.m.Pairs[t.Pair]
	return engine.Witness(w.m, q, &t.Touch, 0, w.at.Element(q.A).Pose, w.at.Element(q.B).Pose)
}
