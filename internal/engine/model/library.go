package model

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"weak"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/base/cache"

	"golang.org/x/sync/errgroup"
)

// Library keeps the compiled shapes, so that a new world or a second robot of
// the same make does not build hierarchies again. It may be shared. The zero value
// is ready.
type Library struct {
	// Store keeps on disk what is costly to find about shapes; nil keeps nothing.
	Store *cache.Store
	// Progress is told of every shape that New has compiled: how many of how many,
	// and what it was made of. Calls follow one another; nil is not called.
	Progress func(done, total int, what string)

	forms formCache
}

// formCache remembers the forms of shapes. A form is made of a copy of its shape, and
// used again only where the shape still equals the copy: who gave the shape may change
// it. Worlds that come and go would fill the cache: what has not been asked for longest
// is forgotten.
type formCache struct {
	mu    sync.Mutex
	forms map[any]*kept // by identity, of the shape that was given and of its copy
	round uint64        // grows with every model
}

// kept is a form, the copy it was made of, and the last round in which it was asked for.
type kept struct {
	form  *form
	shape *shape.Shape
	last  uint64
}

// identity tells under what a shape is kept: links often share a mesh between shapes
// of their own. It does not keep the shape in memory.
func identity(s *shape.Shape) any {
	if s.Kind == shape.Mesh && s.Mesh != nil {
		return weak.Make(s.Mesh)
	}
	return weak.Make(s)
}

// get returns what is kept of a shape that has not changed, else nil.
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

// sameForm reports whether two shapes under one identity have one form.
func sameForm(a, b *shape.Shape) bool {
	if a.Kind == shape.Mesh && b.Kind == shape.Mesh && a.Mesh != nil && b.Mesh != nil {
		return a.Mesh.Equal(b.Mesh)
	}
	return a == b || a.Equal(b)
}

// put keeps the form that was made of own, a copy of s.
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
}

// spareForms is how many forms are kept besides twice those of the model at hand: a
// robot, its world, the world before, and many small ones.
const spareForms = 1024

// forget leaves the limit entries, two a form, that were asked for last, and those of
// their round.
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

// form returns the form of a shape, made the first time it is asked for. It fails once ctx
// is done, within some seconds if the shape is a large mesh.
func (l *Library) form(ctx context.Context, s *shape.Shape) (*form, error) {
	if k := l.forms.get(s); k != nil {
		return k.form, nil
	}
	s, given := s.Clone(), s
	if err := s.Validate(); err != nil {
		return nil, err
	}
	f, err := newForm(ctx, s, l.Store)
	if err != nil {
		return nil, err
	}
	if b, is := asBox(&f.core); is && f.exact {
		f.core, f.radius = b, (f.radius+0x1p-50*geom.Norm(b.Center))*(1+roundRadius)
	}
	if f.rough = f.core; !f.exact {
		f.rough = rough(&f.core)
	}
	l.forms.put(given, s, f)
	return f, nil
}

// prepare compiles shapes on all processors, as long as ctx is not done. Errors are left
// for form to meet again, where the link or object that has the shape can be named.
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
	var pool errgroup.Group
	pool.SetLimit(runtime.GOMAXPROCS(0))
	var mu sync.Mutex
	n := 0
	for _, s := range todo {
		if ctx.Err() != nil {
			break
		}
		pool.Go(func() error {
			_, _ = l.form(ctx, s)
			mu.Lock()
			defer mu.Unlock()
			n++
			if l.Progress != nil {
				l.Progress(n, len(todo), nameOf(s))
			}
			return nil
		})
	}
	_ = pool.Wait() // no function fails
}

// nameOf says what a shape is, for people.
func nameOf(s *shape.Shape) string {
	if s.Source != "" {
		return s.Source
	}
	return s.Kind.String()
}
