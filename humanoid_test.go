package firstcontact_test

import (
	"cmp"
	"context"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/motion/motionfile"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

const humanoid = "testdata/humanoid/"

// expectation is an entry of expected.yaml.
type expectation struct {
	Length float64
	Status string
	TOC    float64
	Class  string
	Pair   []string
	Near   []struct {
		Class         string
		Pair          []string
		Within, Touch [][2]float64
		Least, At     float64
	}
}

func readYAML(t *testing.T, path string, into any) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(data, into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

func humanoidChecker(t *testing.T, file string) *ccd.Checker {
	t.Helper()
	robot, err := urdf.Load(humanoid+file, urdf.Options{SRDF: humanoid + "humanoid.srdf"})
	if err != nil {
		t.Fatal(err)
	}
	world, err := scene.Load(humanoid+"obstacles.yaml", scene.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range append(robot.Warnings, world.Warnings...) {
		if !strings.HasPrefix(w, "links without collision geometry") { // the forks of hips and wrists have none
			t.Errorf("%s: %s", file, w)
		}
	}
	c, err := ccd.New(robot, world, ccd.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Both files describe the same robot, so both must give the expected answers.
func TestHumanoidVerdicts(t *testing.T) {
	var expected struct{ Motions, Pairs map[string]expectation }
	readYAML(t, humanoid+"expected.yaml", &expected)
	for _, file := range []string{"humanoid.urdf", "humanoid_urdf10.urdf"} {
		c := humanoidChecker(t, file)
		if n := len(c.ActiveJoints()); n != 30 {
			t.Fatalf("%s has %d joints, want 30", file, n)
		}
		for name, want := range expected.Motions {
			loaded, err := motionfile.Load(humanoid+name, motionfile.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if len(loaded) != 1 || len(loaded[0].Warnings) > 0 {
				t.Fatalf("%s holds %d motions, warnings %q", name, len(loaded), loaded[0].Warnings)
			}
			t.Run(file+"/"+name, func(t *testing.T) { want.hold(t, c, loaded[0].Motion) })
		}
		pairs := humanoidPairs(t)
		if len(pairs) != len(expected.Pairs) || len(pairs) < 8 {
			t.Errorf("%d pairs, %d expectations", len(pairs), len(expected.Pairs))
		}
		for id, m := range pairs {
			t.Run(file+"/"+id, func(t *testing.T) { expected.Pairs[id].hold(t, c, m) })
		}
	}
}

// humanoidPairs reads the pairs of joint states as motions.
func humanoidPairs(t *testing.T) map[string]*motion.Motion {
	t.Helper()
	var file struct {
		Pairs []struct {
			ID          string
			Duration    float64
			Start, Goal map[string]float64
		}
	}
	readYAML(t, humanoid+"pairs.yaml", &file)
	motions := map[string]*motion.Motion{}
	for _, p := range file.Pairs {
		names := slices.Sorted(maps.Keys(p.Start))
		var from, to []float64
		for _, n := range names {
			from, to = append(from, p.Start[n]), append(to, p.Goal[n])
		}
		m, err := motion.Between(names, from, to, p.Duration)
		if err != nil {
			t.Fatalf("pair %s: %v", p.ID, err)
		}
		motions[p.ID] = m
	}
	return motions
}

// hold checks a motion as a whole, and again what is left of it after each
// stretch of contact, up to its end.
func (want expectation) hold(t *testing.T, c *ccd.Checker, m *motion.Motion) {
	touches := want.touches()
	if contact := want.Status == "contact"; contact != (len(touches) > 0) ||
		contact && (want.TOC != touches[0].span[0] || want.Class != touches[0].class || !samePair(want.Pair, touches[0].pair)) {
		t.Fatalf("the expectation contradicts itself: %+v", want)
	}
	for _, next := range touches {
		next.hold(t, check(t, c, m, motion.FirstContact))
		const past = 0.005 // s after the touch, so that it is over for sure
		if next.span[1]+past >= m.Duration() {
			return
		}
		_, rest, err := m.Split(next.span[1] + past)
		if err != nil {
			t.Fatal(err)
		}
		m = rest
	}
	question := motion.FirstContact
	if len(touches) == 0 {
		question = motion.MinClearance
	}
	v := check(t, c, m, question)
	if v.Status != motion.Free {
		t.Errorf("from %.3f s on it is %v (%v, %v, %s), want free", m.Pieces[0].Start, v.Status, v.TOC, v.Contact.Pair, v.Reason)
	} else if len(touches) == 0 {
		want.holdClearance(t, v)
	}
}

func check(t *testing.T, c *ccd.Checker, m *motion.Motion, q motion.Question) motion.Verdict {
	t.Helper()
	v, err := c.Check(context.Background(), m, motion.Query{Question: q})
	if err != nil {
		t.Fatal(err)
	}
	if len(v.BeyondLimits) > 0 || len(v.OpenMeshes) > 0 {
		t.Errorf("beyond limits %v, open meshes %v", v.BeyondLimits, v.OpenMeshes)
	}
	return v
}

// touch is a stretch of time in which something touches all along, and the pair
// that touches first in it.
type touch struct {
	class string
	pair  []string
	span  [2]float64
}

func (want expectation) touches() []touch {
	var all, merged []touch
	for _, n := range want.Near {
		for _, s := range n.Touch {
			all = append(all, touch{n.Class, n.Pair, s})
		}
	}
	slices.SortFunc(all, func(a, b touch) int { return cmp.Compare(a.span[0], b.span[0]) })
	for _, next := range all {
		if n := len(merged) - 1; n >= 0 && next.span[0] <= merged[n].span[1] {
			merged[n].span[1] = math.Max(merged[n].span[1], next.span[1])
		} else {
			merged = append(merged, next)
		}
	}
	return merged
}

func (want touch) hold(t *testing.T, v motion.Verdict) {
	t.Helper()
	if v.Status != motion.Contact {
		t.Fatalf("it is %v (%s), want contact at %.4f s", v.Status, v.Reason, want.span[0])
	}
	const tolerance = 1.5e-3 // s: of expected.yaml, and a margin
	if v.TOC.Hi < want.span[0]-tolerance || v.TOC.Lo > want.span[0]+tolerance || v.TOC.Hi-v.TOC.Lo > 1e-6 {
		t.Errorf("first contact is at %v s, want %.4f s", v.TOC, want.span[0])
	}
	if got := []string{v.Contact.Pair.A.Name, v.Contact.Pair.B.Name}; !samePair(got, want.pair) {
		t.Errorf("%v touch first, want %v", got, want.pair)
	}
	if v.Contact.Pair.World() != (want.class == "world") {
		t.Errorf("%v is not of class %s", v.Contact.Pair, want.class)
	}
}

// holdClearance compares the least distance with the one expected, which is
// measured only below 5 cm.
func (want expectation) holdClearance(t *testing.T, v motion.Verdict) {
	least := math.Inf(1)
	for _, n := range want.Near {
		least = math.Min(least, n.Least)
	}
	const tolerance = 1.5e-3 // m: of expected.yaml and of the query
	if !v.MinClearance.Known || v.MinClearance.Bounds.Lo > least+tolerance || v.MinClearance.Bounds.Hi < least-tolerance {
		t.Errorf("clearance is %+v, want %.4f m", v.MinClearance, least)
	}
}

func samePair(a, b []string) bool {
	return len(a) == 2 && len(b) == 2 && (a[0] == b[0] && a[1] == b[1] || a[0] == b[1] && a[1] == b[0])
}

// At single configurations of the long motion, the pairs within 5 cm and their
// distances are the expected ones.
func TestHumanoidDistances(t *testing.T) {
	var expected struct{ Motions map[string]expectation }
	readYAML(t, humanoid+"expected.yaml", &expected)
	c := humanoidChecker(t, "humanoid.urdf")
	loaded, err := motionfile.Load(humanoid+"wave.csv", motionfile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m := loaded[0].Motion
	asked, found := 0, 0
	for i, piece := range m.Pieces {
		if i%30 != 0 {
			continue
		}
		q := map[string]float64{}
		for j, name := range m.Joints {
			q[name] = piece.Ctrl[j][0]
		}
		d, err := c.Distance(context.Background(), q, motion.DistanceQuery{K: -1, DistanceRanges: motion.DistanceRanges{Max: 0.05}})
		if err != nil {
			t.Fatal(err)
		}
		asked++
		for _, n := range expected.Motions["wave.csv"].Near {
			within, touch := covers(n.Within, piece.Start), covers(n.Touch, piece.Start)
			k := slices.IndexFunc(d.Pairs, func(p motion.PairDistance) bool {
				return samePair([]string{p.Pair.A.Name, p.Pair.B.Name}, n.Pair)
			})
			switch {
			case within && k < 0:
				t.Errorf("at %.3f s %v are not within 5 cm", piece.Start, n.Pair)
			case k >= 0:
				found++
				if touch != (d.Pairs[k].Distance == 0) || d.Pairs[k].Bounds.Hi < n.Least {
					t.Errorf("at %.3f s %v are %+v apart; touching must be %v", piece.Start, n.Pair, d.Pairs[k].Bounds, touch)
				}
				d.Pairs = slices.Delete(d.Pairs, k, k+1)
			}
		}
		for _, p := range d.Pairs {
			if p.Bounds.Lo < 0.05 {
				t.Errorf("at %.3f s %v are %+v apart, not expected within 5 cm", piece.Start, p.Pair, p.Bounds)
			}
		}
	}
	if asked < 25 || found < 5 {
		t.Errorf("%d configurations with %d near pairs tell too little", asked, found)
	}
}

func covers(spans [][2]float64, t float64) bool {
	return slices.ContainsFunc(spans, func(s [2]float64) bool { return s[0] <= t && t <= s[1] })
}
