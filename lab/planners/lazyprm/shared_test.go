package lazyprm

import (
	"context"
	"testing"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// asBuilt are the pairs of Baxter's links that touch as designed, of which its SRDF
// does not know.
var asBuilt = [][2]string{
	{"pedestal", "pedestal_2"},
	{"l_gripper_l_finger", "l_gripper_l_finger_2"},
	{"l_gripper_r_finger", "l_gripper_r_finger_2"},
	{"r_gripper_l_finger", "r_gripper_l_finger_2"},
	{"r_gripper_r_finger", "r_gripper_r_finger_2"},
}

// Real problems are solved, and the paths proved as planned and as smoothed.
func TestMotionBenchMaker(t *testing.T) {
	for robot, c := range map[string]struct {
		allowed [][2]string
		every   int
	}{
		"panda":  {nil, 150},
		"ur5":    {nil, 250},
		"baxter": {asBuilt, 200},
	} {
		t.Run(robot, func(t *testing.T) {
			if race.Enabled && robot != "panda" {
				t.Skip("one robot is enough for the race detector")
			}
			problems, err := scene.Problems(shared(t, "scenes", "motionbenchmaker", robot+".json"))
			if err != nil {
				t.Fatal(err)
			}
			model := shared(t, "robots", robot, robot+".urdf")
			r, err := urdf.Load(model, urdf.Options{SRDF: shared(t, "robots", robot, robot+".srdf")})
			if err != nil {
				t.Fatal(err)
			}
			base, err := ccd.New(r, nil, ccd.Options{Allowed: c.allowed})
			if err != nil {
				t.Fatal(err)
			}
			by := []string{"engine", "bisect"}
			if robot == "baxter" {
				by = by[:1] // fourteen joints
			}
			for i := 72; i < len(problems); i += c.every {
				solves(t, base, &problems[i], by)
				by = by[:1] // one problem is enough for what is slower
			}
		})
	}
}

// TestSmoothedIntoATie is a path that shortcuts drew to 0.85 micrometres of an obstacle:
// segments that were proved free at clearance 0, and which the verdict on the whole path
// took for contact within its tolerance.
func TestSmoothedIntoATie(t *testing.T) {
	if race.Enabled {
		t.Skip("nothing in it runs side by side")
	}
	problems, err := scene.Problems(shared(t, "scenes", "motionbenchmaker", "panda.json") + "#cage/89")
	if err != nil {
		t.Fatal(err)
	}
	r, err := urdf.Load(shared(t, "robots", "panda", "panda.urdf"), urdf.Options{SRDF: shared(t, "robots", "panda", "panda.srdf")})
	if err != nil {
		t.Fatal(err)
	}
	base, err := ccd.New(r, nil, ccd.Options{})
	if err != nil {
		t.Fatal(err)
	}
	solves(t, base, &problems[0], []string{"engine"})
}

// rounds of shortcuts; bisection takes its time where they slide along obstacles.
var rounds = map[string]int{"bisect": 10}

func solves(t *testing.T, base *ccd.Checker, from *scene.Problem, by []string) {
	t.Helper()
	p, err := FromProblem(base, from)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range by {
		checker := checkersFrom(t, p, 1e-3)[name]
		found, err := Plan(context.Background(), p, checker, Options{Seed: 1, Milestones: 5000})
		if err != nil {
			t.Fatal(name, err)
		}
		path, did, err := Smooth(context.Background(), p, checker, found.Path, SmoothOptions{Seed: 1, Rounds: rounds[name]})
		if err != nil {
			t.Fatal(name, err)
		}
		for what, path := range map[string][][]float64{"planned": found.Path, "smoothed": path} {
			if v := mustVerify(t, p, path); v.Status != motion.Free {
				t.Errorf("%s, %s as %s: %v: %v", name, p.Name, what, v.Status, v.Contact.Pair)
			}
		}
		t.Logf("%s: %s/%d: %+v; %.1f to %.1f rad", name, from.Set, from.Index, found.Stats, did.Before, did.After)
	}
}
