// Package dynamic decodes messages whose type is known only when the program runs: by the
// definition that a recording carries, or by one that comes with this package.
package dynamic

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/firstcontact-ros/firstcontact/msgs/internal/rosidl"
	"github.com/firstcontact-ros/firstcontact/msgs/std"
)

// definitions are those that nothing but recordings needs; package std has the others.
//
//go:embed definitions
var definitions embed.FS

// Type decodes the messages of one type. It is immutable.
type Type struct {
	name string
	set  *rosidl.Set
	root *rosidl.Message
}

// Name is the type's name as ROS writes it, sensor_msgs/msg/JointState.
func (t *Type) Name() string { return t.name }

// Parse reads a definition in the encoding ros2msg: the text of the type's file, then, each
// after a line of equal signs and a line such as "MSG: std_msgs/Header", the texts of the
// types that it uses. Types that the text leaves out are taken from those that come with
// this package. Of the events of an action's service send_goal, the definition is that of
// the action.
func Parse(name, text string) (*Type, error) {
	p := parser{set: rosidl.NewSet()}
	sections := split(text)
	if len(sections) > maxTypes {
		return nil, fmt.Errorf("%s: its definition has %d types, more than %d", name, len(sections), maxTypes)
	}
	if len(sections) > 0 && sections[0].name == "" {
		sections[0].name = name
	}
	found := false
	for _, s := range sections {
		ref, err := refOf(s.name)
		if err != nil {
			return nil, err
		}
		if s.name == name || ref.String() == name {
			found = true
			if err := p.addRoot(name, s.text); err != nil {
				return nil, err
			}
		} else if err := p.set.Add(ref, s.text); err != nil {
			return nil, err
		}
	}
	if !found {
		return nil, fmt.Errorf("%s: its definition is not in the text that is to define it", name)
	}
	return p.finish(name)
}

// Known returns the type of that name as it is in ROS 2 Humble and later, and false if its
// definition does not come with this package.
func Known(name string) (*Type, bool) {
	p := parser{set: rosidl.NewSet()}
	file := name
	if action, ok := goalEvent(name); ok {
		file = action
	}
	text, ok := shipped(file)
	if !ok || p.addRoot(name, text) != nil {
		return nil, false
	}
	t, err := p.finish(name)
	return t, err == nil
}

// maxTypes is how many types a definition may have; the largest of ROS 2 has some 50.
const maxTypes = 500

// section is one of the definitions in a text.
type section struct{ name, text string }

// split takes a text apart; the name of its first section is empty where none is given.
func split(text string) []section {
	var out []section
	var b strings.Builder
	name, delimited := "", false
	flush := func() {
		if len(out) > 0 || name != "" || strings.TrimSpace(b.String()) != "" {
			out = append(out, section{name, b.String()})
		}
		b.Reset()
	}
	for _, line := range strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n") {
		trimmed := strings.TrimSpace(line)
		kind, of, named := strings.Cut(trimmed, ":")
		switch {
		case len(trimmed) >= 8 && strings.Trim(trimmed, "=") == "":
			flush()
			name, delimited = "", true
		case delimited && named && (kind == "MSG" || kind == "SRV" || kind == "ACTION"):
			name, delimited = strings.TrimSpace(of), false
		default:
			delimited = delimited && trimmed == ""
			b.WriteString(line + "\n")
		}
	}
	flush()
	return out
}

// refOf reads std_msgs/Header or std_msgs/msg/Header.
func refOf(name string) (rosidl.Ref, error) {
	switch parts := strings.Split(name, "/"); len(parts) {
	case 2:
		return rosidl.Ref{Package: parts[0], Kind: "msg", Name: parts[1]}, nil
	case 3:
		return rosidl.Ref{Package: parts[0], Kind: parts[1], Name: parts[2]}, nil
	}
	return rosidl.Ref{}, fmt.Errorf("%q is not the name of a type such as std_msgs/msg/Header", name)
}

// parser collects what a type is made of.
type parser struct {
	set  *rosidl.Set
	root rosidl.Ref
}

// goalEventSuffix ends the name of the type of such events.
const goalEventSuffix = "_SendGoal_Event"

// goalEvent returns the action of the type of events of a service send_goal.
func goalEvent(name string) (action string, ok bool) {
	pkg, rest, ok := strings.Cut(name, "/action/")
	base, event := strings.CutSuffix(rest, goalEventSuffix)
	return pkg + "/action/" + base, ok && event
}

// addRoot adds the definition of the type itself.
func (p *parser) addRoot(name, text string) error {
	if action, ok := goalEvent(name); ok {
		return p.addEvent(action, text)
	}
	ref, err := refOf(name)
	if err != nil {
		return err
	}
	if ref.Kind != "msg" {
		return fmt.Errorf("%s is not a message", name)
	}
	p.root = ref
	return p.set.Add(ref, text)
}

// addEvent adds what ROS makes of an action: its first section is the goal.
func (p *parser) addEvent(action, text string) error {
	ref, err := refOf(action)
	if err != nil {
		return err
	}
	var goal strings.Builder
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) == "---" {
			break
		}
		goal.WriteString(line)
	}
	base := ref.Name
	named := func(suffix string) rosidl.Ref {
		return rosidl.Ref{Package: ref.Package, Kind: "msg", Name: base + suffix}
	}
	p.root = named("SendGoalEvent")
	for _, d := range []struct {
		ref  rosidl.Ref
		text string
	}{
		{named("Goal"), goal.String()},
		{named("SendGoalRequest"), "unique_identifier_msgs/UUID goal_id\n" + base + "Goal goal\n"},
		{named("SendGoalResponse"), "bool accepted\nbuiltin_interfaces/Time stamp\n"},
		{p.root, "service_msgs/ServiceEventInfo info\n" + base + "SendGoalRequest[<=1] request\n" + base + "SendGoalResponse[<=1] response\n"},
	} {
		if err := p.set.Add(d.ref, d.text); err != nil {
			return err
		}
	}
	return nil
}

// finish adds what is used and not defined yet.
func (p *parser) finish(name string) (*Type, error) {
	queue := []rosidl.Ref{p.root}
	seen := map[rosidl.Ref]bool{}
	for len(queue) > 0 {
		ref := queue[0]
		queue = queue[1:]
		if seen[ref] {
			continue
		}
		seen[ref] = true
		if p.set.Messages[ref] == nil {
			text, ok := shipped(ref.String())
			if !ok {
				return nil, fmt.Errorf("%s: the definition of %s, which it uses, is missing", name, ref)
			}
			if err := p.set.Add(ref, text); err != nil {
				return nil, err
			}
		}
		for _, f := range p.set.Messages[ref].Fields {
			if f.Type.Primitive == rosidl.None {
				queue = append(queue, f.Type.Nested)
			}
		}
	}
	if err := p.set.Check(); err != nil {
		return nil, err
	}
	return &Type{name: name, set: p.set, root: p.set.Messages[p.root]}, nil
}

// shipped returns the text of a definition that comes with this package.
func shipped(name string) (string, bool) {
	ref, err := refOf(name)
	if err != nil {
		return "", false
	}
	file := name + "." + ref.Kind
	if text, err := fs.ReadFile(std.Files, file); err == nil {
		return string(text), true
	}
	text, err := fs.ReadFile(definitions, path.Join("definitions", file))
	return string(text), err == nil
}
