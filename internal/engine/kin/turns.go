package kin

import (
	"fmt"
	"math"
	"slices"

	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/premise"
)

// How continuous joints turn between two positions (docs/motions.md). Turns are
// taken off a straight piece where nothing can tell them. All later control points
// are shifted alike, so that the pieces meet exactly: what ends a piece and what
// starts the next is the same number, shifted by the same turns in one function.

// followers is what moves with a variable, as far as it can tell turns of it.
type followers struct {
	slide bool      // a joint that slides
	parts []float64 // multipliers, not integers, of joints that turn
}

// followersOf lists, per variable, what can tell its turns.
func followersOf(t *Tree) []followers {
	out := make([]followers, len(t.Dofs))
	for k := 1; k < len(t.Frames); k++ {
		f := &t.Frames[k]
		x := &out[f.Dof]
		switch {
		case f.Mult == 0:
		case f.Prismatic:
			x.slide = true
		case f.Mult != math.Trunc(f.Mult):
			x.parts = append(x.parts, f.Mult)
		}
	}
	return out
}

// tells reports whether something is elsewhere after so many turns: whether a
// multiplier times turns is no integer, in real arithmetic.
func (f *followers) tells(turns int) bool {
	if turns == 0 {
		return false
	}
	n := float64(turns)
	return f.slide || slices.ContainsFunc(f.parts, func(m float64) bool {
		product := m * n
		return product != math.Trunc(product) || math.FMA(m, n, -product) != 0
	})
}

// Periodic reports whether variable d is a turn after which everything that moves
// with it is back in its place.
func (t *Tree) Periodic(d int) bool { return t.Dofs[d].Continuous && !t.follows[d].tells(1) }

// unwind decides how continuous joints turn: on a straight piece the short way, at
// most half a turn, unless the motion keeps its turns or something can tell. Pieces
// of higher degree say themselves how they turn and are only carried along.
func (b *Course) unwind() {
	b.column, b.continuous, b.turns = b.column[:0], b.continuous[:0], b.turns[:0]
	b.turned, b.halves = false, false
	for d, row := range b.rows {
		b.column = append(b.column, -1)
		if row >= 0 && b.tree.Dofs[d].Continuous && !b.Motion.KeepTurns {
			b.column[d] = len(b.continuous)
			b.continuous = append(b.continuous, row)
		}
	}
	n := len(b.continuous)
	b.turns = slices.Grow(b.turns, n*len(b.Motion.Pieces))[:n*len(b.Motion.Pieces)]
	for d, col := range b.column {
		if col >= 0 {
			b.unwindRow(col, &b.tree.follows[d])
		}
	}
}

func (b *Course) unwindRow(col int, f *followers) {
	n, row := len(b.continuous), b.continuous[col]
	var k int32
	for p := range b.Motion.Pieces {
		start := k
		ctrl := b.Motion.Pieces[p].Ctrl[row]
		if len(ctrl) == 2 && !(math.Abs(ctrl[1]-ctrl[0]) < math.Pi-halfTurn) {
			if off := motion.ShortWay(ctrl[0], ctrl[1]); off != 0 && !f.tells(off) {
				k += int32(off)
				b.turned = true
			}
			b.halves = b.halves || isHalfTurn(ctrl, start, k)
		}
		b.turns[p*n+col] = [2]int32{start, k}
	}
}

// halfTurn in rad: positions in files have six digits, so that closer to half a turn
// their rounding decides the direction.
const halfTurn = 1e-5

func isHalfTurn(ctrl []float64, start, end int32) bool {
	way := math.Abs(ctrl[1] - ctrl[0] - 2*math.Pi*float64(end-start))
	return math.Abs(way-math.Pi) <= halfTurn
}

// Turned reports whether turns are taken off on a piece.
func (b *Course) Turned() bool { return b.turned }

// Turns returns how many turns are taken off variable d where a piece starts and
// where it ends.
func (b *Course) Turns(d, piece int) (start, end int) {
	if col := b.column[d]; b.turned && col >= 0 {
		k := b.turns[piece*len(b.continuous)+col]
		return int(k[0]), int(k[1])
	}
	return 0, 0
}

// shift appends ctrl with turns taken off. Only straight pieces end with another
// number of turns than they start with.
func shift(dst, ctrl []float64, start, end int) []float64 {
	for i, x := range ctrl {
		k := start
		if i == len(ctrl)-1 {
			k = end
		}
		dst = append(dst, Unturned(x, k))
	}
	return dst
}

// Unturned returns x - 2 pi turns. It is wrong by at most 4u of the larger one of |x|
// and |result|: float64(2 pi) is wrong by 0.4u of itself, the product rounds once, and
// 2 pi turns is no larger than both together; the difference rounds once.
func Unturned(x float64, turns int) float64 {
	by := float64(2 * math.Pi * float64(turns)) // rounded before it is subtracted
	return x - by
}

// CtrlErr bounds how far each control point that AppendCtrl gives may be from the
// motion's own, err, and the numbers that it was made of, maxAbs; both are 0 where
// it is the number given. Taking turns off rounds (Unturned), and so does working
// out where a moving root is when a piece ends: the piece's length, a product with
// the rate and a sum; the rate of a turn is the length of a vector.
func (b *Course) CtrlErr(d, piece int) (maxAbs, err float64) {
	switch row := b.rows[d]; row {
	case held:
	case ofRoot:
		if b.rootRests(d, piece) {
			break
		}
		from, to := b.rootCtrl(d, piece)
		maxAbs = max(math.Abs(from), math.Abs(to))
		err = 8 * u * maxAbs
	default:
		start, end := b.Turns(d, piece)
		if start == 0 && end == 0 {
			break
		}
		for i, x := range b.Motion.Pieces[piece].Ctrl[row] {
			k := start
			if i > 0 {
				k = end // of a curve it is the same
			}
			maxAbs = max(maxAbs, math.Abs(x), math.Abs(Unturned(x, k)))
		}
		err = 4 * u * maxAbs
	}
	return maxAbs, err
}

// largestShifted bounds |position| of variable d where turns are taken off it.
func (b *Course) largestShifted(d int) float64 {
	most := 0.0
	if !b.turned || b.column[d] < 0 {
		return 0
	}
	for p := range b.Motion.Pieces {
		maxAbs, _ := b.CtrlErr(d, p)
		most = max(most, maxAbs)
	}
	return most
}

// Premises lists the pieces on which turns are taken off (premise.Turned), those on
// which a joint turns by half a turn (premise.HalfTurn), and the seams at which the
// root link jumps (premise.Seam); nil for none.
func (b *Course) Premises() []premise.Premise {
	out := b.seamPremises()
	if !b.turned && !b.halves {
		return out
	}
	for d, col := range b.column {
		if col < 0 {
			continue
		}
		for p := range b.Motion.Pieces {
			out = b.appendTurns(out, d, p)
		}
	}
	return out
}

func (b *Course) appendTurns(out []premise.Premise, d, piece int) []premise.Premise {
	ctrl := b.Motion.Pieces[piece].Ctrl[b.rows[d]]
	if len(ctrl) != 2 {
		return out
	}
	name := b.tree.Dofs[d].Name
	k := b.turns[piece*len(b.continuous)+b.column[d]]
	if k[1] != k[0] {
		out = append(out, premise.Premise{
			Kind: premise.Turned, Names: []string{name}, Value: float64(k[1] - k[0]), Piece: piece,
			Detail: fmt.Sprintf("from %g to %g on piece %d the joint goes the short way: whole turns taken off: %d", ctrl[0], ctrl[1], piece, k[1]-k[0]),
		})
	}
	if isHalfTurn(ctrl, k[0], k[1]) {
		out = append(out, premise.Premise{
			Kind: premise.HalfTurn, Names: []string{name}, Value: Unturned(ctrl[1], int(k[1]-k[0])) - ctrl[0], Piece: piece,
			Detail: fmt.Sprintf("from %g to %g on piece %d the joint turns by half a turn: the last digits of the positions decide the direction", ctrl[0], ctrl[1], piece),
		})
	}
	return out
}
