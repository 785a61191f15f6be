package kin

import (
	"math"
	"slices"

	"github.com/firstcontact-ros/firstcontact/motion"
)

// Course is a motion bound to the variables of a tree: the polynomials of each of them, piece
// by piece. It is reused from motion to motion. Binding belongs to one goroutine; a bound
// course may be read by any number.
type Course struct {
	Motion *motion.Motion
	// BeyondLimits are the variables whose control points leave the joint's limits.
	BeyondLimits []int
	// From is where a search of the motion begins; see Skip.
	From Instant

	tree  *Tree
	rows  []int     // per variable: its row in the motion's pieces, -1 if held
	state []float64 // per variable: its position if held
	// turns holds, piece by piece, how many turns of 2 pi are subtracted from the start and
	// from the end of each continuous row (turns.go).
	turns      [][2]int32
	continuous []int // the rows in turns
	turned     bool  // one of turns is not 0
	halves     bool  // a joint turns by half a turn

	jumps  Jump      // of the root link, the largest at a seam
	seams  bool      // one of them is more than rounding
	column []int     // per variable: its place in continuous, -1 for none
	maxAbs []float64 // per variable: bounds its |position| during the whole motion
	ways   []float64 // scratch of Way, by frame
}

// held and ofRoot replace the row of a variable that has none.
const (
	held   = -1
	ofRoot = -2 // the motion's Root moves it
)

// Bind binds a valid motion to the tree; state gives the position of each variable that the
// motion does not name. A motion that moves the root link requires a tree with a moving root.
// It fails on a joint that the robot does not have or that cannot be moved.
func Bind(tree *Tree, m *motion.Motion, state []float64) (*Course, error) {
	rows, err := tree.Rows(m.Joints)
	if err != nil {
		return nil, err
	}
	b := &Course{}
	b.Bind(tree, m, state, rows)
	return b, nil
}

// Bind is like the function Bind with known rows of the joints (Tree.Rows; those of a moving
// root may be missing). It reuses the memory of b.
func (b *Course) Bind(tree *Tree, m *motion.Motion, state []float64, rows []int) {
	b.From = Instant{}
	b.Motion, b.tree, b.state = m, tree, append(b.state[:0], state...)
	b.rows = append(b.rows[:0], rows...)
	if len(m.Root) > 0 {
		b.rows = append(b.rows[:len(tree.Dofs)-RootDofs], ofRoot, ofRoot, ofRoot, ofRoot)
		b.state = append(b.state[:len(b.rows)-RootDofs], 0, 0, 0, 0)
	}
	b.unwind()
	b.bound()
	b.noteSeams()
}

// bound records exceeded limits and the largest positions.
func (b *Course) bound() {
	b.maxAbs, b.BeyondLimits = b.maxAbs[:0], b.BeyondLimits[:0]
	for d, row := range b.rows {
		var most float64
		switch row {
		case held:
			most = math.Abs(b.state[d])
		case ofRoot:
			lo, hi := b.rootRange(d)
			most = max(math.Abs(lo), math.Abs(hi))
		default:
			most = b.boundRow(d, row)
		}
		if b.turned {
			most = max(most, b.largestShifted(d))
		}
		b.maxAbs = append(b.maxAbs, most)
	}
}

// boundRow returns the largest |control point| of a row, and records whether the limits of its variable are exceeded. A micrometre
// or microradian beyond a limit comes from rounding in controllers' output.
func (b *Course) boundRow(d, row int) float64 {
	dof, lo, hi := &b.tree.Dofs[d], math.Inf(-1), math.Inf(1)
	if dof.Bounded {
		lo, hi = dof.Lo-1e-6, dof.Hi+1e-6
	}
	most, beyond := uint64(0), false // bits of numbers that are zero or more are ordered as these are, those of a NaN behind
	for p := range b.Motion.Pieces {
		for _, x := range b.Motion.Pieces[p].Ctrl[row] {
			most, beyond = max(most, math.Float64bits(math.Abs(x))), beyond || x < lo || x > hi
		}
	}
	if beyond {
		b.BeyondLimits = append(b.BeyondLimits, d)
	}
	return math.Float64frombits(most)
}

// Rests reports whether every variable stays where it is.
func (b *Course) Rests() bool {
	if b.turned || b.MovesRoot() {
		return false
	}
	for p := range b.Motion.Pieces {
		for _, row := range b.rows {
			if row < 0 {
				continue
			}
			for _, x := range b.Motion.Pieces[p].Ctrl[row] {
				if x != b.Motion.Pieces[0].Ctrl[row][0] {
					return false
				}
			}
		}
	}
	return true
}

// Way returns how far (rad or m) the joints of a chain move together on a piece, at most, by its control points.
func (b *Course) Way(piece int) (most float64) {
	b.ways = slices.Grow(b.ways[:0], len(b.tree.Frames))[:len(b.tree.Frames)]
	b.ways[0] = 0
	for k := 1; k < len(b.tree.Frames); k++ {
		f := &b.tree.Frames[k]
		sum := b.ways[f.Parent]
		if row := b.rows[f.Dof]; row >= 0 {
			ctrl := b.Motion.Pieces[piece].Ctrl[row]
			for i, x := range ctrl[1:] {
				sum += math.Abs(f.Mult * (x - ctrl[i]))
			}
		}
		b.ways[k] = sum
		most = max(most, sum)
	}
	return most
}

// Pieces returns how many pieces the motion has.
func (b *Course) Pieces() int { return len(b.Motion.Pieces) }

// AppendCtrl appends the control points of variable d on a piece, over [0, 1]: one if it is
// held.
func (b *Course) AppendCtrl(dst []float64, d, piece int) []float64 {
	switch row := b.rows[d]; row {
	case held:
		return append(dst, b.state[d])
	case ofRoot:
		from, to := b.rootCtrl(d, piece)
		return append(dst, from, to)
	default:
		ctrl := b.Motion.Pieces[piece].Ctrl[row]
		if b.turned {
			from, to := b.Turns(d, piece)
			return shift(dst, ctrl, from, to)
		}
		return append(dst, ctrl...)
	}
}

// Load sets each variable's curve to its polynomial on a piece; buf holds
// CurveSize(MaxDegree+1) numbers for each.
func (b *Course) Load(piece int, curves []Curve, buf []float64) {
	var ctrl [MaxDegree + 1]float64
	for d, row := range b.rows {
		if row >= 0 && !b.turned {
			points := b.Motion.Pieces[piece].Ctrl[row]
			curves[d].Set(points, buf)
			buf = buf[CurveSize(len(points)):]
			continue
		}
		points := b.AppendCtrl(ctrl[:0], d, piece)
		curves[d].Set(points, buf)
		if row != held { // otherwise they are the given numbers
			if maxAbs, err := b.CtrlErr(d, piece); err != 0 {
				curves[d].Blur(maxAbs, err)
			}
		}
		buf = buf[CurveSize(len(points)):]
	}
}

// MaxAbs bounds |position| of variable d during the whole motion, as given and with turns
// subtracted.
func (b *Course) MaxAbs(d int) float64 { return b.maxAbs[d] }

// JointMaxAbs bounds |position| of the joint that moves frame k during the whole motion,
// including offset and multiplier of a mimic joint. For the frame that keeps a moving root
// link's position, it bounds how far that is from the point it rotates about.
func (b *Course) JointMaxAbs(k int) float64 {
	f := &b.tree.Frames[k]
	if f.Dof >= 0 && b.rows[f.Dof] == ofRoot && f.Mult == 0 {
		return b.rootOffset()
	}
	return (math.Abs(f.Mult)*b.maxAbs[f.Dof] + math.Abs(f.Offset)) * (1 + 8*u)
}

// Start returns each variable's position at the motion's start.
func (b *Course) Start(dst []Around) {
	for d := range b.rows {
		dst[d] = Around{Q: b.StartOf(d)}
	}
}

// AppendEnds appends each variable's position at the start of a piece, or at its end.
func (b *Course) AppendEnds(dst []float64, piece int, end bool) []float64 {
	for d := range b.rows {
		var buf [MaxDegree + 1]float64
		ctrl := b.AppendCtrl(buf[:0], d, piece)
		if end {
			ctrl = ctrl[len(ctrl)-1:]
		}
		dst = append(dst, ctrl[0])
	}
	return dst
}

// StartOf returns a variable's position at the motion's start.
func (b *Course) StartOf(d int) float64 {
	switch row := b.rows[d]; row {
	case held:
		return b.state[d]
	case ofRoot:
		q, _ := b.rootCtrl(d, 0)
		return q
	default:
		return b.Motion.Pieces[0].Ctrl[row][0]
	}
}
