package kin

import (
	"math"
	"sort"
)

// Instant is a time of a motion: the parameter At of a piece, in [0, 1].
type Instant struct {
	Piece int
	At    float64
}

// Skip lets a search begin at time t (s) instead of the start: the caller has proved that
// everything in the search's question stays farther apart than the clearance on [0, t). An
// infinite t skips the whole motion, its end included.
//
// From is at t or earlier, never later: both differences, their quotient and the product have
// errors of u each, and the factor subtracts eight. A parameter so small that a quotient has a
// larger error is replaced by 0.
func (b *Course) Skip(t float64) {
	pieces := b.Motion.Pieces
	switch {
	case math.IsInf(t, 1):
		b.From = Instant{Piece: len(pieces)}
		return
	case !(t > pieces[0].Start):
		b.From = Instant{}
		return
	}
	i := sort.Search(len(pieces), func(i int) bool { return pieces[i].Start > t }) - 1
	p := &pieces[i]
	at := (t - p.Start) / (p.End - p.Start) * (1 - 8*u)
	if at < 0x1p-60 {
		at = 0
	}
	b.From = Instant{Piece: i, At: min(at, 1-8*u)}
}

// Begin returns where on a piece a search begins: later than 0 on one piece only.
func (b *Course) Begin(piece int) float64 {
	if piece == b.From.Piece {
		return b.From.At
	}
	return 0
}
