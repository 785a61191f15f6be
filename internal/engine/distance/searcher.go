// Package distance bounds how close bodies come at one configuration: the distance of a
// pair of bodies, the closest pairs of a robot (SPHERE, distance range and error
// tolerance), and everything close to one element. Lower bounds are support gaps, which
// are proofs; upper bounds are real points of the geometry.
package distance

import (
	"context"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/place"
	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// u is the largest relative error of a float64 operation.
const u = 0x1p-53

// Searcher answers distance queries. It is the scratch of one goroutine: it grows to
// what the model needs once and then allocates nothing.
type Searcher struct {
	m  *model.Model
	at *place.Robot
	q  *engine.Question

	search       convex.Workspace
	partA, partB volume.Scratch
	solids       engine.Solids
	segments     model.Segments
	nodes        []nodePair     // stack of the pair search
	feet         []queued       // stack of nearestOn
	fine         []*convex.Core // tight hulls of elements, made when asked for

	pair      pairSearch
	known     []known  // what the pair search remembers, by pair
	warmSince uint64   // the question from which on it is used
	outsides  []uint64 // by pair: the question in which neither solid was found to hold the other
	ranking   ranking
	near      near
	byPair    pairwise
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
func (w *Searcher) begin(ctx context.Context, now time.Time, state []float64, warm bool) {
	if w.known == nil {
		w.known, w.outsides = make([]known, len(w.m.Pairs)), make([]uint64, len(w.m.Pairs))
	}
	w.q.Begin(ctx, &motion.Query{}, now)
	w.at.Stray(nil)
	if !warm {
		w.warmSince = w.q.Number
	}
	if !w.at.Rest(state, warm) && w.q.Reason == "" {
		w.q.Reason = tooLarge
	}
	w.q.Work.Intervals++
}

// Forget makes searches independent of those before.
func (w *Searcher) Forget() {
	w.near.last = source{}
	w.warmSince = w.q.Number
	clear(w.known)
}

// State is the robot's state, for its frames; ask it to Ensure a frame first.
func (w *Searcher) State() *kin.State { return w.at.State }

// Prepare makes what queries want to know of meshes, so that the first is not slow.
func (w *Searcher) Prepare() {
	for i := range w.m.Elements[:w.m.Real] {
		w.hullOf(i)
		if l := w.m.Elements[i].Leaves; l != nil && l.Mesh != nil {
			l.Extents()
		}
	}
}

// witnessOf puts a touch in the caller's terms.
func (w *Searcher) witnessOf(t *engine.PairTouch) motion.Witness {
	q := &w.m.Pairs[t.Pair]
	return engine.Witness(w.m, q, &t.Touch, 0, w.at.Element(q.A).Pose, w.at.Element(q.B).Pose)
}

func abs(x float64) float64 {
	if x < 0 {
		return -x
	}
	return x
}
