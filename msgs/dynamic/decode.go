package dynamic

import (
	"fmt"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/msgs/cdr"
	"github.com/firstcontact-ros/firstcontact/msgs/internal/rosidl"
)

// Message is the value of a message: its fields in the order of the definition.
type Message []Field

// Field is a field's name and value: a bool, int64, uint64, float64, string, Message, or a
// list of one of these. Numbers of 32 bits and fewer are values of 64 bits.
type Field struct {
	Name  string
	Value any
}

// Get returns the value of a field, or nil if the message has no such field.
func (m Message) Get(name string) any {
	for _, f := range m {
		if f.Name == name {
			return f.Value
		}
	}
	return nil
}

// Decode reads a message in CDR, header first. Nothing of data is kept. An error says what
// does not fit the definition.
func (t *Type) Decode(data []byte) (Message, error) {
	d := decoder{set: t.set, left: limit.DocumentValues}
	err := d.r.Reset(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.name, err)
	}
	m := d.message(t.root)
	if d.err == nil {
		d.err = d.r.Close()
	}
	if d.err != nil {
		return nil, fmt.Errorf("%s: %w", t.name, d.err)
	}
	return m, nil
}

type decoder struct {
	r    cdr.Reader
	set  *rosidl.Set
	left int // values that may still be read
	err  error
}

// spend counts values before they are allocated.
func (d *decoder) spend(n int) bool {
	if d.err == nil {
		d.err = d.r.Err()
	}
	if d.err == nil && n > d.left {
		d.err = fmt.Errorf("holds more than %d values, the limit", limit.DocumentValues)
	}
	if d.err != nil {
		return false
	}
	d.left -= n
	return true
}

func (d *decoder) message(m *rosidl.Message) Message {
	if len(m.Fields) == 0 { // an empty message has a byte that says nothing
		d.r.Uint8()
		return Message{}
	}
	if !d.spend(len(m.Fields)) {
		return nil
	}
	out := make(Message, len(m.Fields))
	for i, f := range m.Fields {
		out[i] = Field{f.Name, d.value(f.Type)}
		if d.err != nil {
			return nil
		}
	}
	return out
}

// value reads a field.
func (d *decoder) value(t rosidl.Type) any {
	if t.Collection == rosidl.Single {
		return d.single(t)
	}
	n := d.count(t)
	if !d.spend(n) {
		return nil
	}
	switch t.Primitive {
	case rosidl.Bool:
		return list(d, n, (*cdr.Reader).Bool)
	case rosidl.Float64:
		return list(d, n, (*cdr.Reader).Float64)
	case rosidl.Float32:
		return list(d, n, func(r *cdr.Reader) float64 { return float64(r.Float32()) })
	case rosidl.String:
		return list(d, n, func(*cdr.Reader) string { return d.text(t) })
	case rosidl.None:
		nested := d.set.Messages[t.Nested]
		return list(d, n, func(*cdr.Reader) Message { return d.message(nested) })
	case rosidl.Int8, rosidl.Int16, rosidl.Int32, rosidl.Int64:
		return list(d, n, func(*cdr.Reader) int64 { return d.signed(t.Primitive) })
	}
	return list(d, n, func(*cdr.Reader) uint64 { return d.unsigned(t.Primitive) })
}

// count reads how many elements a list has.
func (d *decoder) count(t rosidl.Type) int {
	element := t
	element.Collection = rosidl.Single
	size := max(1, d.set.MinSize(element))
	n := uint64(t.Len)
	if t.Collection != rosidl.Array {
		n = uint64(d.r.Uint32())
	}
	switch {
	case d.r.Err() != nil:
		d.err = d.r.Err()
	case t.Collection == rosidl.BoundedSequence && n > uint64(t.Len):
		d.err = fmt.Errorf("a list has %d elements where the definition allows %d", n, t.Len)
	case n > uint64(d.r.Remaining()/size):
		d.err = fmt.Errorf("a list has %d elements of %d bytes where %d bytes are left", n, size, d.r.Remaining())
	}
	if d.err != nil {
		return 0
	}
	return int(n)
}

// list reads n elements.
func list[T any](d *decoder, n int, read func(*cdr.Reader) T) []T {
	out := make([]T, n)
	for i := range out {
		out[i] = read(&d.r)
		if d.err != nil {
			return nil
		}
	}
	d.spend(0)
	return out
}

func (d *decoder) single(t rosidl.Type) any {
	switch t.Primitive {
	case rosidl.None:
		return d.message(d.set.Messages[t.Nested])
	case rosidl.Bool:
		return d.r.Bool()
	case rosidl.Float32:
		return float64(d.r.Float32())
	case rosidl.Float64:
		return d.r.Float64()
	case rosidl.String:
		return d.text(t)
	case rosidl.Int8, rosidl.Int16, rosidl.Int32, rosidl.Int64:
		return d.signed(t.Primitive)
	}
	return d.unsigned(t.Primitive)
}

func (d *decoder) text(t rosidl.Type) string {
	var s string
	if t.StringBound > 0 {
		d.r.BoundedString(&s, t.StringBound)
	} else {
		d.r.String(&s)
	}
	return s
}

func (d *decoder) signed(p rosidl.Primitive) int64 {
	switch p {
	case rosidl.Int8:
		return int64(d.r.Int8())
	case rosidl.Int16:
		return int64(d.r.Int16())
	case rosidl.Int32:
		return int64(d.r.Int32())
	}
	return d.r.Int64()
}

func (d *decoder) unsigned(p rosidl.Primitive) uint64 {
	switch p {
	case rosidl.Uint16:
		return uint64(d.r.Uint16())
	case rosidl.Uint32:
		return uint64(d.r.Uint32())
	case rosidl.Uint64:
		return d.r.Uint64()
	}
	return uint64(d.r.Uint8())
}
