package cdr_test

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/msgs/cdr"
)

// value is one value written and read, with its alignment.
type value struct {
	name  string
	align int
	write func(w *cdr.Writer)
	read  func(r *cdr.Reader) bool // whether the value came back
	bytes []byte                   // little endian
}

var values = []value{
	{"bool", 1, func(w *cdr.Writer) { w.Bool(true) }, func(r *cdr.Reader) bool { return r.Bool() }, []byte{1}},
	{"uint8", 1, func(w *cdr.Writer) { w.Uint8(0xfe) }, func(r *cdr.Reader) bool { return r.Uint8() == 0xfe }, []byte{0xfe}},
	{"int8", 1, func(w *cdr.Writer) { w.Int8(-2) }, func(r *cdr.Reader) bool { return r.Int8() == -2 }, []byte{0xfe}},
	{"uint16", 2, func(w *cdr.Writer) { w.Uint16(0x0102) }, func(r *cdr.Reader) bool { return r.Uint16() == 0x0102 }, []byte{2, 1}},
	{"int16", 2, func(w *cdr.Writer) { w.Int16(-2) }, func(r *cdr.Reader) bool { return r.Int16() == -2 }, []byte{0xfe, 0xff}},
	{"uint32", 4, func(w *cdr.Writer) { w.Uint32(0x01020304) }, func(r *cdr.Reader) bool { return r.Uint32() == 0x01020304 }, []byte{4, 3, 2, 1}},
	{"int32", 4, func(w *cdr.Writer) { w.Int32(-2) }, func(r *cdr.Reader) bool { return r.Int32() == -2 }, []byte{0xfe, 0xff, 0xff, 0xff}},
	{"uint64", 8, func(w *cdr.Writer) { w.Uint64(0x0102030405060708) }, func(r *cdr.Reader) bool { return r.Uint64() == 0x0102030405060708 }, []byte{8, 7, 6, 5, 4, 3, 2, 1}},
	{"int64", 8, func(w *cdr.Writer) { w.Int64(-2) }, func(r *cdr.Reader) bool { return r.Int64() == -2 }, []byte{0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}},
	{"float32", 4, func(w *cdr.Writer) { w.Float32(1.5) }, func(r *cdr.Reader) bool { return r.Float32() == 1.5 }, []byte{0, 0, 0xc0, 0x3f}},
	{"float64", 8, func(w *cdr.Writer) { w.Float64(1.5) }, func(r *cdr.Reader) bool { return r.Float64() == 1.5 }, []byte{0, 0, 0, 0, 0, 0, 0xf8, 0x3f}},
	{"length", 4, func(w *cdr.Writer) { w.Len(0) }, func(r *cdr.Reader) bool { return len(cdr.Seq(r, []byte{1}, 1)) == 0 }, []byte{0, 0, 0, 0}},
}

// Each value is written after every number of bytes from 0 to 16, and once more
// into a buffer that already holds some.
func TestAlignment(t *testing.T) {
	for _, v := range values {
		t.Run(v.name, func(t *testing.T) {
			for before := range 17 {
				for _, prefix := range []string{"", "abc"} {
					want := append([]byte(prefix), 0, 1, 0, 0)
					want = append(want, bytes.Repeat([]byte{7}, before)...)
					want = append(want, make([]byte, (v.align-before%v.align)%v.align)...)
					want = append(want, v.bytes...)
					var w cdr.Writer
					w.Reset([]byte(prefix))
					w.Uint8s(bytes.Repeat([]byte{7}, before))
					v.write(&w)
					if got := w.Bytes(); !bytes.Equal(got, want) || w.Err() != nil {
						t.Fatalf("after %d bytes: %x (%v), want %x", before, got, w.Err(), want)
					}
					checkRead(t, v, want[len(prefix):], before)
				}
			}
		})
	}
}

// checkRead reads v after the first bytes of a little-endian encoding, and of
// the same in big-endian order.
func checkRead(t *testing.T, v value, data []byte, before int) {
	t.Helper()
	big := bytes.Clone(data)
	big[1] = 0
	last := big[len(big)-len(v.bytes):]
	for i, j := 0, len(last)-1; i < j; i, j = i+1, j-1 {
		last[i], last[j] = last[j], last[i]
	}
	for _, encoded := range [][]byte{data, big} {
		var r cdr.Reader
		if err := r.Reset(encoded); err != nil {
			t.Fatal(err)
		}
		r.Uint8s(make([]byte, before))
		if !v.read(&r) || r.Close() != nil || r.Remaining() != 0 {
			t.Fatalf("%x after %d bytes: read back wrong (%v, %d bytes left)", encoded, before, r.Err(), r.Remaining())
		}
		if err := r.Reset(encoded[:len(encoded)-1]); err != nil {
			t.Fatal(err)
		}
		r.Uint8s(make([]byte, before))
		v.read(&r)
		if r.Err() == nil {
			t.Fatalf("%x without its last byte reads without an error", encoded)
		}
	}
}

func TestHeaderIsChecked(t *testing.T) {
	cases := []struct {
		name string
		data []byte
		ok   bool
	}{
		{"nothing", nil, false},
		{"short", []byte{0, 1, 0}, false},
		{"plain, big endian", []byte{0, 0, 0, 0}, true},
		{"plain, little endian", []byte{0, 1, 0, 0}, true},
		{"options are padding counts, not data", []byte{0, 1, 0, 3}, true},
		{"parameter list", []byte{0, 3, 0, 0}, false},
		{"XCDR2", []byte{0, 7, 0, 0}, false},
		{"vendor's own", []byte{0x80, 1, 0, 0}, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var r cdr.Reader
			if err := r.Reset(c.data); (err == nil) != c.ok || (r.Err() == nil) != c.ok {
				t.Errorf("%x: %v", c.data, err)
			}
		})
	}
}

func TestStrings(t *testing.T) {
	cases := []struct {
		name string
		body []byte
		want string
		err  string
	}{
		{"empty", []byte{1, 0, 0, 0, 0}, "", ""},
		{"length 0", []byte{0, 0, 0, 0}, "", ""},
		{"text", []byte{3, 0, 0, 0, 'h', 'i', 0}, "hi", ""},
		{"not UTF-8", []byte{2, 0, 0, 0, 0xff, 0}, "\xff", ""},
		{"NUL inside", []byte{4, 0, 0, 0, 'a', 0, 'b', 0}, "a\x00b", ""},
		{"no NUL", []byte{2, 0, 0, 0, 'h', 'i'}, "", "lacks its closing NUL"},
		{"too long for the input", []byte{4, 0, 0, 0, 'h', 'i', 0}, "", "4 elements of at least 1 bytes are declared at byte 4 of the body, where 3 remain"},
		{"too long for the bound", []byte{6, 0, 0, 0, 'h', 'e', 'l', 'l', 'o', 0}, "", "a string of 5 bytes exceeds its bound of 4"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var r cdr.Reader
			if err := r.Reset(append([]byte{0, 1, 0, 0}, c.body...)); err != nil {
				t.Fatal(err)
			}
			got := "before"
			r.BoundedString(&got, 4)
			err := r.Close()
			if c.err == "" && (err != nil || got != c.want) || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
				t.Errorf("%q, %v; want %q, %q", got, err, c.want, c.err)
			}
		})
	}
}

// After an error nothing is read, so that no loop runs on invented lengths.
func TestTheFirstErrorStays(t *testing.T) {
	var r cdr.Reader
	if err := r.Reset([]byte{0, 1, 0, 0, 2, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5}); err != nil {
		t.Fatal(err)
	}
	if r.Bool() {
		t.Error("2 is read as true")
	}
	first := r.Err()
	if first == nil || !strings.Contains(first.Error(), "2 is not a boolean") {
		t.Fatalf("error %v", first)
	}
	text := "before"
	r.String(&text)
	if r.Uint8() != 0 || r.Uint32() != 0 || r.Float64() != 0 || len(cdr.Seq(&r, make([]int, 3), 1)) != 0 || text != "" {
		t.Error("a value is read after the error")
	}
	if r.Err() != first || r.Close() != first {
		t.Errorf("the error became %v", r.Err())
	}
}

func TestSeqKeepsWhatItReuses(t *testing.T) {
	read := func(n byte, s [][]int) [][]int {
		var r cdr.Reader
		if err := r.Reset([]byte{0, 1, 0, 0, n, 0, 0, 0, 0, 0, 0, 0}); err != nil {
			t.Fatal(err)
		}
		return cdr.Seq(&r, s, 1)
	}
	s := [][]int{make([]int, 0, 10), make([]int, 0, 20)}
	if s = read(0, s); len(s) != 0 {
		t.Fatalf("length %d, want 0", len(s))
	}
	if s = read(2, s); len(s) != 2 || cap(s[0]) != 10 || cap(s[1]) != 20 {
		t.Errorf("growing again lost the elements' capacity: %v", s)
	}
	if s = read(4, s); len(s) != 4 || cap(s[0]) != 10 || cap(s[1]) != 20 || s[2] != nil || s[3] != nil {
		t.Errorf("growing further lost the elements' capacity: %v", s)
	}
}

func TestWriterKeepsTheFirstError(t *testing.T) {
	var w cdr.Writer
	w.Reset(nil)
	w.BoundedLen(3, 2)
	w.BoundedString("abc", 2)
	if err := w.Err(); err == nil || !strings.Contains(err.Error(), "sequence of 3") {
		t.Errorf("error %v, want the first", err)
	}
	w.Reset(nil)
	w.BoundedLen(2, 2)
	w.BoundedString("ab", 2)
	if w.Err() != nil {
		t.Errorf("at its bounds: %v", w.Err())
	}
}

func TestNames(t *testing.T) {
	msg := cdr.TypeInfo{Package: "sensor_msgs", Kind: "msg", Name: "JointState"}
	if got := msg.DDSName(); got != "sensor_msgs::msg::dds_::JointState_" {
		t.Error(got)
	}
	if got := msg.ROSName(); got != "sensor_msgs/msg/JointState" {
		t.Error(got)
	}
	request := cdr.TypeInfo{Package: "std_srvs", Kind: "srv", Name: "SetBool_Request"}
	if got := request.DDSName(); got != "std_srvs::srv::dds_::SetBool_Request_" {
		t.Error(got)
	}
	if got := (cdr.ServiceInfo{Package: "std_srvs", Kind: "srv", Name: "SetBool"}).ROSName(); got != "std_srvs/srv/SetBool" {
		t.Error(got)
	}
}

// numbers is a message by hand, so that this package's tests stand alone.
type numbers struct{ values []float64 }

func (*numbers) ROSType() cdr.TypeInfo {
	return cdr.TypeInfo{Package: "test", Kind: "msg", Name: "Numbers"}
}

func (m *numbers) MarshalCDR(w *cdr.Writer) {
	w.BoundedLen(len(m.values), 3)
	w.Float64s(m.values)
}

func (m *numbers) UnmarshalCDR(r *cdr.Reader) error {
	m.values = cdr.BoundedSeq(r, m.values, 8, 3)
	r.Float64s(m.values)
	return r.Err()
}

func TestErrorsNameTheType(t *testing.T) {
	if _, err := cdr.AppendMarshal(nil, &numbers{make([]float64, 4)}); err == nil || !strings.HasPrefix(err.Error(), "test/msg/Numbers: ") {
		t.Errorf("encoding: %v", err)
	}
	err := cdr.Unmarshal([]byte{0, 1, 0, 0, 9, 0, 0, 0}, new(numbers))
	if err == nil || !strings.HasPrefix(err.Error(), "test/msg/Numbers: ") {
		t.Errorf("decoding: %v", err)
	}
	if err := cdr.Unmarshal(make([]byte, 20), new(numbers)); !errors.Is(err, cdr.ErrTrailing) {
		t.Errorf("trailing bytes: %v", err)
	}
	// A failed call must not spoil the next one.
	m := &numbers{[]float64{math.Pi}}
	if err := cdr.Unmarshal(cdr.Marshal(m), new(numbers)); err != nil {
		t.Error(err)
	}
}

func TestRequestTooShortForAnIDIsAnError(t *testing.T) {
	if _, err := cdr.UnmarshalService(cdr.Marshal(&numbers{}), new(numbers)); err == nil {
		t.Error("a body of 4 bytes decodes as a request")
	}
}
