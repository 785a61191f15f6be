// Package rosidl reads ROS 2 interface definitions (.msg, .srv and .action) and
// computes their type hashes. Generated code does not need it.
package rosidl

import "strings"

// Primitive is a type that no other is made of. The zero value is none: the type
// is that of another message.
type Primitive uint8

// The primitive types. Their order gives the number that REP-2011 assigns, see
// TypeID.
const (
	None Primitive = iota
	Bool
	Byte
	Int8
	Uint8 // also char, which ROS 2 takes for an unsigned byte
	Int16
	Uint16
	Int32
	Uint32
	Int64
	Uint64
	Float32
	Float64
	String
)

var primitives = map[string]Primitive{
	"bool": Bool, "byte": Byte, "char": Uint8,
	"int8": Int8, "uint8": Uint8, "int16": Int16, "uint16": Uint16,
	"int32": Int32, "uint32": Uint32, "int64": Int64, "uint64": Uint64,
	"float32": Float32, "float64": Float64, "string": String,
}

// Size is the number of bytes that a value takes on the wire; for a string, of
// its length alone.
func (p Primitive) Size() int {
	switch p {
	case Bool, Byte, Int8, Uint8:
		return 1
	case Int16, Uint16:
		return 2
	case Int32, Uint32, Float32, String:
		return 4
	case Int64, Uint64, Float64:
		return 8
	}
	return 0
}

// Ref names a message: sensor_msgs, msg, JointState.
type Ref struct{ Package, Kind, Name string }

// String returns the name as ROS writes it, sensor_msgs/msg/JointState.
func (r Ref) String() string { return r.Package + "/" + r.Kind + "/" + r.Name }

// Compare orders names as strings.
func (r Ref) Compare(o Ref) int { return strings.Compare(r.String(), o.String()) }

// Collection tells how many values a field holds.
type Collection uint8

// The collections.
const (
	Single          Collection = iota
	Array                      // exactly Type.Len values
	BoundedSequence            // at most Type.Len values
	Sequence                   // any number of values
)

// Type is the type of a field or constant.
type Type struct {
	Primitive   Primitive
	StringBound int // greatest length of a string in bytes; 0: unbounded
	Nested      Ref // where Primitive is None
	Collection  Collection
	Len         int
}

// Field is one member of a message. Default is nil, or a bool, int64, uint64,
// float64 or string, or a []any of them for an array or sequence.
type Field struct {
	Name    string
	Type    Type
	Default any
	Doc     []string // the lines of its comment
}

// Constant is a named value; Value is a bool, int64, uint64, float64 or string.
type Constant struct {
	Name  string
	Type  Type
	Value any
	Doc   []string
}

// Message is the definition of one structure.
type Message struct {
	Ref
	Doc       []string
	Constants []Constant
	Fields    []Field
}

// Service is a pair of messages, Name_Request and Name_Response.
type Service struct {
	Ref
	Doc               []string
	Request, Response *Message
}
