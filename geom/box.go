package geom

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// Box is an axis-aligned box; one with Min > Max in a coordinate is empty.
type Box struct{ Min, Max Vec }

// EmptyBox returns the box that contains nothing; Extend grows it.
func EmptyBox() Box {
	inf := math.Inf(1)
	return Box{Min: Vec{X: inf, Y: inf, Z: inf}, Max: Vec{X: -inf, Y: -inf, Z: -inf}}
}

// Empty reports whether b contains no point.
func (b Box) Empty() bool {
	return !(b.Min.X <= b.Max.X && b.Min.Y <= b.Max.Y && b.Min.Z <= b.Max.Z)
}

// Extend returns the smallest box around b and p.
func (b Box) Extend(p Vec) Box {
	return Box{
		Min: Vec{X: min(b.Min.X, p.X), Y: min(b.Min.Y, p.Y), Z: min(b.Min.Z, p.Z)},
		Max: Vec{X: max(b.Max.X, p.X), Y: max(b.Max.Y, p.Y), Z: max(b.Max.Z, p.Z)},
	}
}

// Union returns the smallest box around both.
func (b Box) Union(c Box) Box {
	if c.Empty() {
		return b
	}
	return b.Extend(c.Min).Extend(c.Max)
}

// Center returns the middle of b.
func (b Box) Center() Vec {
	center, _ := b.Middle()
	return center
}

// Half returns half the side lengths of b.
func (b Box) Half() Vec {
	_, half := b.Middle()
	return half
}

// Middle returns Center and Half, for loops: it leaves the box where it is.
func (b *Box) Middle() (center, half Vec) {
	return r3.Scale(0.5, r3.Add(b.Min, b.Max)), r3.Scale(0.5, r3.Sub(b.Max, b.Min))
}
