package spacetime

import (
	"math"
	"slices"

	"github.com/firstcontact-ros/firstcontact/internal/kin"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// Bound is a motion tied to the variables of a kinematic tree.
type Bound struct {
	Motion *motion.Motion
	// BeyondLimits are the variables whose control points leave the joint's limits.
	BeyondLimits []int

	tree  *kin.Tree
	rows  []int     // per variable: its row in the motion's pieces, -1 where held
	state []float64 // per variable: its position where held
	// turns tells, piece by piece, how many turns of 2 pi are added to the start
	// and to the end of each continuous row, so that it goes the short way.
	turns      [][2]int32
	continuous []int     // the rows that turns speaks of
	column     []int     // per variable: its place in continuous, -1 for none
	maxAbs     []float64 // per variable: bounds its |position| all along
}

// held and ofRoot stand for the row of a variable that has none.
const (
	held   = -1
	ofRoot = -2 // the motion's Root moves it
)

// Bind ties a valid motion to the tree; state gives the position of each
// variable that the motion does not name. A motion that moves the root link wants
// a tree with a moving root. It fails on a joint that the robot does not have or
// that cannot be moved.
func Bind(tree *kin.Tree, m *motion.Motion, state []float64) (*Bound, error) {
	rows, err := tree.Rows(m.Joints)
	if err != nil {
		return nil, err
	}
	b := &Bound{}
	b.bind(tree, m, state, rows)
	return b, nil
}

// Bind is the function Bind where the rows of the joints are known (kin.Tree.Rows;
// those of a moving root may be missing). It reuses what the worker bound before.
func (w *Worker) Bind(m *motion.Motion, state []float64, rows []int) *Bound {
	w.bound.bind(w.m.Tree, m, state, rows)
	return &w.bound
}

func (b *Bound) bind(tree *kin.Tree, m *motion.Motion, state []float64, rows []int) {
	b.Motion, b.tree, b.state = m, tree, append(b.state[:0], state...)
	b.rows = append(b.rows[:0], rows...)
	if len(m.Root) > 0 {
		b.rows = append(b.rows[:len(tree.Dofs)-kin.RootDofs], ofRoot, ofRoot, ofRoot, ofRoot)
		b.state = append(b.state[:len(b.rows)-kin.RootDofs], 0, 0, 0, 0)
	}
	b.unwind()
	b.bound()
}

// unwind decides how continuous joints turn: on a straight piece the short way,
// at most half a turn, unless the motion keeps its turns. Pieces of higher degree
// say themselves how they turn and are only carried along.
func (b *Bound) unwind() {
	b.column, b.continuous, b.turns = b.column[:0], b.continuous[:0], b.turns[:0]
	for d, row := range b.rows {
		b.column = append(b.column, -1)
		if row >= 0 && b.tree.Dofs[d].Continuous && !b.Motion.KeepTurns {
			b.column[d] = len(b.continuous)
			b.continuous = append(b.continuous, row)
		}
	}
	n := len(b.continuous)
	b.turns = slices.Grow(b.turns, n*len(b.Motion.Pieces))[:n*len(b.Motion.Pieces)]
	for i, row := range b.continuous {
		var k int32
		for p := range b.Motion.Pieces {
			ctrl := b.Motion.Pieces[p].Ctrl[row]
			start := k
			if len(ctrl) == 2 {
				k -= int32(math.Round((ctrl[1] - ctrl[0]) / (2 * math.Pi)))
			}
			b.turns[p*n+i] = [2]int32{start, k}
		}
	}
}

// bound notes limits left and the largest positions.
func (b *Bound) bound() {
	b.maxAbs, b.BeyondLimits = b.maxAbs[:0], b.BeyondLimits[:0]
	for d, row := range b.rows {
		dof := &b.tree.Dofs[d]
		lo, hi := math.Inf(1), math.Inf(-1)
		switch row {
		case held:
			lo, hi = b.state[d], b.state[d]
		case ofRoot:
			lo, hi = b.rootRange(d)
		}
		for p := range b.Motion.Pieces {
			if row < 0 {
				break
			}
			for _, x := range b.Motion.Pieces[p].Ctrl[row] {
				lo, hi = min(lo, x), max(hi, x)
			}
		}
		b.maxAbs = append(b.maxAbs, max(math.Abs(lo), math.Abs(hi)))
		// A micrometre or microradian beyond is how controllers print limits.
		if row >= 0 && dof.Bounded && (lo < dof.Lo-1e-6 || hi > dof.Hi+1e-6) {
			b.BeyondLimits = append(b.BeyondLimits, d)
		}
	}
}

// load makes piece p of the motion the one that w looks at.
func (w *Worker) load(b *Bound, p int) {
	w.piece = p
	buf := w.curveBuf
	var shifted [kin.MaxDegree + 1]float64
	if len(b.Motion.Root) > 0 {
		w.state.Root = rootOf(&b.Motion.Root[p])
	}
	for d, row := range b.rows {
		var ctrl []float64
		switch row {
		case held:
			ctrl = b.state[d : d+1]
		case ofRoot:
			shifted[0], shifted[1] = b.rootCtrl(d, p)
			ctrl = shifted[:2]
		default:
			ctrl = b.Motion.Pieces[p].Ctrl[row]
			if col := b.column[d]; col >= 0 {
				ctrl = b.shift(shifted[:0], ctrl, b.turns[p*len(b.continuous)+col])
			}
		}
		w.curves[d].Set(ctrl, buf)
		buf = buf[kin.CurveSize(len(ctrl)):]
	}
	w.boundPiece()
}

// start places the robot for containment tests where the motion starts.
func (w *Worker) start(b *Bound) {
	for d, row := range b.rows {
		switch row {
		case held:
			w.startAt[d] = kin.Around{Q: b.state[d]}
		case ofRoot:
			q, _ := b.rootCtrl(d, 0)
			w.startAt[d] = kin.Around{Q: q}
		default:
			w.startAt[d] = kin.Around{Q: b.Motion.Pieces[0].Ctrl[row][0]}
		}
	}
	if len(b.Motion.Root) > 0 {
		w.startState.Root = rootOf(&b.Motion.Root[0])
	}
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
		if e := &w.m.Elements[i]; e.Frame != 0 || w.elements[i].slack == 0 { // of what stands still it is always the same
			w.elements[i].slack = slackOf(w.state, e, w.elements[i].rho, 1)
		}
	}
}

// shift appends ctrl with the turns added. Only straight pieces end with another
// number of turns than they start with.
func (b *Bound) shift(dst, ctrl []float64, turns [2]int32) []float64 {
	for i, x := range ctrl {
		k := turns[0]
		if i == len(ctrl)-1 {
			k = turns[1]
		}
		dst = append(dst, x+2*math.Pi*float64(k))
	}
	return dst
}

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
func (w *Worker) reachFor(b *Bound) {
	if w.reached && w.steady && !w.tubed {
		return // nothing but turns: as the last time
	}
	w.reached = !w.tubed
	limit := func(k int) float64 {
		f := &w.m.Tree.Frames[k]
		if f.Dof >= 0 && b.rows[f.Dof] == ofRoot && f.Mult == 0 {
			return b.rootOffset()
		}
		return (math.Abs(f.Mult)*b.maxAbs[f.Dof] + math.Abs(f.Offset) + w.state.Stray[k]) * (1 + 8*u)
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
