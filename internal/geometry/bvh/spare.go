package bvh

import (
	"sync"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// buffers are memory of a builder that the next one uses again: fresh memory costs more than what
// is written to it.
type buffers struct {
	corners []geom.Vec
	boxes   []geom.Box
	seen    []bool
}

var spare = sync.Pool{New: func() any { return new(buffers) }}

// of returns a slice of n elements of any content in the memory of kept, or in more.
func of[T any](kept *[]T, n int) []T {
	if cap(*kept) < n {
		*kept = make([]T, n)
	}
	return (*kept)[:n]
}

// release gives the builder's memory back; its tree stays.
func (b *builder) release() {
	if b.kept != nil {
		spare.Put(b.kept)
	}
	b.kept, b.corners, b.boxes, b.mesh, b.points = nil, nil, nil, nil, nil
}
