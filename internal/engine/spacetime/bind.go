package spacetime

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// Bind ties a motion to the tree as kin.Bind does, where the rows of the joints are
// known (kin.Tree.Rows). It reuses what the worker bound before.
func (w *Worker) Bind(m *motion.Motion, state []float64, rows []int) *kin.Course {
	w.bound.Bind(w.m.Tree, m, state, rows)
	return &w.bound
}

// load makes piece p of the motion the one that w looks at.
func (w *Worker) load(b *kin.Course, p int) {
	w.piece = p
	w.state.Root = b.Root(p)
	b.Load(p, w.curves, w.curveBuf)
	w.boundPiece()
}

// start places the robot for containment tests where the motion starts.
func (w *Worker) start(b *kin.Course) {
	b.Start(w.startAt)
	w.startState.Root = b.Root(0)
	w.startState.Place(w.startAt)
}

// boundPiece bounds what holds for every interval of the current piece.
func (w *Worker) boundPiece() {
	for i := range w.curves {
		w.around[i] = w.curves[i].Around(0.5, 0, 1)
	}
	w.state.Bound(w.around)
	w.slacken()
}

// slacken notes how far the rules may be off on the piece.
func (w *Worker) slacken() {
	for i := range w.elements {
		if e := &w.m.Elements[i]; e.Frame != 0 || w.elements[i].slacks.place == 0 { // of what stands still it is always the same
			w.elements[i].slacks = slackOf(w.state, e, w.elements[i].rho)
		}
		if !(w.elements[i].slacks.within(1) <= math.MaxFloat64) && w.reason == "" {
			w.reason = tooLarge
		}
	}
}

// tooLarge is why a question ends before anything is tried to be proved.
const tooLarge = "positions, speeds or lengths are too large to compute with"

// stray notes how far the joints may be off the motion.
func (w *Worker) stray(tube map[string]float64) {
	if tube == nil && !w.tubed {
		return
	}
	w.tubed = tube != nil
	for k := range w.m.Tree.Frames {
		w.state.SetStray(k, tube[w.m.Tree.Frames[k].Joint])
	}
}

// reachFor prepares the elements' reach for a motion.
func (w *Worker) reachFor(b *kin.Course) {
	if w.reached && w.steady && !w.tubed {
		return // nothing but turns: as the last time
	}
	w.reached = !w.tubed
	limit := func(k int) float64 {
		return (b.JointMaxAbs(k) + w.state.Stray[k]) * (1 + 8*u)
	}
	for i := range w.m.Elements {
		e := &w.m.Elements[i]
		if e.Frame == 0 {
			continue
		}
		// The ball's centre in F; its rounding is covered by the inflated radius.
		center := e.PoseFE.Apply(e.Center)
		w.m.Tree.Reach(e.Frame, center, e.Radius*(1+1e-12)+1e-12, limit, w.elements[i].reach)
	}
}
