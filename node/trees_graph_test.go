package node

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/rclinterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// Two nodes watch the same robot, one by sphere trees, one pair by pair. Their logs tell how,
// their states of the same configurations agree to the tolerance of distances, and a sphere
// tree costs no message.
func testTrees(t *testing.T, g *graph) {
	d, urdf, srdf := openBush(t, 14)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "bush.urdf"), urdf)
	write(t, filepath.Join(dir, "bush.srdf"), srdf)
	start := func(method string) (*robot, *inbox[rclinterfaces.Log]) {
		r := g.newRobot(t, "-p", "robot_description_file:="+filepath.Join(dir, "bush.urdf"), "-p", "robot_description_semantic_file:="+filepath.Join(dir, "bush.srdf"),
			"-p", "self.method:="+method, "-p", "joint_state_timeout:=2.0")
		r.waitModel()
		return r, collect[rclinterfaces.Log](r, "/rosout", ros.QoS{Durability: ros.TransientLocal, Depth: 1000})
	}
	spheres, log := start("spheres")
	plain, _ := start("spacetime")
	for _, words := range []string{"self pairs by spheres (as asked for): sphere trees of 14 links", "self pairs by spacetime (as asked for)"} {
		log.wait(0, "that says "+words, func(m *rclinterfaces.Log) bool {
			return strings.Contains(m.Msg, words) && (!strings.Contains(words, "trees") || strings.Contains(m.Msg, "hulls of the ranges of motion of"))
		})
	}

	names := jointsOf(urdf)
	l := limitsFor(t, nil)
	var times [2][]float64
	position := make([]float64, len(names))
	counts := map[uint8]int{}
	for k := range 60 {
		far := []float64{0.02, 0.1, 0.4}[k%3]
		for i := range position {
			position[i] = d.In(-far, far)
		}
		m := stamped(&sensormsgs.JointState{Name: names, Position: slices.Clone(position)}, 0)
		var states [2]*fcmsgs.CollisionState
		for i, r := range []*robot{spheres, plain} {
			from := r.states.count()
			if err := r.joints.Publish(m); err != nil {
				t.Fatal(err)
			}
			states[i], _ = r.states.wait(from, "of a configuration", func(s *fcmsgs.CollisionState) bool {
				return s.Header.Stamp == m.Header.Stamp && s.Level != fcmsgs.CollisionStateUnknown
			})
			times[i] = append(times[i], states[i].ComputeTime)
		}
		x, y := states[0], states[1]
		counts[x.Level]++
		if x.Level != y.Level && !borderline(l, x, y) {
			t.Errorf("configuration %d: level %d (%s) by spheres, %d (%s) by spacetime", k, x.Level, x.Reason, y.Level, y.Reason)
		}
		if !x.Stopped && !y.Stopped && !agreeWithin(x.SelfLower, x.SelfUpper, y.SelfLower, y.SelfUpper) {
			t.Errorf("configuration %d: self %g to %g by spheres, %g to %g by spacetime", k, x.SelfLower, x.SelfUpper, y.SelfLower, y.SelfUpper)
		}
		if x.MotionStart == (builtininterfaces.Time{}) {
			t.Error("a state of no motion")
		}
	}
	if len(counts) < 3 {
		t.Errorf("levels %v: too few", counts)
	}
	for i := range times {
		slices.Sort(times[i])
	}
	t.Logf("levels %v; a state took %.3f ms by spheres, %.3f ms by spacetime (medians of %d, ways to them included)", counts, 1e3*times[0][30], 1e3*times[1][30], len(times[0]))
}

// openBush is a bush whose links are apart at zero, and some of them close.
func openBush(t *testing.T, links int) (d chance.Dice, robot, srdf string) {
	for i := range uint64(1000) {
		d = chance.New(151, i)
		robot, srdf = bush(d, links)
		given := map[string]any{"robot_description": robot, "robot_description_semantic": srdf}
		w := watch(treeModel(t, "spacetime", given))
		if s := judgeAt(w, make([]float64, len(w.model.joints))); s.Level == levelFree && s.DistanceUpper < 0.12 {
			return d, robot, srdf
		}
	}
	t.Fatal("no bush is free")
	return d, "", ""
}

// jointsOf names the joints of a bush.
func jointsOf(urdf string) (names []string) {
	for i := 1; strings.Contains(urdf, fmt.Sprintf(`joint name="j%d"`, i)); i++ {
		names = append(names, fmt.Sprint("j", i))
	}
	return names
}

func TestTrees(t *testing.T) {
	t.Parallel()
	testTrees(t, inMemory())
}
