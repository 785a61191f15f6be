package node

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/selfcollision/pairfile"
	"github.com/firstcontact-ros/firstcontact/selfcollision/pairproof"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// tightURDF is the carts with limits that keep them 4 mm apart at least.
var tightURDF = strings.NewReplacer(
	`<child link="left"/><axis xyz="1 0 0"/>
    <limit lower="-5" upper="5"`, `<child link="left"/><axis xyz="1 0 0"/>
    <limit lower="-5" upper="0.396"`,
	`<origin xyz="1 0 0"/><axis xyz="1 0 0"/>
    <limit lower="-5" upper="5"`, `<origin xyz="1 0 0"/><axis xyz="1 0 0"/>
    <limit lower="-0.4" upper="5"`).Replace(railURDF)

// pairsFile writes what is known of the carts.
func pairsFile(t *testing.T, text string, p pairproof.Pair) string {
	t.Helper()
	robot, err := urdf.Parse([]byte(text), urdf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := pairproof.None(robot, pairproof.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p.A, p.B, p.LinkA, p.LinkB, p.Joints = robot.Link("left"), robot.Link("right"), "left", "right", []int{0, 1}
	r.Pairs = append(r.Pairs, p)
	path := filepath.Join(t.TempDir(), "carts.pairs")
	if err := pairfile.Save(path, &r); err != nil {
		t.Fatal(err)
	}
	return path
}

func modelOf(t testing.TB, given map[string]any) (*model, error) {
	t.Helper()
	v := values(t, given)
	return build(context.Background(), describe(v), v)
}

// A pair that can never touch raises no level, as long as the joints are within the
// limits that its proof knows; beyond them it is watched like any other.
func TestProvenPairsRaiseNoLevel(t *testing.T) {
	file := pairsFile(t, tightURDF, pairproof.Pair{Meets: pairproof.Never})
	for _, source := range []string{"srdf", "proven"} {
		given := railParameters(t, map[string]any{
			"robot_description": tightURDF, "acm.source": source, "acm.pairs": file,
			"robot_description_semantic": `<robot name="carts"/>`,
		})
		m, err := modelOf(t, given)
		if err != nil {
			t.Fatal(err)
		}
		if m.proven != 1 || m.assumed != 0 {
			t.Errorf("%s: %d pairs proved, %d assumed", source, m.proven, m.assumed)
		}
		for _, c := range []struct {
			left, right float64
			level       uint8
			proven      uint32
			reason      string
		}{
			{0.396, -0.4, fcmsgs.CollisionStateFree, 1, "at least 0.5 m"},
			{0.397, -0.4, fcmsgs.CollisionStateStop, 0, "left and right are at most 0.0030 m apart"},
			{0.396, -0.401, fcmsgs.CollisionStateStop, 0, "left and right are at most 0.0030 m apart"},
			{0.396, -0.41, fcmsgs.CollisionStateCollision, 0, "left and right touch"},
			{0.396, 1.85, fcmsgs.CollisionStateWarn, 1, "right and wall"},
		} {
			s := watch(m).at(0, c.left, c.right)
			wantLevel(t, s, c.level, c.reason)
			if s.ProvenPairs != c.proven {
				t.Errorf("%s at %g, %g: %d pairs left out by proof, want %d", source, c.left, c.right, s.ProvenPairs, c.proven)
			}
		}
		w := watch(m) // on the way from one state to the next the limits are left, and the carts touch
		w.at(0, 0, -0.4)
		wantLevel(t, w.at(10*ms, 0.5, -0.4), fcmsgs.CollisionStateCollision, "on the motion")
	}
}

func TestPairsThatAreNotThisModels(t *testing.T) {
	file := pairsFile(t, tightURDF, pairproof.Pair{Meets: pairproof.Never})
	damaged := filepath.Join(t.TempDir(), "damaged.pairs")
	write(t, damaged, `{"Format": "firstcontact pairs 2"`)
	for says, given := range map[string]map[string]any{
		"joint limits": {"robot_description": railURDF, "acm.pairs": file},
		"padded":       {"robot_description": tightURDF, "acm.pairs": file, "padding.default": 0.01},
		"cut short":    {"robot_description": tightURDF, "acm.pairs": damaged},
		"no such file": {"robot_description": tightURDF, "acm.pairs": filepath.Join(t.TempDir(), "nowhere")},
	} {
		if _, err := modelOf(t, given); err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), "acm.pairs") {
			t.Errorf("%v, want an error that says %q", err, says)
		}
	}
}

func TestAuditOfTheSRDF(t *testing.T) {
	file := pairsFile(t, railURDF, pairproof.Pair{Meets: pairproof.Sometimes, Witness: []float64{0, -1}})
	given := map[string]any{"robot_description": railURDF, "robot_description_semantic": railSRDF, "acm.pairs": file, "scene": railParameters(t, nil)["scene"]}
	for mode, faults := range map[string]int{"off": 0, "warn": 1, "fail": -1} {
		given := maps.Clone(given)
		given["acm.audit"] = mode
		m, err := modelOf(t, given)
		switch {
		case faults < 0:
			if err == nil || !strings.Contains(err.Error(), "left and right") {
				t.Errorf("%s: %v", mode, err)
			}
		case err != nil:
			t.Error(err)
		case len(m.faults) != faults || faults > 0 && !strings.Contains(m.faults[0], "never touch, and they do"):
			t.Errorf("%s: %q", mode, m.faults)
		}
	}
}

// A pair may be given a smaller margin; the others keep theirs.
func TestMarginOverrides(t *testing.T) {
	m, err := modelOf(t, railParameters(t, map[string]any{"margin_overrides": []string{"right:left:0.004"}}))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		left, right float64
		level       uint8
		reason      string
	}{
		{0, -0.79, fcmsgs.CollisionStateFree, "left and right"},
		{0, -0.7935, fcmsgs.CollisionStateFree, "left and right"},
		{0, -0.795, fcmsgs.CollisionStateWarn, "closer than 0.006 m"},
		{0, -0.797, fcmsgs.CollisionStateStop, "closer than 0.004 m"},
		{0, -0.8, fcmsgs.CollisionStateCollision, "touch"},
		{2.683, 1.89, fcmsgs.CollisionStateCollision, "right and wall touch"},
		{2.65, 1.857, fcmsgs.CollisionStateWarn, "right and wall are 0.03"}, // farther apart than the carts, which are 7 mm apart
		{2.676, 1.883, fcmsgs.CollisionStateStop, "right and wall are at most 0.0070 m apart"},
	} {
		wantLevel(t, watch(m).at(0, c.left, c.right), c.level, c.reason)
	}
	for _, text := range []string{"right:left", "right:left:x", "right:left:-1", "right:left:nan", "right:left:0.011", "right:nobody:0.001", "left:left:0.001", ":left:0.001"} {
		if _, err := modelOf(t, railParameters(t, map[string]any{"margin_overrides": []string{text}})); err == nil || !strings.Contains(err.Error(), "margin_overrides") {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := modelOf(t, railParameters(t, map[string]any{"margin_overrides": []string{"right:left:0.001", "left:right:0.002"}})); err == nil {
		t.Error("a pair is given twice")
	}
}

// Without an SRDF, a pair of the robot's own that is close at rest has a margin of
// half of its distance there.
func TestMarginsOfRest(t *testing.T) {
	close := strings.Replace(railURDF, `<origin xyz="1 0 0"/>`, `<origin xyz="0.208 0 0"/>`, 1) // 8 mm apart at rest
	for srdf, want := range map[string]uint8{"": fcmsgs.CollisionStateFree, `<robot name="carts"/>`: fcmsgs.CollisionStateStop} {
		m, err := modelOf(t, railParameters(t, map[string]any{"robot_description": close, "robot_description_semantic": srdf}))
		if err != nil {
			t.Fatal(err)
		}
		wantLevel(t, watch(m).at(0, 0, 0), want, "left and right")
		if want == fcmsgs.CollisionStateFree {
			wantLevel(t, watch(m).at(0, 0, -0.003), fcmsgs.CollisionStateWarn, "left and right are 0.0050")
			wantLevel(t, watch(m).at(0, 0, -0.005), fcmsgs.CollisionStateStop, "left and right are at most 0.0030")
			wantLevel(t, watch(m).at(0, 0, -0.008), fcmsgs.CollisionStateCollision, "left and right touch")
		}
	}
}

// A humanoid without an SRDF is of use at once: it rests without an alarm, and one is
// raised when an arm comes closer to the body than it rests.
func TestHumanoidWithoutSRDF(t *testing.T) {
	path := "../../shared/robots/g1/g1.urdf"
	if _, err := os.Stat(path); err != nil || race.Enabled {
		t.Skip("no robots in ../shared, or too slow for them")
	}
	m, err := modelOf(t, map[string]any{"robot_description_file": path})
	if err != nil {
		t.Fatal(err)
	}
	if m.assumed != 26 || len(m.margins) < 6 {
		t.Errorf("%d pairs assumed, %d margins: %s", m.assumed, len(m.margins), m.marginWords())
	}
	t.Logf("without an SRDF %s", m.checker.Pairs().Defaults())
	t.Logf("%d proved; margins: %s", m.proven, m.marginWords())
	at := make([]float64, len(m.joints))
	wantLevel(t, watch(m).atAll(m.joints, at), fcmsgs.CollisionStateFree, "")
	roll := slices.Index(m.joints, "left_shoulder_roll_joint")
	for x, want := range map[float64]uint8{0.3: fcmsgs.CollisionStateFree, -0.03: fcmsgs.CollisionStateStop, -0.2: fcmsgs.CollisionStateCollision} {
		at[roll] = x
		s := watch(m).atAll(m.joints, at)
		t.Logf("shoulder roll %g: level %d, %s", x, s.Level, s.Reason)
		if s.Level != want {
			t.Errorf("shoulder roll %g: level %d because %q, want %d", x, s.Level, s.Reason, want)
		}
	}
}

// atAll moves all joints at time zero and returns the state that follows.
func (w *watched) atAll(names []string, at []float64) *fcmsgs.CollisionState {
	w.receive(joints(0, strings.Join(names, " "), at...), time.Time{})
	return w.look()
}
