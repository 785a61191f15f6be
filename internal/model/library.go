package model

import (
	"runtime"
	"sync"

	"github.com/firstcontact-ros/firstcontact/internal/shape"
)

// Library keeps the compiled shapes, so that a new world or a second robot of
// the same make does not build hierarchies again. It may be shared.
type Library struct{ forms formCache }

// formCache remembers forms by shape, as shapes are immutable and shared.
type formCache struct {
	mu    sync.Mutex
	forms map[any]*form // by *shape.Shape or *mesh.Mesh
}

// identity is what shapes have in common that have one form: links often share
// a mesh between shapes of their own.
func identity(s *shape.Shape) any {
	if s.Kind == shape.Mesh && s.Mesh != nil {
		return s.Mesh
	}
	return s
}

func (c *formCache) of(s *shape.Shape) (*form, error) {
	c.mu.Lock()
	f := c.forms[identity(s)]
	c.mu.Unlock()
	if f != nil {
		return f, nil
	}
	if err := s.Validate(); err != nil {
		return nil, err
	}
	f, err := newForm(s)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.forms == nil {
		c.forms = map[any]*form{}
	}
	c.forms[identity(s)] = f
	return f, nil
}

// prepare compiles shapes on all processors. Errors are left for of to meet
// again, where the link or object that has the shape can be named.
func (c *formCache) prepare(shapes []*shape.Shape) {
	var wg sync.WaitGroup
	work := make(chan *shape.Shape)
	for range min(runtime.GOMAXPROCS(0), len(shapes)) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for s := range work {
				_, _ = c.of(s)
			}
		}()
	}
	seen := map[any]bool{}
	for _, s := range shapes {
		if s != nil && !seen[identity(s)] {
			seen[identity(s)] = true
			work <- s
		}
	}
	close(work)
	wg.Wait()
}
