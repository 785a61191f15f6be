package parameters

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/rclinterfaces"
)

// Parameter is a parameter that a node has declared.
type Parameter struct {
	// Descriptor holds name, type, text and range.
	Descriptor rclinterfaces.ParameterDescriptor
	// Value is a bool, int64, float64, string, []byte, []bool, []int64, []float64 or []string,
	// of the type that the descriptor names.
	Value any
}

// Options of a Server.
type Options struct {
	// Node is the node's fully qualified name, for events.
	Node string
	// Declared are the node's parameters. No other can be set.
	Declared []Parameter
	// Change applies the changes, values by name, all or none of them, and returns the values
	// that the parameters have afterwards. Names may be undeclared, types wrong; Empty stands
	// for an empty list of any type. Calls are sequential. The error is told to the client.
	Change func(changes map[string]any) (map[string]any, error)
	// Now returns the node's time, for events.
	Now func() builtininterfaces.Time
	// Tell publishes an event about changed parameters. It must not block. Calls are
	// sequential.
	Tell func(*rclinterfaces.ParameterEvent)
}

// Server answers the requests of the parameter services. It is safe for concurrent use.
type Server struct {
	opts  Options
	names []string // in order

	changing sync.Mutex // held while a change is applied
	mu       sync.Mutex // guards what follows
	byName   map[string]Parameter
}

// NewServer returns a server of the declared parameters, whose names must differ.
func NewServer(o Options) *Server {
	s := &Server{opts: o, byName: map[string]Parameter{}}
	for _, p := range o.Declared {
		s.byName[p.Descriptor.Name] = p
	}
	s.names = slices.Sorted(maps.Keys(s.byName))
	return s
}

// get returns a parameter. One that is not declared has the type "not set".
func (s *Server) get(name string) (p Parameter, declared bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p, declared = s.byName[name]
	return p, declared
}

// Introduce tells of all parameters as new ones.
func (s *Server) Introduce() {
	e := s.event()
	for _, name := range s.names {
		p, _ := s.get(name)
		e.NewParameters = append(e.NewParameters, rclinterfaces.Parameter{Name: name, Value: valueOf(p.Value)})
	}
	s.opts.Tell(e)
}

func (s *Server) event() *rclinterfaces.ParameterEvent {
	return &rclinterfaces.ParameterEvent{Stamp: s.opts.Now(), Node: s.opts.Node}
}

// set applies changes, all or none of them, and tells of those that changed a value.
func (s *Server) set(changes []rclinterfaces.Parameter) error {
	given, err := given(changes)
	if err != nil {
		return err
	}
	s.changing.Lock()
	defer s.changing.Unlock()
	after, err := s.opts.Change(given)
	if err != nil {
		return err
	}
	e := s.event()
	s.mu.Lock()
	for _, name := range slices.Sorted(maps.Keys(given)) {
		p, value := s.byName[name], after[name]
		if equal(p.Value, value) {
			continue
		}
		p.Value = value
		s.byName[name] = p
		e.ChangedParameters = append(e.ChangedParameters, rclinterfaces.Parameter{Name: name, Value: valueOf(value)})
	}
	s.mu.Unlock()
	if len(e.ChangedParameters) > 0 {
		s.opts.Tell(e)
	}
	return nil
}

// given returns the values by name.
func given(changes []rclinterfaces.Parameter) (map[string]any, error) {
	values := map[string]any{}
	for _, c := range changes {
		value, err := Value(&c.Value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", short(c.Name), err)
		}
		if _, twice := values[c.Name]; twice {
			return nil, fmt.Errorf("%s is given twice: give one value", short(c.Name))
		}
		values[c.Name] = value
	}
	return values, nil
}
