package peer

import (
	"errors"
	"io"
	"maps"
	"slices"
	"sync"

	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// Endpoints are the open endpoints of a participant, by the number with which the library
// reports their events. The zero value is ready.
type Endpoints[E io.Closer] struct {
	mu     sync.Mutex
	tags   int64
	open   map[int64]E
	closed bool
}

// While calls f while the participant is open, or else returns ros.ErrClosed. Calls of While
// and Add are sequential.
func (s *Endpoints[E]) While(f func() error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return ros.ErrClosed
	}
	return f()
}

// Add adds an endpoint that create makes under a new tag. Find returns it from its first
// event on. leave takes it out again.
func (s *Endpoints[E]) Add(e E, create func(tag int64, leave func()) error) error {
	return s.While(func() error {
		s.tags++
		tag := s.tags
		if err := create(tag, func() { s.remove(tag) }); err != nil {
			return err
		}
		if s.open == nil {
			s.open = map[int64]E{}
		}
		s.open[tag] = e
		return nil
	})
}

func (s *Endpoints[E]) remove(tag int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, tag)
}

// Find returns the open endpoint with a tag.
func (s *Endpoints[E]) Find(tag int64) (e E, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, ok = s.open[tag]
	return e, ok
}

// Close closes all endpoints, and keeps new ones from being added.
func (s *Endpoints[E]) Close() error {
	s.mu.Lock()
	s.closed = true
	open := slices.Collect(maps.Values(s.open))
	s.mu.Unlock()
	var errs []error
	for _, e := range open {
		errs = append(errs, e.Close())
	}
	return errors.Join(errs...)
}
