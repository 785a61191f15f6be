package rosbag_test

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/motion/motionfile"
	"github.com/firstcontact-ros/firstcontact/premise"
	"github.com/firstcontact-ros/firstcontact/rosbag"
)

// The files in testdata are written by lab/rosbags: 101 joint states in 2 s, in which the
// shoulder turns by 0.5 rad and the elbow by -1; three trajectories of 1.5 s, a plan, and text.
const (
	states    = "/joint_states"
	commands  = "/arm_controller/joint_trajectory"
	plan      = "/display_planned_path"
	talk      = "/chatter"
	startNano = 1_700_000_000_000_000_000
)

func load(t *testing.T, path string, topics ...string) []motionfile.Loaded {
	t.Helper()
	loaded, err := rosbag.Load(context.Background(), path, rosbag.Options{Topics: topics})
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range loaded {
		if err := l.Motion.Validate(); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
	}
	return loaded
}

// checkStates holds a motion to the one that was recorded.
func checkStates(t *testing.T, name string, m *motion.Motion) {
	t.Helper()
	if !slices.Equal(m.Joints, []string{"shoulder", "elbow"}) || math.Abs(m.Duration()-2) > 1e-12 {
		t.Fatalf("%s: %v, %v s", name, m.Joints, m.Duration())
	}
	for _, at := range []float64{0, 0.31, 1, 2} {
		c := m.At(at)
		if math.Abs(c[0]-0.25*at) > 1e-9 || math.Abs(c[1]+0.5*at) > 1e-9 {
			t.Errorf("%s: at %g s: %v", name, at, c)
		}
	}
	for _, g := range m.Gaps {
		if g.IsGap() {
			t.Errorf("%s: %s", name, g.String())
		}
	}
}

var everything = []string{
	"unchunked.mcap", "unchunked_bare.mcap", "chunked.mcap", "zstd.mcap", "zstd_bare.mcap", "lz4.mcap",
	"humble.db3", "jazzy.db3", "wal.db3",
}

func TestJointStates(t *testing.T) {
	for _, name := range everything {
		path := filepath.Join("testdata", name)
		if !rosbag.Is(context.Background(), path) {
			t.Errorf("%s is no recording", name)
		}
		got := load(t, path, states)
		if len(got) != 1 || got[0].Motion.ID != name+":"+states {
			t.Fatalf("%s: %d motions, %s", name, len(got), got[0].Motion.ID)
		}
		checkStates(t, name, got[0].Motion)
	}
	checkStates(t, "big endian", load(t, "testdata/big_endian.mcap")[0].Motion)
	if got := load(t, "testdata/states.mcap"); len(got) != 1 { // the only topic
		t.Error(len(got))
	}
}

func TestTrajectories(t *testing.T) {
	for _, name := range everything {
		path := filepath.Join("testdata", name)
		got := load(t, path, commands, "display_planned_path")
		if len(got) != 4 {
			t.Fatalf("%s: %d motions", name, len(got))
		}
		for i, goal := range []float64{0.2, 0.4, 0.6, 0.8} {
			want := fmt.Sprintf("%s:%s#%d", name, commands, i+1)
			if i == 3 {
				want = name + ":" + plan + "#1"
			}
			m := got[i].Motion
			if m.ID != want || m.Duration() != 1.5 || !m.KeepTurns {
				t.Errorf("%s: %s takes %g s; want %s", name, m.ID, m.Duration(), want)
			}
			if at := m.At(1.5); math.Abs(at[0]-goal) > 1e-12 || math.Abs(at[1]+2*goal) > 1e-12 {
				t.Errorf("%s: ends at %v", m.ID, at)
			}
		}
	}
}

// copyTo puts a file of testdata, changed, into a folder.
func copyTo(t *testing.T, folder, name, as string, change func([]byte) []byte) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		data = change(data)
	}
	path := filepath.Join(folder, as)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func cutShort(l motionfile.Loaded) bool {
	return slices.ContainsFunc(l.Motion.Gaps, func(p premise.Premise) bool {
		return p.Kind == premise.RecordingGap && (strings.Contains(p.Detail, "cut short") || p.Value == 0) && p.Open()
	})
}

// What a killed recorder leaves is read, and is no whole recording.
func TestCutShort(t *testing.T) {
	half := func(b []byte) []byte { return b[:len(b)/2] }
	for _, name := range []string{"zstd.mcap", "unchunked.mcap", "lz4.mcap"} {
		path := copyTo(t, t.TempDir(), name, "bag.mcap", half)
		got := load(t, path, states)
		if len(got) != 1 || !cutShort(got[0]) {
			t.Fatalf("%s: no gap: %v", name, got[0].Motion.Gaps)
		}
		if d := got[0].Motion.Duration(); d <= 0.1 || d >= 2 {
			t.Errorf("%s: %g s", name, d)
		}
		got = load(t, path, commands)
		if len(got) == 0 || len(got) > 3 || !strings.Contains(strings.Join(got[0].Warnings, "\n"), "cut short") {
			t.Errorf("%s: %d trajectories, %v", name, len(got), got[0].Warnings)
		}
	}
}

const metadata = `rosbag2_bagfile_information:
  version: 9
  storage_identifier: mcap
  duration: {nanoseconds: 2000000000}
  starting_time: {nanoseconds_since_epoch: 1700000000003000000}
  message_count: %[1]d
  topics_with_message_count:
    - topic_metadata:
        name: /joint_states
        type: sensor_msgs/msg/JointState
        serialization_format: cdr
        offered_qos_profiles: ""
        type_description_hash: RIHS01_a13ee3a330e346c9d87b5aa18d24e11690752bd33a0350f11c5882bc9179260e
      message_count: %[1]d
  compression_format: ""
  compression_mode: ""
  relative_file_paths:
%[2]s  files: []
  custom_data: ~
  ros_distro: jazzy
`

func writeMetadata(t *testing.T, folder string, messages int, files ...string) {
	t.Helper()
	list := ""
	for _, f := range files {
		list += "    - " + f + "\n"
	}
	if err := os.WriteFile(filepath.Join(folder, "metadata.yaml"), fmt.Appendf(nil, metadata, messages, list), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestFolder(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "run")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	copyTo(t, folder, "part_0.mcap", "run_2.mcap", nil)
	copyTo(t, folder, "part_1.mcap", "run_10.mcap", nil)
	got := load(t, folder)
	if len(got) != 1 || !cutShort(got[0]) || math.Abs(got[0].Motion.Duration()-2) > 1e-12 {
		t.Fatalf("without metadata: %v", got[0].Motion.Gaps)
	}
	writeMetadata(t, folder, 101, "run/run_2.mcap", "run_10.mcap")
	if !rosbag.Is(context.Background(), folder) {
		t.Error("the folder is no recording")
	}
	got = load(t, folder)
	if len(got) != 1 || got[0].Motion.ID != "run:"+states {
		t.Fatalf("%d motions, %s", len(got), got[0].Motion.ID)
	}
	checkStates(t, "folder", got[0].Motion)

	// A part that is cut short is so in the middle of the recording.
	copyTo(t, folder, "part_0.mcap", "run_3.mcap", func(b []byte) []byte { return b[:len(b)/2] })
	writeMetadata(t, folder, 101, "run_3.mcap", "run_10.mcap")
	if got = load(t, folder); !slices.ContainsFunc(got[0].Motion.Gaps, func(p premise.Premise) bool {
		return p.Kind == premise.RecordingGap && p.Value == 0
	}) {
		t.Errorf("a part is cut short: %v", got[0].Motion.Gaps)
	}

	writeMetadata(t, folder, 101, "run_2.mcap", "run_10.mcap")
	if got = load(t, folder); !slices.ContainsFunc(got[0].Motion.Gaps, func(p premise.Premise) bool {
		return p.Kind == premise.RecordingGap && strings.Contains(p.Detail, "run_3.mcap, which metadata.yaml does not list")
	}) {
		t.Errorf("a file that the metadata does not list: %v", got[0].Motion.Gaps)
	}
	if err := os.Remove(filepath.Join(folder, "run_3.mcap")); err != nil {
		t.Fatal(err)
	}

	writeMetadata(t, folder, 102, "run_2.mcap", "run_10.mcap")
	if got = load(t, folder); !cutShort(got[0]) {
		t.Error("a message that the metadata tells of is missing, and nothing says so")
	}
	writeMetadata(t, folder, 101, "run_2.mcap", "../run_10.mcap", "run_11.mcap")
	if _, err := rosbag.Load(context.Background(), folder, rosbag.Options{}); err == nil || !strings.Contains(err.Error(), "run_11.mcap, which is not in the folder") {
		t.Error(err)
	}
}

// Files that are compressed as a whole, as ros2 bag record --compression-mode file writes
// them.
func TestCompressedFile(t *testing.T) {
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	compress := func(b []byte) []byte { return z.EncodeAll(b, nil) }
	copyTo(t, folder, "part_0.mcap", "run_0.mcap.zstd", compress)
	copyTo(t, folder, "part_1.mcap", "run_1.mcap.zstd", compress)
	writeMetadata(t, folder, 101, "run_0.mcap.zstd", "run_1.mcap.zstd")
	checkStates(t, "compressed", load(t, folder)[0].Motion)
	for _, n := range []int{1, 2, 4, 8} {
		path := copyTo(t, folder, "zstd.mcap", "cut.mcap.zstd", func(b []byte) []byte {
			b = compress(b)
			return b[:len(b)*n/9]
		})
		got, err := rosbag.Load(context.Background(), path, rosbag.Options{Topics: []string{states}})
		if err == nil && !cutShort(got[0]) {
			t.Errorf("%d/9 of a file are taken for all", n)
		}
	}
}

func TestRefused(t *testing.T) {
	folder := t.TempDir()
	damaged := func(b []byte) []byte {
		b[len(b)/3] ^= 1
		return b
	}
	for name, c := range map[string]struct {
		path   string
		topics []string
		want   []string
	}{
		"several topics":  {"testdata/zstd.mcap", nil, []string{"3 topics with motions", "--topic", commands + " (trajectory_msgs/msg/JointTrajectory, 3 messages in 1.0 s); ", states + " (sensor_msgs/msg/JointState, 101 messages in 2.0 s)"}},
		"no motion":       {"testdata/no_motion.mcap", nil, []string{"no topic with a motion", talk + " (std_msgs/msg/String, 3 messages"}},
		"another topic":   {"testdata/zstd.mcap", []string{"/joint_state"}, []string{"no messages of a topic /joint_state", "did you mean", states}},
		"text":            {"testdata/zstd.mcap", []string{talk}, []string{"std_msgs/msg/String, which is no motion"}},
		"JSON":            {"testdata/json.mcap", nil, []string{`topic /joint_states: its messages are encoded as "json"`}},
		"XCDR2":           {"testdata/xcdr2.mcap", nil, []string{"/joint_states: message 1", "representation 0x0007"}},
		"a wrong byte":    {copyTo(t, folder, "zstd.mcap", "damaged.mcap", damaged), []string{states}, []string{"damaged.mcap", "is damaged"}},
		"another file":    {"rosbag_test.go", nil, []string{"rosbag_test.go: is no recording"}},
		"an empty folder": {t.TempDir(), nil, []string{"without metadata.yaml"}},
		"no file":         {"testdata/none.mcap", nil, []string{"no such file"}},
	} {
		_, err := rosbag.Load(context.Background(), c.path, rosbag.Options{Topics: c.topics})
		for _, want := range c.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v\nwant %s", name, err, want)
			}
		}
	}
	another := t.TempDir()
	if err := os.WriteFile(filepath.Join(another, "metadata.yaml"), []byte("about: this folder\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"rosbag_test.go", "testdata/none.mcap", t.TempDir(), another, "/dev/null"} {
		if rosbag.Is(context.Background(), path) {
			t.Errorf("%s is a recording", path)
		}
	}
}

func TestContext(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := rosbag.Load(ctx, "testdata/zstd.mcap", rosbag.Options{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Databases that are compressed as a whole, and messages that are compressed one by one, as
// ros2 bag record --compression-mode file and message write them.
func TestCompressedDatabase(t *testing.T) {
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	path := copyTo(t, folder, "humble.db3", "run_0.db3.zstd", func(b []byte) []byte { return z.EncodeAll(b, nil) })
	checkStates(t, "compressed", load(t, path, states)[0].Motion)
	path = copyTo(t, folder, "jazzy.db3", "run_1.db3", nil)
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query("SELECT id, data FROM messages")
	if err != nil {
		t.Fatal(err)
	}
	packed := map[int][]byte{}
	for rows.Next() {
		var id int
		var data []byte
		if err := rows.Scan(&id, &data); err != nil {
			t.Fatal(err)
		}
		packed[id] = z.EncodeAll(data, nil)
	}
	for id, data := range packed {
		if _, err := db.Exec("UPDATE messages SET data = ? WHERE id = ?", data, id); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	checkStates(t, "messages compressed", load(t, path, states)[0].Motion)
}

// What is not in the database yet is not taken for absent.
func TestDatabaseInUse(t *testing.T) {
	for _, suffix := range []string{"-wal", "-journal"} {
		path := copyTo(t, t.TempDir(), "wal.db3", "bag.db3", nil)
		if err := os.WriteFile(path+suffix, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := rosbag.Load(context.Background(), path, rosbag.Options{Topics: []string{states}}); err == nil || !strings.Contains(err.Error(), "end the recorder") {
			t.Errorf("%s: %v", suffix, err)
		}
	}
}

// Each goal is one motion, although client and server both tell of it, by the action's own
// definition or by the one that comes with the program.
func TestGoals(t *testing.T) {
	for name, defined := range map[string]bool{"goals.mcap": true, "goals_undefined.mcap": false} {
		got := load(t, filepath.Join("testdata", name))
		if len(got) != 2 {
			t.Fatalf("%s: %d motions", name, len(got))
		}
		for i, l := range got {
			if !strings.HasSuffix(l.Motion.ID, fmt.Sprintf("/_service_event#%d", i+1)) || l.Motion.Duration() != 1.5 {
				t.Errorf("%s takes %g s", l.Motion.ID, l.Motion.Duration())
			}
			if at := l.Motion.At(1.5); math.Abs(at[0]-0.1*float64(i+1)) > 1e-12 {
				t.Errorf("%s ends at %v", l.Motion.ID, at)
			}
			if said := strings.Contains(strings.Join(l.Warnings, "\n"), "does not define"); said == defined {
				t.Errorf("%s: %v", l.Motion.ID, l.Warnings)
			}
		}
	}
}

// A trajectory without points stops a controller: it is no motion, keeps its number, and is
// told of.
func TestStop(t *testing.T) {
	got := load(t, "testdata/stop.mcap")
	if len(got) != 2 || got[1].Motion.ID != "stop.mcap:"+commands+"#3" {
		t.Fatalf("%d motions", len(got))
	}
	for _, l := range got {
		if !strings.Contains(strings.Join(l.Warnings, "\n"), "are no motions: 1") {
			t.Error(l.Warnings)
		}
	}
}

// A file that has lost a part in its middle, but has a summary, is not whole.
func TestLostChunk(t *testing.T) {
	path := copyTo(t, t.TempDir(), "states.mcap", "lost.mcap", func(b []byte) []byte {
		var chunks [][2]int // where they begin and end
		for at := 8; at < len(b)-8; {
			end := at + 9 + int(binary.LittleEndian.Uint64(b[at+1:]))
			switch b[at] {
			case 6:
				chunks = append(chunks, [2]int{at, end})
			case 15: // the sum of all data is not given
				copy(b[at+9:], []byte{0, 0, 0, 0})
			case 2: // where the summary begins
				from := binary.LittleEndian.Uint64(b[at+9:])
				lost := chunks[1][1] - chunks[1][0]
				binary.LittleEndian.PutUint64(b[at+9:], from-uint64(lost))
			}
			at = end
		}
		for i := range 4 { // nor the summary's
			b[len(b)-8-1-i] = 0
		}
		return slices.Delete(b, chunks[1][0], chunks[1][1])
	})
	got := load(t, path)
	if !cutShort(got[0]) || !strings.Contains(got[0].Motion.Gaps[len(got[0].Motion.Gaps)-1].Detail, "the summary tells of 101 messages") {
		t.Errorf("%v", got[0].Motion.Gaps)
	}
}
