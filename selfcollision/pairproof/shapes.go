package pairproof

import (
	"github.com/firstcontact-ros/firstcontact/internal/base/cache"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
)

// Shapes keeps compiled shapes (hulls and hierarchies of meshes) from one run to the next,
// so that each is compiled once. Goroutines may share it. Make it with NewShapes.
type Shapes struct{ library *model.Library }

// NewShapes returns an empty memory of shapes. Where dir is not empty, it also keeps in
// that folder what is costly to find, as ccd.Options.Cache does. progress, if not nil, is
// called for each shape that was compiled: done of total, and the shape's file or kind.
// Calls follow one another.
func NewShapes(dir string, progress func(done, total int, what string)) *Shapes {
	return &Shapes{&model.Library{Store: cache.Open(dir), Progress: progress}}
}

func init() {
	model.PairShapes = func(l *model.Library) any { return &Shapes{l} }
}
