package dynamic_test

import (
	"encoding/binary"
	"encoding/json"
	"io/fs"
	"math"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/msgs/cdr"
	"github.com/firstcontact-ros/firstcontact/msgs/dynamic"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/std"
	"github.com/firstcontact-ros/firstcontact/msgs/trajectorymsgs"
)

func known(t testing.TB, name string) *dynamic.Type {
	t.Helper()
	typ, ok := dynamic.Known(name)
	if !ok || typ.Name() != name {
		t.Fatalf("%s is not known", name)
	}
	return typ
}

func trajectory() *trajectorymsgs.JointTrajectory {
	m := &trajectorymsgs.JointTrajectory{JointNames: []string{"a", `b "2"`}}
	m.Header.FrameID = "base"
	m.Points = make([]trajectorymsgs.JointTrajectoryPoint, 2)
	m.Points[0].Positions = []float64{0, -1.5}
	m.Points[1].Positions = []float64{1e-300, 0.1}
	m.Points[1].Effort = []float64{math.NaN(), math.Inf(-1)}
	m.Points[1].TimeFromStart.Sec = 3
	m.Points[1].TimeFromStart.Nanosec = 5e8
	return m
}

// What the generated codec writes, the definition reads.
func TestDecodesWhatTheGeneratedCodeWrites(t *testing.T) {
	m, err := known(t, "trajectory_msgs/msg/JointTrajectory").Decode(cdr.Marshal(trajectory()))
	if err != nil {
		t.Fatal(err)
	}
	got := m.AppendJSON(nil)
	const want = `{"header":{"stamp":{"sec":0,"nanosec":0},"frame_id":"base"},"joint_names":["a","b \"2\""],"points":[` +
		`{"positions":[0,-1.5],"velocities":[],"accelerations":[],"effort":[],"time_from_start":{"sec":0,"nanosec":0}},` +
		`{"positions":[1e-300,0.1],"velocities":[],"accelerations":[],"effort":["NaN","-Inf"],"time_from_start":{"sec":3,"nanosec":500000000}}]}`
	if string(got) != want || !json.Valid(got) {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if x := m.Get("joint_names").([]string); len(x) != 2 || m.Get("nothing") != nil {
		t.Error(x)
	}
}

// Every definition that comes with the program can be read.
func TestEveryDefinitionIsKnown(t *testing.T) {
	n := 0
	err := fs.WalkDir(std.Files, ".", func(file string, d fs.DirEntry, err error) error {
		if name, ok := strings.CutSuffix(file, ".msg"); ok && err == nil {
			n++
			known(t, name)
		}
		return err
	})
	if err != nil || n < 20 {
		t.Errorf("%d definitions, %v", n, err)
	}
	for _, name := range []string{
		"moveit_msgs/msg/DisplayTrajectory", "moveit_msgs/msg/RobotTrajectory",
		"control_msgs/action/FollowJointTrajectory_SendGoal_Event",
	} {
		known(t, name)
	}
	for _, name := range []string{"", "a", "a/b/c/d", "std_srvs/srv/Empty", "my_msgs/msg/Thing", "../msg/x", "my/action/Other_SendGoal_Event"} {
		if _, ok := dynamic.Known(name); ok {
			t.Errorf("%q is known", name)
		}
	}
}

const two = `# a comment
other_msgs/Inner[] list
bool[2] flags
int8 small
uint64 large
string<=3 short
================================================================================
MSG: other_msgs/Inner
float32 x
builtin_interfaces/Time stamp
`

func le(order binary.AppendByteOrder, values ...any) []byte {
	b := []byte{0, 1, 0, 0}
	if order == binary.AppendByteOrder(binary.BigEndian) {
		b[1] = 0
	}
	for _, v := range values {
		switch v := v.(type) {
		case uint8:
			b = append(b, v)
		case uint32:
			b = order.AppendUint32(b, v)
		case uint64:
			b = order.AppendUint64(b, v)
		}
	}
	return b
}

func body(order binary.AppendByteOrder) []byte {
	return le(order, uint32(1), math.Float32bits(0.5), uint32(7), uint32(9), uint8(1), uint8(0), uint8(0xfe), uint8(0),
		uint32(0), uint64(math.MaxUint64), uint32(3), uint8('h'), uint8('i'), uint8(0))
}

func TestParse(t *testing.T) {
	for _, text := range []string{two, "=========\nMSG: my_msgs/Thing\n" + two, strings.ReplaceAll(two, "\n", "\r\n")} {
		typ, err := dynamic.Parse("my_msgs/msg/Thing", text)
		if err != nil {
			t.Fatal(err)
		}
		for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
			m, err := typ.Decode(body(order))
			if err != nil {
				t.Fatal(err)
			}
			const want = `{"list":[{"x":0.5,"stamp":{"sec":7,"nanosec":9}}],"flags":[true,false],"small":-2,"large":18446744073709551615,"short":"hi"}`
			if got := string(m.AppendJSON(nil)); got != want {
				t.Errorf("got %s", got)
			}
		}
		for n := range len(body(binary.LittleEndian)) {
			if _, err := typ.Decode(body(binary.LittleEndian)[:n]); err == nil {
				t.Errorf("%d bytes are read", n)
			}
		}
	}
}

func TestRefused(t *testing.T) {
	for text, want := range map[string]string{
		"other_msgs/Unknown x": "other_msgs/msg/Unknown, which it uses, is missing",
		"Thing again":          "contains itself",
		"wstring s":            "wide strings",
		"":                     "is not in the text",
		strings.Repeat("========\nMSG: a/B\nint8 x\n", 501): "more than 500",
	} {
		if _, err := dynamic.Parse("my_msgs/msg/Thing", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v", text, err)
		}
	}
	typ, err := dynamic.Parse("my_msgs/msg/Thing", "float64[] x\nstring<=2 s\nint8[<=1] b")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"no header":       {[]byte{0}, "too short"},
		"XCDR2":           {[]byte{0, 7, 0, 0}, "representation 0x0007 is not plain CDR"},
		"a long list":     {le(binary.LittleEndian, uint32(1<<31)), "2147483648 elements of 8 bytes"},
		"a long text":     {le(binary.LittleEndian, uint32(0), uint32(4), uint32(0x00636261), uint32(0)), "exceeds its bound of 2"},
		"a bounded list":  {le(binary.LittleEndian, uint32(0), uint32(1), uint32(0), uint32(2), uint8(1), uint8(2)), "2 elements where the definition allows 1"},
		"more than it is": {append(le(binary.LittleEndian, uint32(0), uint32(1), uint32(0), uint32(0)), make([]byte, 9)...), "definition of this type differs"},
	} {
		if _, err := typ.Decode(c.data); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "my_msgs/msg/Thing") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Events of the service send_goal hold the goal, by the action's own definition or by the
// one that comes with the program.
func TestGoalEvent(t *testing.T) {
	const name = "control_msgs/action/FollowJointTrajectory_SendGoal_Event"
	own, err := dynamic.Parse(name, "trajectory_msgs/JointTrajectory trajectory\n---\nint32 error_code\n---\nstd_msgs/Header header\n")
	if err != nil {
		t.Fatal(err)
	}
	var w cdr.Writer
	w.Reset(nil)
	w.Uint8(1) // the event's info: kind, stamp, client, number
	w.Uint32(5)
	w.Uint32(6)
	for range 16 {
		w.Uint8(9)
	}
	w.Int64(42)
	w.Uint32(1) // one request: the goal's id and the goal
	for range 16 {
		w.Uint8(8)
	}
	trajectory().MarshalCDR(&w)
	w.Uint32(0) // no response
	short := w.Bytes()
	m, err := own.Decode(short)
	if err != nil {
		t.Fatal(err)
	}
	goal := m.Get("request").([]dynamic.Message)[0].Get("goal").(dynamic.Message)
	if n := goal.Get("trajectory").(dynamic.Message).Get("joint_names").([]string); len(n) != 2 {
		t.Error(n)
	}
	if seq := m.Get("info").(dynamic.Message).Get("sequence_number"); seq != int64(42) {
		t.Error(seq)
	}
	if _, err := known(t, name).Decode(short); err == nil {
		t.Error("a goal without tolerances is read by the definition that has them")
	}
}

// FuzzDecode: whatever definition and bytes, the result is an error or valid JSON.
func FuzzDecode(f *testing.F) {
	f.Add("my_msgs/msg/Thing", two, body(binary.LittleEndian))
	f.Add("my_msgs/msg/Thing", two, body(binary.BigEndian))
	f.Add("trajectory_msgs/msg/JointTrajectory", "", cdr.Marshal(trajectory()))
	f.Add("sensor_msgs/msg/JointState", "", cdr.Marshal(&sensormsgs.JointState{Name: []string{"a"}, Position: []float64{1}}))
	f.Add("control_msgs/action/FollowJointTrajectory_SendGoal_Event", "", make([]byte, 100))
	f.Add("a/msg/B", "C[3] x\n======\n=========\nMSG: a/C\nD[4] y\n==========\nMSG: a/D\nstring[] s\nbyte b 1\n", make([]byte, 200))
	f.Fuzz(func(t *testing.T, name, text string, data []byte) {
		typ, ok := dynamic.Known(name)
		if text != "" || !ok {
			var err error
			if typ, err = dynamic.Parse(name, text); err != nil {
				return
			}
		}
		m, err := typ.Decode(data)
		if err != nil {
			if m != nil {
				t.Fatal("an error with a message")
			}
			return
		}
		if out := m.AppendJSON(nil); !json.Valid(out) {
			t.Fatalf("not JSON: %s", out)
		}
	})
}
