package main

import (
	"strings"

	"github.com/firstcontact-ros/firstcontact/msgs/internal/rosidl"
)

// initialisms are the words that Go writes in capitals.
var initialisms = map[string]bool{"id": true, "gid": true, "uuid": true, "toc": true, "url": true}

// goName turns snake_case or UPPER_CASE into the name of something exported.
func goName(name string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(strings.ToLower(name), "_") {
		switch {
		case word == "":
		case initialisms[word]:
			b.WriteString(strings.ToUpper(word))
		default:
			b.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return b.String()
}

// typeName is the Go type of a message: CheckTrajectory_Request loses its
// underscore.
func typeName(ref rosidl.Ref) string { return strings.ReplaceAll(ref.Name, "_", "") }

// packageName is the Go package of a ROS package: its name without underscores,
// and the shorter fcmsgs for the project's own messages.
func packageName(pkg string) string {
	if pkg == ownPackage {
		return "fcmsgs"
	}
	return strings.ReplaceAll(pkg, "_", "")
}

// fileName is the file of a definition: JointState of kind msg is in
// joint_state_msg.go. The ending keeps it clear of files written by hand, of
// tests and of build constraints.
func fileName(ref rosidl.Ref) string {
	var b strings.Builder
	lower := false // a capital after a small letter starts a word
	for _, c := range ref.Name {
		if upper := c >= 'A' && c <= 'Z'; upper && lower {
			b.WriteByte('_')
			lower = false
		} else {
			lower = !upper
		}
		b.WriteRune(c)
	}
	return strings.ToLower(b.String()) + "_" + ref.Kind + ".go"
}

var goPrimitives = map[rosidl.Primitive]string{
	rosidl.Bool: "bool", rosidl.Byte: "uint8",
	rosidl.Int8: "int8", rosidl.Uint8: "uint8", rosidl.Int16: "int16", rosidl.Uint16: "uint16",
	rosidl.Int32: "int32", rosidl.Uint32: "uint32", rosidl.Int64: "int64", rosidl.Uint64: "uint64",
	rosidl.Float32: "float32", rosidl.Float64: "float64", rosidl.String: "string",
}

// method is the name of the Reader's and Writer's method for a primitive.
func method(p rosidl.Primitive) string { return goName(goPrimitives[p]) }
