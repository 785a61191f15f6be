package msgs_test

import (
	"encoding/binary"
	"math"
	"os"
	"path"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/firstcontact-ros/firstcontact/msgs"
	"github.com/firstcontact-ros/firstcontact/msgs/cdr"
	"github.com/firstcontact-ros/firstcontact/msgs/internal/everykind"
	"github.com/firstcontact-ros/firstcontact/msgs/internal/rosidl"
	"github.com/firstcontact-ros/firstcontact/msgs/rmwddscommon/humble"
)

// The tests of the codec work from the definitions, not from the generated code:
// they walk a definition and the Go value beside it, fill the value at random
// and encode it by the rules of CDR, so that generated code that skips, swaps or
// misaligns a field disagrees.

const everyKind = ""

// allMessages returns a zero value of every type, those of the tests included.
func allMessages() []cdr.Message {
	return append(msgs.All(),
		new(everykind.Everything), new(everykind.Inner), new(everykind.Hollow),
		new(everykind.AskRequest), new(everykind.AskResponse))
}

// forEachMessage runs f as a subtest for every type, or every one of a kind, with
// its definition.
func forEachMessage(t *testing.T, kind string, f func(t *testing.T, def *definition, m cdr.Message)) {
	standard, old := loadDefinitions(t, false), loadDefinitions(t, true)
	for _, m := range allMessages() {
		if kind != everyKind && m.ROSType().Kind != kind {
			continue
		}
		set, name := standard, m.ROSType().ROSName()
		if isHumble(m) {
			set, name = old, name+" of Humble"
		}
		t.Run(name, func(t *testing.T) {
			f(t, &definition{set, definitionOf(t, set, m)}, m)
		})
	}
}

// definition is a message's definition among those it refers to.
type definition struct {
	set     *rosidl.Set
	message *rosidl.Message
}

func isHumble(m cdr.Message) bool {
	return reflect.TypeOf(m).Elem().PkgPath() == reflect.TypeFor[humble.Gid]().PkgPath()
}

func definitionOf(t testing.TB, set *rosidl.Set, m cdr.Message) *rosidl.Message {
	t.Helper()
	info := m.ROSType()
	def := set.Messages[rosidl.Ref{Package: info.Package, Kind: info.Kind, Name: info.Name}]
	if def == nil {
		t.Fatalf("no definition of %s", info.ROSName())
	}
	return def
}

// loadDefinitions reads the definitions, with those of Humble in place of the
// newer ones where old is true.
func loadDefinitions(t testing.TB, old bool) *rosidl.Set {
	t.Helper()
	folders := map[string]string{"firstcontact_msgs": "../ros/firstcontact_msgs", "every_kind": "internal/everykind"}
	parents := []string{"std"}
	if old {
		parents = append(parents, "humble")
	}
	set := rosidl.NewSet()
	load := func(pkg, dir string) {
		if _, err := set.LoadPackage(pkg, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
	}
	for _, parent := range parents {
		entries, err := os.ReadDir(parent)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			load(e.Name(), path.Join(parent, e.Name()))
		}
	}
	for pkg, dir := range folders {
		load(pkg, dir)
	}
	if err := set.Check(); err != nil {
		t.Fatal(err)
	}
	return set
}

// fresh returns a new zero value of m's type.
func fresh(m cdr.Message) cdr.Message {
	return reflect.New(reflect.TypeOf(m).Elem()).Interface().(cdr.Message)
}

// random returns a new value of m's type that keeps the definition's bounds.
func (d *definition) random(t *rapid.T, m cdr.Message) cdr.Message {
	out := fresh(m)
	d.fillMessage(t, d.message, reflect.ValueOf(out).Elem())
	return out
}

func (d *definition) fillMessage(t *rapid.T, m *rosidl.Message, v reflect.Value) {
	if v.NumField() != len(m.Fields) {
		t.Fatalf("%s has %d fields, its Go type %d", m.Ref, len(m.Fields), v.NumField())
	}
	for i, f := range m.Fields {
		d.fillField(t, f.Type, v.Field(i))
	}
}

func (d *definition) fillField(t *rapid.T, typ rosidl.Type, v reflect.Value) {
	element := typ
	element.Collection = rosidl.Single
	switch typ.Collection {
	case rosidl.Single:
		d.fillOne(t, typ, v)
		return
	case rosidl.Sequence:
		v.Set(reflect.MakeSlice(v.Type(), rapid.IntRange(0, 3).Draw(t, "length"), 3))
	case rosidl.BoundedSequence:
		v.Set(reflect.MakeSlice(v.Type(), rapid.IntRange(0, min(typ.Len, 3)).Draw(t, "length"), 3))
	}
	for i := range v.Len() {
		d.fillOne(t, element, v.Index(i))
	}
}

func (d *definition) fillOne(t *rapid.T, typ rosidl.Type, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		d.fillMessage(t, d.set.Messages[typ.Nested], v)
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, "bool"))
	case reflect.String:
		limit := typ.StringBound
		if limit == 0 {
			limit = 32
		}
		s := rapid.StringN(0, min(limit, 8), limit).Draw(t, "string")
		v.SetString(strings.ReplaceAll(s, "\x00", "0")) // C peers end a string at NUL
	case reflect.Float32:
		v.SetFloat(float64(math.Float32frombits(quiet32(rapid.Uint32().Draw(t, "float32")))))
	case reflect.Float64:
		v.SetFloat(math.Float64frombits(rapid.Uint64().Draw(t, "float64")))
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(rapid.Int64().Draw(t, "int") >> (64 - v.Type().Bits()))
	default:
		v.SetUint(rapid.Uint64().Draw(t, "uint") >> (64 - v.Type().Bits()))
	}
}

// quiet32 sets the quiet bit of a NaN: reflection goes through float64, which
// sets it anyway.
func quiet32(bits uint32) uint32 {
	if f := math.Float32frombits(bits); f != f {
		bits |= 1 << 22
	}
	return bits
}

// encode returns the encoding of m with its header, in either byte order.
func (d *definition) encode(m cdr.Message, order binary.AppendByteOrder) []byte {
	e := &encoder{d: d, order: order}
	e.message(d.message, reflect.ValueOf(m).Elem())
	header := []byte{0, 1, 0, 0}
	if order == binary.AppendByteOrder(binary.BigEndian) {
		header[1] = 0
	}
	return append(header, e.body...)
}

type encoder struct {
	d     *definition
	order binary.AppendByteOrder
	body  []byte
}

func (e *encoder) message(m *rosidl.Message, v reflect.Value) {
	if len(m.Fields) == 0 {
		e.body = append(e.body, 0)
	}
	for i, f := range m.Fields {
		if f.Type.Collection == rosidl.Single {
			e.one(f.Type, v.Field(i))
			continue
		}
		if f.Type.Collection != rosidl.Array {
			e.number(4, uint64(v.Field(i).Len()))
		}
		for j := range v.Field(i).Len() {
			e.one(f.Type, v.Field(i).Index(j))
		}
	}
}

func (e *encoder) one(typ rosidl.Type, v reflect.Value) {
	size := typ.Primitive.Size()
	switch typ.Primitive {
	case rosidl.None:
		e.message(e.d.set.Messages[typ.Nested], v)
	case rosidl.String:
		e.number(4, uint64(v.Len()+1))
		e.body = append(append(e.body, v.String()...), 0)
	case rosidl.Bool:
		b := uint64(0)
		if v.Bool() {
			b = 1
		}
		e.number(1, b)
	case rosidl.Float32:
		e.number(size, uint64(math.Float32bits(float32(v.Float()))))
	case rosidl.Float64:
		e.number(size, math.Float64bits(v.Float()))
	case rosidl.Int8, rosidl.Int16, rosidl.Int32, rosidl.Int64:
		e.number(size, uint64(v.Int()))
	default:
		e.number(size, v.Uint())
	}
}

// number writes the lowest size bytes of x at a multiple of size.
func (e *encoder) number(size int, x uint64) {
	for len(e.body)%size != 0 {
		e.body = append(e.body, 0)
	}
	switch size {
	case 1:
		e.body = append(e.body, byte(x))
	case 2:
		e.body = e.order.AppendUint16(e.body, uint16(x))
	case 4:
		e.body = e.order.AppendUint32(e.body, uint32(x))
	case 8:
		e.body = e.order.AppendUint64(e.body, x)
	}
}
