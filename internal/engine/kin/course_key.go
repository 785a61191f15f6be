package kin

import "github.com/firstcontact-ros/firstcontact/motion"

// Key returns all numbers that the motion on a piece depends on: each variable's control
// points, turns included, and the root's motion. A proof about a piece holds for any other
// with the same key.
func (b *Course) Key(piece int) []float64 {
	var key []float64
	for d, row := range b.rows {
		if row == ofRoot {
			continue
		}
		at := len(key)
		key = b.AppendCtrl(append(key, 0), d, piece)
		key[at] = float64(len(key) - at - 1)
		// Numbers with turns subtracted are rounded: the given numbers distinguish them.
		if start, end := b.Turns(d, piece); start != 0 || end != 0 {
			key[at] = -key[at]
			key = append(append(key, b.Motion.Pieces[piece].Ctrl[row]...), float64(start), float64(end))
		}
	}
	if b.MovesRoot() {
		p := &b.Motion.Pieces[piece]
		key = appendRoot(append(key, p.End-p.Start, b.jumps.Rot, b.jumps.Pos), &b.Motion.Root[piece])
	}
	return key
}

// StartKey returns the configuration in which the motion starts.
func (b *Course) StartKey() []float64 {
	var at []float64
	for d, row := range b.rows {
		switch row {
		case ofRoot:
		case held:
			at = append(at, b.state[d])
		default:
			at = append(at, b.Motion.Pieces[0].Ctrl[row][0])
		}
	}
	if b.MovesRoot() {
		at = appendRoot(at, &b.Motion.Root[0])
	}
	return at
}

func appendRoot(key []float64, r *motion.RootPiece) []float64 {
	x := &r.Start.R
	return append(
		key, x.XX, x.XY, x.XZ, x.YX, x.YY, x.YZ, x.ZX, x.ZY, x.ZZ,
		r.Start.P.X, r.Start.P.Y, r.Start.P.Z, r.Point.X, r.Point.Y, r.Point.Z,
		r.Velocity.X, r.Velocity.Y, r.Velocity.Z, r.Turn.X, r.Turn.Y, r.Turn.Z,
	)
}
