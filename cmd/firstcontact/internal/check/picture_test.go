package check

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/show"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/linkspheres"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/motion/motionfile"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Where a picture shows links and obstacles, there the engine found them: both points of a
// witness lie on the surfaces of their bodies as they are drawn.
func TestStillsAgreeWithWitnesses(t *testing.T) {
	robot, err := urdf.Load(humanoid+"humanoid.urdf", urdf.Options{SRDF: humanoid + "humanoid.srdf"})
	if err != nil {
		t.Fatal(err)
	}
	world, err := scene.Load(humanoid+"obstacles.yaml", scene.Options{})
	if err != nil {
		t.Fatal(err)
	}
	box := scene.NewBox("tool", geom.IdentityPose(), geom.Vec{X: 0.02, Y: 0.02, Z: 0.3})
	held := geom.IdentityPose()
	held.P = geom.Vec{X: 0.05}
	carrying, err := world.With(box.Attach("left_hand", held, "left_forearm"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		file  string
		world *scene.Snapshot
	}{{"wave.csv", world}, {"trajectory_between.yaml", world}, {"trajectory_free.yaml", world}, {"trajectory_between.yaml", carrying}} {
		checker, err := ccd.New(robot, c.world, ccd.Options{})
		if err != nil {
			t.Fatal(err)
		}
		loaded, err := motionfile.Load(humanoid+c.file, motionfile.Options{})
		if err != nil {
			t.Fatal(err)
		}
		m := loaded[0].Motion
		v, err := checker.Check(context.Background(), m, motion.Query{Question: motion.MinClearance})
		if err != nil {
			t.Fatal(err)
		}
		w := v.Contact
		if v.Status == motion.Free {
			w = v.MinClearance.At
		}
		poses, err := show.PosesAt(checker, m, w.Time)
		if err != nil {
			t.Fatal(err)
		}
		for _, side := range []struct {
			body  motion.Body
			point geom.Vec
		}{{w.Pair.A, w.PointA}, {w.Pair.B, w.PointB}} {
			if d := distanceTo(t, checker, poses, side.body, side.point); d > 1e-6 {
				t.Errorf("%s: at %g s a witness point is %g m from %s", c.file, w.Time, d, side.body.Name)
			}
		}
	}
}

// distanceTo is how far a point is from a body where a picture shows it.
func distanceTo(t *testing.T, c *ccd.Checker, poses []geom.Pose, body motion.Body, p geom.Vec) float64 {
	t.Helper()
	link, pose := urdf.Link{}, geom.Pose{}
	if i := c.World().Object(body.Name); body.Kind != motion.RobotLink {
		o := &c.World().Objects[i]
		link.Collisions, pose = []urdf.Collision{{Shape: o.Shape, PoseLS: geom.IdentityPose()}}, o.PoseWS
		if body.Kind == motion.AttachedObject {
			pose = poses[c.Robot().Link(o.AttachedTo)].Mul(o.PoseWS)
		}
	} else {
		for k := range c.Robot().Links {
			if c.Robot().Links[k].Name == body.Name {
				link, pose = c.Robot().Links[k], poses[k]
			}
		}
	}
	b, err := linkspheres.NewBody(&link)
	if err != nil {
		t.Fatal(err)
	}
	lo, _ := b.Distance(pose.Inv().Apply(p))
	return math.Abs(lo)
}

// The caption of a picture for each status.
var closestAt = regexp.MustCompile(`closest: .*, at ([0-9.]+) s`)

func TestStillsTell(t *testing.T) {
	race.LeaveOut(t)
	picture := filepath.Join(t.TempDir(), "p.svg")
	for _, c := range []struct {
		args []string
		want []string
		not  string
	}{
		{humanoidArgs(humanoid + "wave.csv"), []string{"wave.csv: CONTACT at 7.301030 s of 15 s", ">right_hand</text>", "<circle"}, ""},
		{humanoidArgs("--clearance", "0.02", humanoid+"trajectory_free.yaml"), []string{"CLEARANCE at 5.63", "20.01 mm apart"}, ""},
		{humanoidArgs(humanoid + "trajectory_free.yaml"), []string{"FREE, proved for all of 8.5 s: where it ends", ">obstacles<"}, "<circle"},
		{humanoidArgs("--min-clearance", humanoid+"trajectory_free.yaml"), []string{"FREE, closest at ", ">handle</text>"}, ""},
		{humanoidArgs("--deadline", "1ns", humanoid+"trajectory_free.yaml"), []string{"UNDECIDED: where the proof ends, at 0 s of 8.5 s"}, "<circle"},
	} {
		code, out, errs := command(t, "", append(c.args, "--picture", picture)...)
		if code == cli.ExitBadInput || code == cli.ExitUsage || !strings.Contains(out, "its picture is "+picture) {
			t.Errorf("exit status %d: %s%s", code, out, errs)
		}
		svg, err := os.ReadFile(picture)
		if err != nil {
			t.Fatal(err)
		}
		if at := closestAt.FindStringSubmatch(out); at != nil { // any time at which they are that close, within the tolerance
			c.want = append(c.want, "FREE, closest at "+at[1][:len(at[1])-1]) // which rounds to fewer digits
		}
		for _, want := range c.want {
			if !strings.Contains(string(svg), want) {
				t.Errorf("%q: the picture lacks %q", c.args, want)
			}
		}
		if c.not != "" && strings.Contains(string(svg), c.not) {
			t.Errorf("%q: the picture has %s", c.args, c.not)
		}
	}
	if code, _, errs := command(t, "", humanoidArgs("--picture", picture, humanoid+"wave.csv", humanoid+"trajectory_free.yaml")...); code != cli.ExitUsage || !strings.Contains(errs, "--picture") {
		t.Errorf("two motions: exit status %d: %s", code, errs)
	}
}
