// Package definition gives the definitions of messages, services and actions, so that other
// programs can read what they hold: as recordings carry them, and as the ROS service
// get_type_description does.
package definition

import (
	"fmt"
	"io/fs"
	"strings"

	"github.com/firstcontact-ros/firstcontact/msgs/internal/rosidl"
	"github.com/firstcontact-ros/firstcontact/msgs/std"
	firstcontactmsgs "github.com/firstcontact-ros/firstcontact/ros/firstcontact_msgs"
)

// Encoding is how MCAP files name the form of [Of].
const Encoding = "ros2msg"

// separator stands in front of each definition that another one needs.
var separator = "\n" + strings.Repeat("=", 80) + "\nMSG: "

// Of returns the definition of a message, such as "sensor_msgs/msg/JointState", followed by those
// of the messages in it, each once: the form that rosbag2 calls ros2msg.
func Of(name string) (string, error) {
	ref, err := parse(name)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	text, err := source(ref)
	if err != nil {
		return "", err
	}
	b.WriteString(text)
	seen := map[rosidl.Ref]bool{ref: true}
	for queue := []rosidl.Ref{ref}; len(queue) > 0; queue = queue[1:] {
		needed, err := nested(queue[0])
		if err != nil {
			return "", err
		}
		for _, n := range needed {
			if seen[n] {
				continue
			}
			seen[n] = true
			queue = append(queue, n)
			text, err := source(n)
			if err != nil {
				return "", fmt.Errorf("%s: %w", name, err)
			}
			b.WriteString(separator + n.Package + "/" + n.Name + "\n" + text)
		}
	}
	return b.String(), nil
}

func parse(name string) (rosidl.Ref, error) {
	parts := strings.Split(name, "/")
	if len(parts) != 3 || parts[1] != "msg" {
		return rosidl.Ref{}, fmt.Errorf("%q is no message: give PACKAGE/msg/NAME", name)
	}
	return rosidl.Ref{Package: parts[0], Kind: parts[1], Name: parts[2]}, nil
}

// source returns the text of one definition.
func source(ref rosidl.Ref) (string, error) {
	var files fs.FS = std.Files
	file := ref.Package + "/msg/" + ref.Name + ".msg"
	if ref.Package == "firstcontact_msgs" {
		files, file = firstcontactmsgs.Files, "msg/"+ref.Name+".msg"
	}
	text, err := fs.ReadFile(files, file)
	if err != nil {
		return "", fmt.Errorf("there is no definition of %s", ref)
	}
	return string(text), nil
}

// nested lists the messages that are the types of fields, in order.
func nested(ref rosidl.Ref) ([]rosidl.Ref, error) {
	text, err := source(ref)
	if err != nil {
		return nil, err
	}
	m, err := rosidl.ParseMessage(ref, text)
	if err != nil {
		return nil, err
	}
	var out []rosidl.Ref
	for _, f := range m.Fields {
		if f.Type.Primitive == rosidl.None {
			out = append(out, f.Type.Nested)
		}
	}
	return out, nil
}
