package msgs_test

import (
	"encoding/binary"
	"math"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/firstcontact-ros/firstcontact/msgs/cdr"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/internal/everykind"
	"github.com/firstcontact-ros/firstcontact/msgs/rmwddscommon"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/trajectorymsgs"
)

// What a decoded message may hold for each byte of the encoding. A slice header
// of 24 bytes stands for a length of 4 on the wire, which makes 6; one list may
// be cut short inside another, which doubles it; append rounds up to its next
// size class, at most by a quarter.
const (
	memoryPerByte = 6 * 2 * 5 / 4
	memoryBesides = 4096
)

// held returns the bytes that v's slices and strings hold, at any depth.
func held(v reflect.Value) int {
	n := 0
	switch v.Kind() {
	case reflect.String:
		n = v.Len()
	case reflect.Struct:
		for i := range v.NumField() {
			n += held(v.Field(i))
		}
	case reflect.Slice:
		n = v.Cap() * int(v.Type().Elem().Size())
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			n += held(v.Index(i))
		}
	}
	return n
}

func checkHeld(t interface{ Fatalf(string, ...any) }, m cdr.Message, data []byte) {
	if got, limit := held(reflect.ValueOf(m).Elem()), memoryPerByte*len(data)+memoryBesides; got > limit {
		t.Fatalf("%s: %d bytes of input made the message hold %d bytes (limit %d): %x",
			m.ROSType().ROSName(), len(data), got, limit, data)
	}
}

func TestHostileLengthsHoldLittle(t *testing.T) {
	forEachMessage(t, everyKind, func(t *testing.T, d *definition, m cdr.Message) {
		rapid.Check(t, func(t *rapid.T) {
			data := d.encode(d.random(t, m), binary.LittleEndian)
			data = append(data, make([]byte, 4)...)
			at := 4 * rapid.IntRange(1, len(data)/4-1).Draw(t, "word")
			binary.LittleEndian.PutUint32(data[at:], rapid.OneOf(rapid.Uint32(), rapid.Just(uint32(math.MaxUint32))).Draw(t, "length"))
			into := fresh(m)
			_ = cdr.Unmarshal(data, into) // an error or not, by where the word lies
			checkHeld(t, into, data)
		})
	})
}

// body returns an encoding of the given words.
func body(words ...uint32) []byte {
	data := []byte{0, 1, 0, 0}
	for _, w := range words {
		data = binary.LittleEndian.AppendUint32(data, w)
	}
	return data
}

func TestHostileLengthsAllocateLittle(t *testing.T) {
	const all = math.MaxUint32
	header := []uint32{0, 0, 1, 0} // sec, nanosec, empty frame_id padded to a word
	cases := []struct {
		name  string
		into  cdr.Message
		words []uint32
		want  string // part of the error
	}{
		{"names", new(sensormsgs.JointState), []uint32{all, 0, 0}, "4294967295 elements of at least 4 bytes"},
		{"one name too many", new(sensormsgs.JointState), []uint32{3, 0, 0}, "3 elements of at least 4 bytes"},
		{"a name", new(sensormsgs.JointState), []uint32{1, all}, "4294967295 elements of at least 1 bytes"},
		{"positions", new(sensormsgs.JointState), []uint32{0, 1 << 29, 0, 0}, "536870912 elements of at least 8 bytes"},
		{"points", new(trajectorymsgs.JointTrajectory), []uint32{0, 1 << 28, 0, 0}, "268435456 elements of at least 24 bytes"},
		{"positions of a point", new(trajectorymsgs.JointTrajectory), []uint32{0, 1, all, 0, 0, 0, 0, 0}, "4294967295 elements of at least 8 bytes"},
		{"closest pairs", new(fcmsgs.CollisionState), []uint32{all}, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			data := body(append(header, c.words...)...)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			err := cdr.Unmarshal(data, c.into)
			runtime.ReadMemStats(&after)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
			if got := after.TotalAlloc - before.TotalAlloc; got > 1<<16 {
				t.Errorf("%d bytes of input allocated %d", len(data), got)
			}
		})
	}
}

func TestBoundsHoldOnBothSides(t *testing.T) {
	cases := []struct {
		name    string
		message cdr.Message
		want    string
	}{
		{"string", &everykind.Inner{Short: "123456"}, "a string of 6 bytes exceeds its bound of 5"},
		{"string in a list", &everykind.Everything{Briefs: []string{"", "123456"}}, "a string of 6 bytes"},
		{"numbers", &everykind.Everything{Few: make([]float64, 3)}, "a sequence of 3 elements exceeds its bound of 2"},
		{"messages", &everykind.Everything{FewNested: make([]everykind.Inner, 3)}, "a sequence of 3 elements"},
		{"node name", &rmwddscommon.NodeEntitiesInfo{NodeName: strings.Repeat("n", 257)}, "a string of 257 bytes exceeds its bound of 256"},
	}
	set := loadDefinitions(t, false)
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			kept := []byte("kept")
			data, err := cdr.AppendMarshal(kept, c.message)
			if err == nil || !strings.Contains(err.Error(), c.want) || string(data) != "kept" {
				t.Errorf("encoding gives %q and the error %v, want one with %q", data, err, c.want)
			}
			if data := cdr.Marshal(c.message); data != nil {
				t.Errorf("Marshal gives %d bytes", len(data))
			}
			d := &definition{set, definitionOf(t, set, c.message)}
			err = cdr.Unmarshal(d.encode(c.message, binary.LittleEndian), fresh(c.message))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("decoding gives the error %v, want one with %q", err, c.want)
			}
		})
	}
}

// jointState is what a robot of seven joints sends, up to 1000 times a second.
func jointState() *sensormsgs.JointState {
	m := &sensormsgs.JointState{Position: make([]float64, 7), Velocity: make([]float64, 7), Effort: make([]float64, 7)}
	m.Header.FrameID = "base_link"
	for i := range 7 {
		m.Name = append(m.Name, "panda_joint"+string(rune('1'+i)))
		m.Position[i] = float64(i)
	}
	return m
}

func trajectory() *trajectorymsgs.JointTrajectory {
	m := &trajectorymsgs.JointTrajectory{JointNames: jointState().Name}
	for range 50 {
		m.Points = append(m.Points, trajectorymsgs.JointTrajectoryPoint{Positions: make([]float64, 7), Velocities: make([]float64, 7)})
	}
	return m
}

func collisionState() *fcmsgs.CollisionState {
	pair := fcmsgs.BodyPair{A: fcmsgs.Body{Name: "panda_hand"}, B: fcmsgs.Body{Kind: fcmsgs.BodyWorldObject, Name: "table"}}
	return &fcmsgs.CollisionState{
		Level: fcmsgs.CollisionStateWarn, Reason: "panda_hand and table", Pair: pair,
		ClosestPairs: []fcmsgs.PairDistance{{Pair: pair}, {Pair: pair}}, MissingJoints: []string{"a", "b"},
	}
}

func TestSteadyStateAllocatesNothing(t *testing.T) {
	for _, m := range []cdr.Message{jointState(), trajectory(), collisionState()} {
		t.Run(m.ROSType().Name, func(t *testing.T) {
			data, into := cdr.Marshal(m), fresh(m)
			if n := testing.AllocsPerRun(100, func() {
				if err := cdr.Unmarshal(data, into); err != nil {
					t.Error(err)
				}
			}); n != 0 {
				t.Errorf("decoding allocates %v times", n)
			}
			buffer := make([]byte, 0, len(data))
			if n := testing.AllocsPerRun(100, func() {
				if _, err := cdr.AppendMarshal(buffer, m); err != nil {
					t.Error(err)
				}
			}); n != 0 {
				t.Errorf("encoding allocates %v times", n)
			}
		})
	}
}

func BenchmarkUnmarshalJointState(b *testing.B) {
	data, into := cdr.Marshal(jointState()), new(sensormsgs.JointState)
	b.ReportAllocs()
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if err := cdr.Unmarshal(data, into); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAppendMarshalJointState(b *testing.B) {
	m := jointState()
	buffer := cdr.Marshal(m)
	b.ReportAllocs()
	b.SetBytes(int64(len(buffer)))
	for b.Loop() {
		if _, err := cdr.AppendMarshal(buffer[:0], m); err != nil {
			b.Fatal(err)
		}
	}
}
