package node

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/firstcontact-ros/firstcontact/config"
	"github.com/firstcontact-ros/firstcontact/internal/base/oneline"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// namesOfOthers is how many names of parameters are told that are left to other nodes.
const namesOfOthers = 12

// given are the parameters that a command line and its files give.
type given struct {
	values    config.Values
	overrides []*ros.QoSOverride
	notes     []ros.Note // what to say about them
}

// settings sorts the given parameters.
//
// Parameter files of bring-ups set parameters for all nodes at once, below a key with a
// wildcard. There an unknown name belongs to another node, unless it looks like a misspelt one
// of this node's. Elsewhere an unknown name is an error.
func settings(params map[string]ros.Parameter) (given, error) {
	var s sorting
	s.own = map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(params)) {
		s.sort(params[name])
	}
	if len(s.errs) > 0 {
		return given{}, errors.Join(s.errs...)
	}
	if len(s.others) > 0 {
		s.note(ros.LevelWarn, "parameters that stand below a wildcard and are none of this node's are left to other nodes: %s", oneline.List(s.others, namesOfOthers))
	}
	v, err := config.Validate(s.own)
	return given{v, s.overrides, s.notes}, err
}

// sorting collects the given parameters by what they are.
type sorting struct {
	own       map[string]any
	others    []string
	overrides []*ros.QoSOverride
	notes     []ros.Note
	errs      []error
}

func (s *sorting) note(level ros.Level, format string, args ...any) {
	s.notes = append(s.notes, ros.Note{Level: level, Text: fmt.Sprintf(format, args...)})
}

func (s *sorting) fail(p ros.Parameter, err error) {
	s.errs = append(s.errs, fmt.Errorf("%s: %w", p.Source, err))
}

func (s *sorting) sort(p ros.Parameter) {
	_, known := config.Lookup(p.Name)
	switch {
	case known:
		s.take(p)
	case strings.HasPrefix(p.Name, ros.QoSOverridePrefix):
		s.qos(p)
	case !p.ForMany():
		s.fail(p, config.Unknown(p.Name))
	default:
		s.foreign(p)
	}
}

// qos takes a parameter that replaces a policy of a topic.
func (s *sorting) qos(p ros.Parameter) {
	switch o, err := ros.ParseQoSOverride(p); {
	case err == nil:
		s.overrides = append(s.overrides, o)
	case p.ForMany():
		s.others = append(s.others, ros.LogName(p.Name))
	default:
		s.fail(p, err)
	}
}

// foreign takes an unknown parameter that is set for many nodes.
func (s *sorting) foreign(p ros.Parameter) {
	if best := config.Near(p.Name); best != "" && misspelt(p.Name, best) {
		s.fail(p, fmt.Errorf("there is no parameter %s: did you mean %s? If it is another node's, put it below that node's name instead of %s", p.Name, best, p.Node))
		return
	}
	s.others = append(s.others, ros.LogName(p.Name))
}

// misspelt reports whether a name is so near to a known one that it is hardly another node's.
func misspelt(name, known string) bool {
	return config.Edits(name, known) <= 1+len(known)/8
}

// take takes a parameter that the node has.
func (s *sorting) take(p ros.Parameter) {
	if err := config.Check(p.Name, p.Value); err != nil {
		s.fail(p, err)
		return
	}
	s.own[p.Name] = p.Value
}
