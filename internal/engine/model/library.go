package model

import (
	"context"
	"maps"
	"runtime"
	"slices"
	"sync"
	"weak"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/base/cache"
	"github.com/firstcontact-ros/firstcontact/internal/base/progress"

	"golang.org/x/sync/errgroup"
)

// Library caches the compiled shapes, so that a new world or a second robot of the same kind
// does not build hierarchies again. It may be shared. The zero value is ready.
type Library struct {
	// Store caches expensive results about shapes of files on disk; nil disables it.
	Store *cache.Store
	// Progress, if not nil, is called for every shape that New has compiled: how many of how
	// many, and its source. Calls are sequential.
	Progress func(done, total int, what string)

	forms formCache
}

// PairShapes returns a *pairproof.Shapes that keeps the shapes of a library. Package
// pairproof sets it, as no exported function of it may mention this package.
var PairShapes func(*Library) any

// formCache caches the forms of shapes. A form is made from a copy of its shape, and used
// again only if the shape still equals the copy, because the shape's owner may modify it.
// Worlds that come and go would fill the cache: the least recently used entries are removed.
type formCache struct {
	mu    sync.Mutex
	forms map[any]*kept // by identity of the given shape and of its copy
	round uint64        // grows with every model
}

// kept is a form, the copy that it was made from, and the last round in which it was used.
type kept struct {
	form  *form
	shape *shape.Shape
	last  uint64
}

// identity is a shape's key in the cache: links often share a mesh between different shapes.
// It does not keep the shape in memory.
func identity(s *shape.Shape) any {
	if s.Kind == shape.Mesh && s.Mesh != nil {
		return weak.Make(s.Mesh)
	}
	return weak.Make(s)
}

// get returns the entry of a shape that has not changed, otherwise nil.
func (c *formCache) get(s *shape.Shape) *kept {
	id := identity(s)
	c.mu.Lock()
	k := c.forms[id]
	if k != nil {
		k.last = c.round
	}
	c.mu.Unlock()
	if k == nil || !sameForm(k.shape, s) {
		return nil
	}
	return k
}

// sameForm reports whether two shapes with one identity have the same form.
func sameForm(a, b *shape.Shape) bool {
	if a.Kind == shape.Mesh && b.Kind == shape.Mesh && a.Mesh != nil && b.Mesh != nil {
		return a.Mesh.Equal(b.Mesh)
	}
	return a == b || a.Equal(b)
}

// put stores the form that was made from own, a copy of s.
func (c *formCache) put(s, own *shape.Shape, f *form) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.forms == nil {
		c.forms = map[any]*kept{}
	}
	k := &kept{f, own, c.round}
	c.forms[identity(s)], c.forms[identity(own)] = k, k
}

// begin starts the round of a model that needs n forms.
func (c *formCache) begin(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.round++
	c.forget(2 * (spareForms + 2*n))
	c.forgetLarge()
}

// spareForms is how many forms are kept in addition to twice those of the current model: a
// robot, its world, the previous world, and many small ones. spareElements is how many
// triangles, cells and points of forms are kept that no recent model needed, some 500 bytes
// each.
const (
	spareForms    = 1024
	spareElements = 100_000
	recentRounds  = 4 // a model takes up to two
)

// forgetLarge forgets forms that no recent model needed while they are too large together, the
// least recently used first: clouds come and go that differ every time.
func (c *formCache) forgetLarge() {
	rounds := map[uint64]int{} // elements by the last round, each form twice
	total := 0
	for _, k := range c.forms {
		if n := k.elements(); n > 0 && k.last+recentRounds < c.round {
			rounds[k.last] += n
			total += n
		}
	}
	if total <= 2*spareElements {
		return
	}
	oldest := uint64(0) // of the rounds that stay
	for _, round := range slices.Sorted(maps.Keys(rounds)) {
		if total <= 2*spareElements {
			break
		}
		total -= rounds[round]
		oldest = round + 1
	}
	for id, k := range c.forms {
		if k.last < oldest && k.elements() > 0 {
			delete(c.forms, id)
		}
	}
}

// elements is how many triangles, cells and points a form has.
func (k *kept) elements() int { return sizeOf(k.shape) }

// sizeOf is how many triangles, cells and points a shape has.
func sizeOf(s *shape.Shape) int {
	n := len(s.Cells) + len(s.Points)
	if s.Mesh != nil {
		n += len(s.Mesh.Triangles)
	}
	return n
}

// forget keeps the limit most recently used entries, two per form, and those of the same
// round.
func (c *formCache) forget(limit int) {
	if len(c.forms) <= limit {
		return
	}
	lasts := make([]uint64, 0, len(c.forms))
	for _, k := range c.forms {
		lasts = append(lasts, k.last)
	}
	slices.Sort(lasts)
	oldest := lasts[len(lasts)-limit]
	for id, k := range c.forms {
		if k.last < oldest {
			delete(c.forms, id)
		}
	}
}

// form returns the form of a shape, made on first use. It fails once ctx is done, within some
// seconds if the shape is a large mesh.
func (l *Library) form(ctx context.Context, s *shape.Shape) (*form, error) {
	if k := l.forms.get(s); k != nil {
		return k.form, nil
	}
	s, given := s.Clone(), s
	if err := s.Validate(); err != nil {
		return nil, err
	}
	store := l.Store
	if s.Source == "" {
		store = nil // of no file: it may never come again
	}
	f, err := newForm(ctx, s, store)
	if err != nil {
		return nil, err
	}
	if b, is := asBox(&f.core); is && f.exact {
		f.core, f.radius = b, (f.radius+0x1p-50*geom.Norm(b.Center))*(1+roundRadius)
	}
	if f.exact {
		f.rough = f.core
	}
	l.forms.put(given, s, f)
	return f, nil
}

// prepare compiles shapes on all processors, until ctx is done. It leaves errors to form,
// which can name the link or object.
func (l *Library) prepare(ctx context.Context, shapes []*shape.Shape) {
	l.forms.begin(len(shapes))
	var todo []*shape.Shape
	seen := map[any]bool{}
	for _, s := range shapes {
		if s != nil && !seen[identity(s)] && l.forms.get(s) == nil {
			seen[identity(s)] = true
			todo = append(todo, s)
		}
	}
	// The largest first, so that no processor is left with one at the end.
	slices.SortStableFunc(todo, func(a, b *shape.Shape) int { return sizeOf(b) - sizeOf(a) })
	var pool errgroup.Group
	pool.SetLimit(runtime.GOMAXPROCS(0))
	var mu sync.Mutex
	n := 0
	tell := func(s *shape.Shape, done int) {
		mu.Lock()
		defer mu.Unlock()
		n += done
		if l.Progress != nil && done > 0 {
			l.Progress(n, len(todo), nameOf(s))
		}
		progress.Tell(ctx, progress.Step{What: "building hulls and hierarchies", Done: int64(n), Total: int64(len(todo)), Unit: "shapes", Note: nameOf(s)})
	}
	for _, s := range todo {
		if ctx.Err() != nil {
			break
		}
		pool.Go(func() error {
			tell(s, 0) // a large mesh takes seconds
			_, _ = l.form(ctx, s)
			tell(s, 1)
			return nil
		})
	}
	_ = pool.Wait() // no function fails
}

// nameOf describes a shape.
func nameOf(s *shape.Shape) string {
	if s.Source != "" {
		return s.Source
	}
	return s.Kind.String()
}
