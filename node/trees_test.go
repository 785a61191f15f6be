package node

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/node/internal/jointstates"
)

// bush is a random robot of boxes, balls and cylinders on chains that branch. Its links
// touch their neighbours, which its SRDF allows.
func bush(d chance.Dice, links int) (robot, srdf string) {
	var b, s strings.Builder
	b.WriteString(`<robot name="bush"><link name="l0"><collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link>`)
	s.WriteString(`<robot name="bush">`)
	for i := 1; i < links; i++ {
		parent := i - 1
		if d.IntN(4) == 0 {
			parent = d.IntN(i)
		}
		size := d.In(0.03, 0.09)
		shape := [...]string{
			fmt.Sprintf(`<sphere radius="%g"/>`, size), fmt.Sprintf(`<box size="%g %g %g"/>`, size, 2*size, 1.5*size), fmt.Sprintf(`<cylinder radius="%g" length="%g"/>`, size, 3*size),
		}[d.IntN(3)]
		kind := [...]string{"revolute", "revolute", "continuous", "prismatic"}[d.IntN(4)]
		fmt.Fprintf(&b, `<link name="l%d"><collision><origin xyz="%g 0 0"/><geometry>%s</geometry></collision></link>`, i, d.In(0, 0.1), shape)
		fmt.Fprintf(&b, `<joint name="j%d" type="%s"><parent link="l%d"/><child link="l%[1]d"/><origin xyz="%[4]g %g %g" rpy="%g %g 0"/><axis xyz="%g %g 1"/><limit lower="-1.5" upper="1.5" effort="1" velocity="1"/></joint>`,
			i, kind, parent, d.In(0.05, 0.3), d.In(-0.2, 0.2), d.In(0, 0.2), d.In(-1, 1), d.In(-1, 1), d.In(-1, 1), d.In(-1, 1))
		fmt.Fprintf(&s, `<disable_collisions link1="l%d" link2="l%d" reason="Adjacent"/>`, parent, i)
	}
	return b.String() + `</robot>`, s.String() + `</robot>`
}

// treeModel is a robot watched by a method.
func treeModel(t testing.TB, method string, given map[string]any) *model {
	t.Helper()
	all := map[string]any{"self.method": method}
	for name, value := range given {
		all[name] = value
	}
	m, err := modelOf(t, all)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// compared counts states that were compared.
type compared struct{ states, close, touching, stopped, beyond int }

// compareMethods judges configurations by both methods: the distances agree to the
// tolerance, alpha of SPHERE, and so do the levels, but for distances that are at a
// threshold within it.
func compareMethods(t *testing.T, d chance.Dice, name string, given map[string]any, configurations int, c *compared) {
	t.Helper()
	spheres, plain := treeModel(t, "spheres", given), treeModel(t, "spacetime", given)
	if spheres.trees.Method.String() != "spheres" || plain.trees.Method.String() != "spacetime" || spheres.noTrees != nil {
		t.Fatalf("%s: %s and %s (%v)", name, spheres.trees.Method, plain.trees.Method, spheres.noTrees)
	}
	a, b := watch(spheres), watch(plain)
	a.limits, b.limits = *limitsFor(t, given), *limitsFor(t, given)
	a.limits.timeout, b.limits.timeout = time.Minute, time.Minute
	position := make([]float64, len(spheres.joints))
	for range configurations {
		far := []float64{1.5, 0.1, 3}[d.IntN(3)]
		if far < 1 { // a step
			for i := range position {
				position[i] += d.In(-far, far)
			}
		} else {
			for i := range position {
				position[i] = d.In(-far, far)
			}
		}
		x, y := judgeAt(a, position), judgeAt(b, position)
		c.states++
		if x.Level != y.Level && !borderline(&a.limits, x, y) {
			t.Errorf("%s at %v: level %d (%s) by spheres, %d (%s) by spacetime", name, position, x.Level, x.Reason, y.Level, y.Reason)
		}
		if x.Stopped || y.Stopped { // at another pair, perhaps, but all bounds hold
			c.stopped++
			if x.DistanceLower > y.DistanceUpper || y.DistanceLower > x.DistanceUpper || x.SelfLower > y.SelfUpper || y.SelfLower > x.SelfUpper {
				t.Errorf("%s at %v: %g to %g by spheres, %g to %g by spacetime; self %g to %g, %g to %g", name, position, x.DistanceLower, x.DistanceUpper, y.DistanceLower, y.DistanceUpper, x.SelfLower, x.SelfUpper, y.SelfLower, y.SelfUpper)
			}
		} else if !agreeWithin(x.DistanceLower, x.DistanceUpper, y.DistanceLower, y.DistanceUpper) || !agreeWithin(x.SelfLower, x.SelfUpper, y.SelfLower, y.SelfUpper) {
			t.Errorf("%s at %v: %g to %g by spheres, %g to %g by spacetime; self %g to %g, %g to %g", name, position, x.DistanceLower, x.DistanceUpper, y.DistanceLower, y.DistanceUpper, x.SelfLower, x.SelfUpper, y.SelfLower, y.SelfUpper)
		}
		switch {
		case x.BeyondMax:
			c.beyond++
		case x.Level == fcmsgs.CollisionStateCollision:
			c.touching++
		default:
			c.close++
		}
	}
}

// judgeAt is the state of one configuration, with nothing known of any before.
func judgeAt(w *watched, position []float64) *fcmsgs.CollisionState {
	s := w.model.stateAt(&jointstates.Sample{Position: position})
	end := &jointstates.Sample{Position: position}
	if _, _, ok := judgeMotions(context.Background(), w.model, way{end}, s, time.Minute); ok {
		w.judgeDistance(context.Background(), w.model, end, s)
	}
	return s
}

// agreeWithin tells whether two intervals are about the same distance: both hold it, and
// neither is wider than the tolerance. Bounds of what is beyond the maximum may differ.
func agreeWithin(lo1, hi1, lo2, hi2 float64) bool {
	const eps = 1e-9
	if lo1 > hi2+eps || lo2 > hi1+eps || math.IsInf(hi1, 1) != math.IsInf(hi2, 1) {
		return false
	}
	return math.IsInf(hi1, 1) || math.Abs(hi1-hi2) <= 2*tolerance*max(hi1, hi2)+eps
}

// borderline tells whether both states are right: a distance is within the tolerance of a
// threshold.
func borderline(l *limits, x, y *fcmsgs.CollisionState) bool {
	for _, limit := range []float64{l.ranges.Min, l.warn, l.ranges.Max} {
		for _, s := range []*fcmsgs.CollisionState{x, y} {
			if math.Abs(s.DistanceUpper-limit) <= 4*tolerance*limit {
				return true
			}
		}
	}
	return false
}

// States judged by sphere trees are those of the default method: random robots, within
// their limits and beyond.
func TestStatesBySpheres(t *testing.T) {
	race.LeaveOut(t)
	var c compared
	for i := range switches.Long.Times(20, 1) {
		d := chance.New(131, uint64(i))
		robot, srdf := bush(d, 6+d.IntN(20))
		path := filepath.Join(t.TempDir(), "scene.yaml")
		write(t, path, fmt.Sprintf(`{frame: l0, objects: [{id: box, type: box, xyz: [%g, 0.6, 0.3], size: [0.2, 0.2, 0.2]}]}`, d.In(-1, 1)))
		given := map[string]any{"robot_description": robot, "robot_description_semantic": srdf, "scene": path, "accept": []string{"implausible"}}
		if i%2 == 0 {
			given["distance_range.min"] = 0.0 // nothing stops, but what touches
		}
		compareMethods(t, d, fmt.Sprint("bush ", i), given, 40, &c)
	}
	t.Logf("%+v", c)
	if c.close < 50 || c.touching < 50 || c.stopped < 20 {
		t.Errorf("%+v: too few", c)
	}
}

// treeRobots are robots beside the repository, with an SRDF or without.
var treeRobots = []string{"panda", "ur5e", "pr2", "kinova_gen3", "g1", "romeo", "atlas", "allegro_hand", "dual_panda", "nextage"}

func treeRobot(t testing.TB, name string) map[string]any {
	t.Helper()
	folder := "../../shared/robots/" + name + "/"
	given := map[string]any{"robot_description_file": folder + name + ".urdf", "accept": []string{"implausible"}}
	if _, err := os.Stat(folder + name + ".urdf"); err != nil {
		t.Skip("no robot ", name, " in ../shared")
	}
	if _, err := os.Stat(folder + name + ".srdf"); err == nil {
		given["robot_description_semantic_file"] = folder + name + ".srdf"
	}
	if name == "g1" || name == "atlas" {
		given["accept"] = []string{"default-pairs", "implausible"}
	}
	return given
}

// The same for real robots; FIRSTCONTACT_LONG=N asks at N times as many configurations.
func TestStatesOfRobotsBySpheres(t *testing.T) {
	race.LeaveOut(t)
	names := treeRobots
	if !switches.Long.Set() {
		names = names[:2]
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			var c compared
			n := switches.Long.Times(20, 1)
			compareMethods(t, chance.New(137, 1), name, treeRobot(t, name), n/2, &c)
			given := treeRobot(t, name)
			given["distance_range.min"] = 0.0 // nothing stops, but what touches
			compareMethods(t, chance.New(137, 2), name, given, n-n/2, &c)
			t.Logf("%s: %+v", name, c)
		})
	}
}

// What is built when the model is loaded is told, and what fails to be built is replaced
// by what needs nothing built.
func TestTreesAreTold(t *testing.T) {
	race.LeaveOut(t)
	d := chance.New(139, 1)
	robot, srdf := bush(d, 30)
	given := map[string]any{"robot_description": robot, "robot_description_semantic": srdf}
	for method, words := range map[string][]string{
		"auto":      {"self pairs by spheres (repeated queries of", "sphere trees of 30 links", "hulls of the ranges of motion of", "pairs proved never to touch; built in", "kB"},
		"spheres":   {"by spheres (as asked for)"},
		"spacetime": {"by spacetime (as asked for)"},
	} {
		m := treeModel(t, method, given)
		for _, w := range words {
			if text := treeWords(&m.trees); !strings.Contains(text, w) {
				t.Errorf("%s: %q lacks %q", method, text, w)
			}
		}
	}
	few := treeModel(t, "auto", railParameters(t, nil))
	if text := treeWords(&few.trees); !strings.Contains(text, "by spacetime (") || !strings.Contains(text, "too few") {
		t.Errorf("of the carts: %q", text)
	}

	m := treeModel(t, "spacetime", given)
	if err := m.growTrees(context.Background(), "spheres", 0); err != nil || m.noTrees == nil || m.trees.Method.String() != "spacetime" {
		t.Errorf("without time: %v, %v, by %s", err, m.noTrees, m.trees.Method)
	}
	if _, err := m.checker.DistanceTracker(limitsFor(t, given).search(m, 1, true)); err != nil {
		t.Errorf("without trees: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := m.growTrees(ctx, "spheres", time.Minute); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

// A state by spheres allocates no more than one by the default method.
func TestSpheresAllocateNothing(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	d := chance.New(149, 1)
	robot, srdf := bush(d, 25)
	for _, semantic := range []string{srdf, ""} { // without one some pairs are left out by proof
		for _, method := range []string{"spheres", "spacetime"} {
			m := treeModel(t, method, map[string]any{"robot_description": robot, "robot_description_semantic": semantic})
			at := &jointstates.Sample{Position: make([]float64, len(m.joints))}
			k := 0
			for what := range searches {
				if m.trackers.ready[what].Load() == nil {
					continue
				}
				if n := testing.AllocsPerRun(100, func() {
					k++
					for i := range at.Position {
						at.Position[i] = 0.3 * math.Sin(float64(k%50)/8+float64(i))
					}
					if _, _, err := m.distances(context.Background(), at, what); err != nil {
						t.Error(err)
					}
				}); n > 0 {
					t.Errorf("%s, %t: search %d: %g allocations", method, semantic == "", what, n)
				}
			}
		}
	}
}

func limitsFor(t testing.TB, given map[string]any) *limits {
	l := limitsOf(values(t, given))
	return &l
}
