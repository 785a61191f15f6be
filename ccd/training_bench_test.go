package ccd_test

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// shared is the folder of public robots and scenes.
const shared = "../../shared/"

// trainingSet is a robot, its surroundings and steps of its joints.
type trainingSet struct {
	name, robot, srdf string // files below shared
	world             func(testing.TB) *scene.Snapshot
	reach             float64 // part of the joints' ranges that motions begin in
	step              float64 // largest step of a joint in a motion, rad or m; 0: to another configuration
	count             int
}

// trainingSets are what the compiler's profile is trained on (make hot): robots and
// worlds that no comparison with other software measures (lab/peers, lab/papers), so
// that what it is worth there is what it is worth elsewhere.
var trainingSets = []trainingSet{
	{"ur5 at shelves, local", "robots/ur5/ur5.urdf", "robots/ur5/ur5.srdf", shelves, 0.9, 0.5, 300},
	{"ur5 at shelves, long", "robots/ur5/ur5.urdf", "robots/ur5/ur5.srdf", shelves, 0.9, 0, 200},
	{"iiwa14 in a cave", "robots/iiwa14/iiwa14.urdf", "robots/iiwa14/iiwa14.srdf", cave, 0.9, 0.5, 300},
	{"kinova_gen3 at a buggy", "robots/kinova_gen3/kinova_gen3.urdf", "robots/kinova_gen3/kinova_gen3.srdf", buggy, 0.9, 0.5, 300},
	{"romeo alone", "robots/romeo/romeo.urdf", "robots/romeo/romeo.srdf", nil, 0.6, 0.2, 400},
}

// shelves is a public planning problem's world of boxes and cylinders.
func shelves(b testing.TB) *scene.Snapshot {
	problems, err := scene.Problems(shared + "scenes/motionbenchmaker/ur5.json#bookshelf_small/1")
	if err != nil {
		b.Fatal(err)
	}
	w, err := problems[0].Snapshot()
	if err != nil {
		b.Fatal(err)
	}
	return w
}

func cave(b testing.TB) *scene.Snapshot {
	return meshAt(b, "scenes/hpp_environments/multicontact/cave_simplified.stl", 0.7)
}

func buggy(b testing.TB) *scene.Snapshot {
	return meshAt(b, "scenes/hpp_environments/buggy/buggy.dae", 0.7)
}

// meshAt is a world of one mesh, its longest side twice the radius, before the robot.
func meshAt(b testing.TB, file string, radius float64) *scene.Snapshot {
	b.Helper()
	o, _, err := scene.LoadMesh("mesh", geom.IdentityPose(), shared+file, geom.Vec{X: 1, Y: 1, Z: 1})
	if err != nil {
		b.Fatal(err)
	}
	const ahead, up = 0.85, 0.5
	lo, hi := o.Shape.Mesh.Vertices[0], o.Shape.Mesh.Vertices[0]
	for _, v := range o.Shape.Mesh.Vertices {
		lo = geom.Vec{X: min(lo.X, v.X), Y: min(lo.Y, v.Y), Z: min(lo.Z, v.Z)}
		hi = geom.Vec{X: max(hi.X, v.X), Y: max(hi.Y, v.Y), Z: max(hi.Z, v.Z)}
	}
	k := 2 * radius / max(hi.X-lo.X, hi.Y-lo.Y, hi.Z-lo.Z)
	at := geom.Vec{X: ahead - k*(lo.X+hi.X)/2, Y: -k * (lo.Y + hi.Y) / 2, Z: up - k*(lo.Z+hi.Z)/2}
	o, _, err = scene.LoadMesh("mesh", geom.Translation(at), shared+file, geom.Vec{X: k, Y: k, Z: k})
	if err != nil {
		b.Fatal(err)
	}
	w, err := scene.New("", o)
	if err != nil {
		b.Fatal(err)
	}
	return w
}

// motions compiles the set and draws its motions, each of which starts free. It skips
// where the files are not there.
func (s *trainingSet) motions(b testing.TB) (*ccd.Checker, []*motion.Motion) {
	b.Helper()
	if _, err := os.Stat(shared + s.robot); err != nil {
		b.Skip("the robots are not here: ", err)
	}
	robot, err := urdf.Load(shared+s.robot, urdf.Options{SRDF: shared + s.srdf})
	if err != nil {
		b.Fatal(err)
	}
	world := &scene.Snapshot{}
	if s.world != nil {
		world = s.world(b)
	}
	c, err := ccd.New(robot, world, ccd.Options{})
	if err != nil {
		b.Fatal(err)
	}
	d := rand.New(rand.NewPCG(7, uint64(len(s.name))))
	var joints []string
	var lower, upper []float64
	for _, name := range c.ActiveJoints() {
		if i := robot.Joint(name); i >= 0 {
			lo, hi := robot.Joints[i].Limit.Lower, robot.Joints[i].Limit.Upper
			if !(hi-lo < 2*math.Pi) { // turns without end
				lo, hi = -math.Pi, math.Pi
			}
			joints, lower, upper = append(joints, name), append(lower, lo), append(upper, hi)
		}
	}
	anywhere := func() []float64 {
		q := make([]float64, len(joints))
		for i := range q {
			middle, half := (lower[i]+upper[i])/2, (upper[i]-lower[i])/2*s.reach
			q[i] = middle + half*(2*d.Float64()-1)
		}
		return q
	}
	var out []*motion.Motion
	for tries := 0; len(out) < s.count && tries < 100*s.count; tries++ {
		from := anywhere()
		at, err := motion.Path(joints, [][]float64{from}, nil)
		if err != nil {
			b.Fatal(err)
		}
		if v, err := c.Check(context.Background(), at, motion.Query{Question: motion.IsFree}); err != nil {
			b.Fatal(err)
		} else if v.Status != motion.Free {
			continue
		}
		to := anywhere()
		for i := range to {
			if s.step > 0 {
				to[i] = min(upper[i], max(lower[i], from[i]+s.step*(2*d.Float64()-1)))
			}
		}
		m, err := motion.Between(joints, from, to, 1)
		if err != nil {
			b.Fatal(err)
		}
		out = append(out, m)
	}
	if len(out) < s.count {
		b.Fatalf("%s: only %d of %d motions start free", s.name, len(out), s.count)
	}
	return c, out
}

// BenchmarkTraining asks about the training sets' motions, each question for as long. Its profile tells
// the compiler what to inline (make hot).
func BenchmarkTraining(b *testing.B) {
	ctx := context.Background()
	for i := range trainingSets {
		s := &trainingSets[i]
		c, motions := s.motions(b)
		check := func(q motion.Question) func(m *motion.Motion) error {
			return func(m *motion.Motion) error {
				_, err := c.Check(ctx, m, motion.Query{Question: q})
				return err
			}
		}
		for _, q := range []struct {
			name string
			ask  func(m *motion.Motion) error
		}{
			{"free", check(motion.IsFree)},
			{"toc", check(motion.FirstContact)},
			{"clearance", check(motion.MinClearance)},
			{"overtime", func(m *motion.Motion) error {
				_, err := c.Profile(ctx, m, motion.ProfileQuery{})
				return err
			}},
		} {
			b.Run(filepath.Base(s.name)+"/"+q.name, func(b *testing.B) {
				for b.Loop() {
					for _, m := range motions {
						if err := q.ask(m); err != nil {
							b.Fatal(err)
						}
					}
				}
			})
		}
	}
}
