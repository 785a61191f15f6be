//go:build cyclone

package soak

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/motion/motionfile"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
)

const (
	shared = "../../../shared/"
	robot  = shared + "robots/g1/g1.urdf"
	clips  = shared + "scenes/g1_moves/"
	rate   = 60 // rows per second
)

// TestSoak sends motion capture of the G1 at 60 Hz to the node, which runs as a
// process of its own, and checks that
//
//   - each motion from one measured state to the next was judged, in an unbroken
//     chain, and none was lost on the way there or back,
//   - no state after the first is UNKNOWN,
//   - no answer came after the next input, but for what a busy machine did to this
//     process too,
//   - where FCL is asked, it sees the same pairs touch and the same distances.
//
// One clip is played by default, all 25, some 11 minutes, with
// FIRSTCONTACT_SOAK=1. The one clip is played among other tests, on whatever
// machine: there, one answer in twenty may be late; it must still be given.
func TestSoak(t *testing.T) {
	names, busy := []string{"B_HandsUp.csv"}, 0.05
	if switches.Soak.On() {
		names, busy = allClips(t), 0
	}
	clips := readClips(t, names)
	s := &soak{peer: startNode(t), busy: busy}
	s.startOracle(t, clips[0].joints)
	for i, c := range clips {
		t.Run(names[i], func(t *testing.T) { s.clip(t, c) })
	}
	s.tell(t)
}

// soak is what all clips have in common.
type soak struct {
	busy float64 // part of the answers that may be late because of other work
	*peer
	judges // FCL, and what it said

	ways, late, stalls int
	compute, latency   []float64 // s
	levels             [5]int
}

// afterStall is how many answers may come late for each time that this process was
// woken late: what stops the one stops the other too, and a node that was stopped
// has several rows to catch up with. On a quiet machine there is no excuse.
const afterStall = 3

// clip is a recorded motion.
type clip struct {
	joints []string
	rows   [][]float64
}

func (s *soak) clip(t *testing.T, c clip) {
	got, stalls := s.play(t, c.joints, c.rows)
	s.checkChain(t, got)
	first, last := got[0], got[len(got)-1]
	late := int(last.AnswersLate - first.AnswersLate)
	if late > afterStall*stalls+int(s.busy*float64(len(c.rows))) {
		t.Errorf("%d answers came after the next input; this process was late %d times", late, stalls)
	}
	var compute, latency []float64
	for _, a := range got[1:] {
		compute, latency = append(compute, a.ComputeTime), append(latency, a.latency)
		s.levels[a.Level]++
	}
	t.Logf("%d rows, %d states: computing %s; from row to state %s; %d late, %d stalls of this process", len(c.rows), len(got), spread(compute), spread(latency), late, stalls)
	s.ways += last.row - first.row
	s.late, s.stalls = s.late+late, s.stalls+stalls
	s.compute, s.latency = append(s.compute, compute...), append(s.latency, latency...)
	s.compare(t, s.rows, got)
}

func (s *soak) tell(t *testing.T) {
	t.Logf("%d motions judged, none not; %d late, %d stalls", s.ways, s.late, s.stalls)
	t.Logf("levels: %d free, %d warn, %d stop, %d collision", s.levels[1], s.levels[2], s.levels[3], s.levels[4])
	t.Logf("computing %s; from row to state %s", spread(s.compute), spread(s.latency))
	t.Log(s.judges.String())
}

// spread tells the median, the 99th percentile and the largest of times in s.
func spread(x []float64) string {
	if len(x) == 0 {
		return "nothing"
	}
	x = slices.Sorted(slices.Values(x))
	n := len(x)
	return fmt.Sprintf("p50 %.2f, p99 %.2f, max %.2f ms", 1e3*x[n/2], 1e3*x[n*99/100], 1e3*x[n-1])
}

func allClips(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob(clips + "*.csv")
	if err != nil || len(paths) == 0 {
		t.Skip("the clips are not there: ", clips)
	}
	names := make([]string, len(paths))
	for i, path := range paths {
		names[i] = filepath.Base(path)
	}
	return names
}

func readClips(t *testing.T, names []string) (all []clip) {
	t.Helper()
	text, err := os.ReadFile(clips + "format.json")
	if err != nil {
		t.Skip("the clips are not there: ", err)
	}
	var format struct{ Columns []string }
	if err := json.Unmarshal(text, &format); err != nil {
		t.Fatal(err)
	}
	columns := slices.Clone(format.Columns)
	for i, name := range columns {
		if strings.HasPrefix(name, "root_") {
			columns[i] = "_"
		}
	}
	for _, name := range names {
		loaded, err := motionfile.Load(clips+name, motionfile.Options{Joints: columns, Rate: rate})
		if err != nil {
			t.Fatal(err)
		}
		m := loaded[0].Motion
		c := clip{joints: m.Joints, rows: [][]float64{m.At(m.Pieces[0].Start)}}
		for i := range m.Pieces {
			c.rows = append(c.rows, lastOf(m, i))
		}
		all = append(all, c)
	}
	return all
}

// lastOf returns the positions at the end of a piece, as the file has them.
func lastOf(m *motion.Motion, piece int) []float64 {
	q := make([]float64, len(m.Joints))
	for j, ctrl := range m.Pieces[piece].Ctrl {
		q[j] = ctrl[len(ctrl)-1]
	}
	return q
}

// checkChain checks that every way from one row to the next was judged: each state
// begins where the one before ended, and the counts are those of the rows.
func (s *soak) checkChain(t *testing.T, got []answer) {
	t.Helper()
	for i, a := range got[1:] {
		before := got[i]
		if a.row < 0 || a.Level == fcmsgs.CollisionStateUnknown {
			t.Fatalf("after row %d comes level %d: %s", before.row, a.Level, a.Reason)
		}
		if a.MotionStart != before.Header.Stamp {
			t.Errorf("the motion to row %d starts at %v, not at row %d before it", a.row, a.MotionStart, before.row)
		}
		if checked := a.MotionsChecked - before.MotionsChecked; checked != uint64(a.row-before.row) || a.MotionsUnchecked != before.MotionsUnchecked {
			t.Errorf("of the ways from row %d to row %d, %d were judged and %d not", before.row, a.row, checked, a.MotionsUnchecked-before.MotionsUnchecked)
		}
	}
}
