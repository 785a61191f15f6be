package node

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/firstcontact-ros/firstcontact/config"
	"github.com/firstcontact-ros/firstcontact/internal/base/oneline"
	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/rclinterfaces"
	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/node/ros/parameters"
)

// present are the parameters' present values, and what is derived from them for each question.
// Questions use those of the time when they arrive; everything that is made at start uses those
// of the start.
type present struct {
	values config.Values
	ask    question
}

func presentOf(v config.Values) *present { return &present{v, defaults(v)} }

// ask returns a question with the parameters' settings.
func (n *Node) ask() question { return n.live.Load().ask.of(n.distro) }

// take takes the parameters of the start.
func (n *Node) take(g given) {
	n.values, n.overrides = g.values, g.overrides
	n.live.Store(presentOf(n.values))
	n.ros.OverrideQoS(g.overrides)
	for _, note := range g.notes {
		n.ros.Logger().Log(note)
	}
}

// lookForOverrides reports qualities of service that are given for topics that the node does not
// subscribe, and keeps the others. Call it after the topics have been subscribed.
func (n *Node) lookForOverrides() error {
	var errs []error
	var others []string
	unused := n.ros.UnusedQoSOverrides()
	n.overrides = slices.DeleteFunc(n.overrides, func(o *ros.QoSOverride) bool { return slices.Contains(unused, o) })
	for _, o := range unused {
		switch {
		case o.ForMany():
			others = append(others, ros.LogName(o.Name))
		case n.mayHear(o.Topic):
			n.ros.Logger().Warnf("%s has no effect: with its other parameters the node does not subscribe this topic (%s)", ros.LogName(o.Name), o.Source)
		default:
			errs = append(errs, fmt.Errorf("%s: %s: the node does not subscribe this topic: give one that docs/endpoints.md lists, by its full name", o.Source, ros.LogName(o.Name)))
		}
	}
	if len(others) > 0 {
		n.ros.Logger().Warnf("qualities of service that stand below a wildcard and are none of this node's are left to other nodes: %s", oneline.List(others, namesOfOthers))
	}
	return errors.Join(errs...)
}

// mayHear reports whether the node subscribes a topic with some parameters.
func (n *Node) mayHear(topic string) bool {
	for _, name := range []string{"/clock", "/tf", "/tf_static", "robot_description", "robot_description_semantic"} {
		if full, err := n.ros.ResolveTopic(name); err == nil && full == topic {
			return true
		}
	}
	return false
}

// serveParameters offers the parameter services.
func (n *Node) serveParameters() error {
	now := func() builtininterfaces.Time { return builtininterfaces.TimeOf(n.now()) }
	return parameters.Serve(n.ros, parameters.Graph{Now: now, Guard: n.mustNotPanic}, slices.Concat(declared(n.values), n.declaredOverrides()), n.change)
}

// declared describes the parameters that have values, in the terms of ROS.
func declared(v config.Values) (all []parameters.Parameter) {
	values := v.All()
	for _, name := range slices.Sorted(maps.Keys(values)) {
		p, _ := config.Lookup(name)
		all = append(all, parameters.Parameter{Descriptor: descriptorOf(p), Value: values[name]})
	}
	return all
}

// declaredOverrides describes the qualities of service that are in use.
func (n *Node) declaredOverrides() (all []parameters.Parameter) {
	for _, o := range n.overrides {
		d := rclinterfaces.ParameterDescriptor{
			Name: o.Name, Type: rclinterfaces.ParameterTypeParameterString, ReadOnly: true,
			Description: "A policy of the quality of service of the subscription of this topic.", AdditionalConstraints: "read-only because " + whyFixed,
		}
		if _, isDepth := o.Value.(int64); isDepth {
			d.Type = rclinterfaces.ParameterTypeParameterInteger
		}
		all = append(all, parameters.Parameter{Descriptor: d, Value: o.Value})
	}
	return all
}

const whyFixed = "subscriptions are made when the node starts"

// types are the types of parameters in the terms of ROS.
var types = map[config.Type]uint8{
	config.String:      rclinterfaces.ParameterTypeParameterString,
	config.Bool:        rclinterfaces.ParameterTypeParameterBool,
	config.Integer:     rclinterfaces.ParameterTypeParameterInteger,
	config.Double:      rclinterfaces.ParameterTypeParameterDouble,
	config.StringArray: rclinterfaces.ParameterTypeParameterStringArray,
}

func descriptorOf(p config.Parameter) rclinterfaces.ParameterDescriptor {
	d := rclinterfaces.ParameterDescriptor{
		Name: p.Name, Type: types[p.Type], Description: p.Meaning, ReadOnly: p.ReadOnly, AdditionalConstraints: constraintsOf(p),
	}
	switch {
	case p.Min == nil || p.Max == nil:
	case p.Type == config.Double:
		d.FloatingPointRange = []rclinterfaces.FloatingPointRange{{FromValue: *p.Min, ToValue: *p.Max}}
	case p.Type == config.Integer:
		d.IntegerRange = []rclinterfaces.IntegerRange{{FromValue: int64(*p.Min), ToValue: int64(*p.Max), Step: 1}}
	}
	return d
}

// constraintsOf lists what the fields of a descriptor cannot express.
func constraintsOf(p config.Parameter) string {
	var words []string
	if p.Unit != "" {
		words = append(words, "unit: "+p.Unit)
	}
	if r := p.Range(); r != "" {
		words = append(words, r)
	}
	if p.ReadOnly {
		words = append(words, "read-only because "+p.Why())
	}
	return strings.Join(words, "; ")
}

var errChangesRefused = errors.New("parameters.changes is refuse: the parameters keep the values of the start")

// change applies changes of parameters from the graph, all or none, and returns the values
// that hold from now on.
func (n *Node) change(changes map[string]any) (map[string]any, error) {
	before := n.live.Load().values
	if before.String("parameters.changes") == "refuse" {
		return nil, errChangesRefused
	}
	for name := range changes {
		if strings.HasPrefix(name, ros.QoSOverridePrefix) {
			return nil, fmt.Errorf("%s cannot change while the node runs, because %s: give it at start", ros.LogName(name), whyFixed)
		}
	}
	after, err := before.With(changes)
	if err == nil {
		err = checkRanges(after)
	}
	if err != nil {
		return nil, err
	}
	weaker := after.Weakened(before)
	if changed := changedLevels(before, after); len(changed) > 0 {
		was, is, err := n.loader.regrade(after, changed, n.monitor.measured)
		if err != nil {
			return nil, err
		}
		weaker = append(weaker, laxer(before, after, was, is)...)
	}
	n.live.Store(presentOf(after))
	n.tellChanges(before, after, weaker)
	return after.All(), nil
}

// changedLevels lists the parameters of levels that differ.
func changedLevels(before, after config.Values) (names []string) {
	then, now := before.All(), after.All()
	for name := range now {
		if ofLevels(name) && fmt.Sprint(then[name]) != fmt.Sprint(now[name]) {
			names = append(names, name)
		}
	}
	return names
}

// tellChanges logs what has changed: a value that makes answers less strict with a warning.
func (n *Node) tellChanges(before, after config.Values, weaker []string) {
	then, now := before.All(), after.All()
	for _, name := range slices.Sorted(maps.Keys(now)) {
		text := fmt.Sprintf("parameter %s was changed from %v to %v", ros.LogName(name), then[name], now[name])
		switch {
		case slices.Contains(weaker, name):
			n.ros.Logger().Warnf("%s: answers from now on are less strict than before", text)
		case fmt.Sprint(then[name]) != fmt.Sprint(now[name]):
			n.ros.Logger().Infof("%s", text)
		}
	}
}
