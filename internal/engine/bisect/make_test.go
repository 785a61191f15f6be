package bisect

import (
	"context"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/engine/agreement"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/spacetime"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/enginetest"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/meshes"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// The dice and the meshes of the conformance suite.
var newDice = enginetest.NewDice

func elbow(size float64) *shape.Shape     { return robots.Mesh(meshes.Elbow(size)) }
func hollow(size float64) *shape.Shape    { return robots.Mesh(meshes.Ring(size)) }
func meshShape(m *mesh.Mesh) *shape.Shape { return robots.Mesh(m) }

// made is a link of one shape.
func made(s *shape.Shape, at geom.Vec) []urdf.Collision {
	return []urdf.Collision{{PoseLS: geom.Translation(at), Shape: s}}
}

// rig is a robot in a world with one motion.
type rig struct {
	m      *model.Model
	course *kin.Course
	motn   *motion.Motion
	p      *Prepared
	w      *Worker
}

func newRig(t testing.TB, robot *urdf.Robot, world *scene.Snapshot, padding float64, m *motion.Motion) *rig {
	t.Helper()
	build := model.New
	if len(m.Root) > 0 {
		build = model.NewRooted
	}
	md, err := build(robot, world, func(string) float64 { return padding }, &model.Library{})
	if err != nil {
		t.Fatal(err)
	}
	md.PairUp(func(a, b *model.Body) string { return adjacent(robot, a, b) })
	r := &rig{m: md}
	r.p, err = Prepare(md)
	if err != nil {
		t.Fatal(err)
	}
	r.w = r.p.NewWorker()
	r.bind(t, m)
	return r
}

// adjacent leaves out neighbouring links.
func adjacent(robot *urdf.Robot, a, b *model.Body) string {
	if a.Link < 0 || b.Link < 0 {
		return ""
	}
	for i := range robot.Joints {
		j := &robot.Joints[i]
		if j.Parent == a.Link && j.Child == b.Link || j.Parent == b.Link && j.Child == a.Link {
			return "adjacent"
		}
	}
	return ""
}

func (r *rig) bind(t testing.TB, m *motion.Motion) {
	t.Helper()
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	c, err := kin.Bind(r.m.Tree, m, make([]float64, len(r.m.Tree.Dofs)))
	if err != nil {
		t.Fatal(err)
	}
	r.course, r.motn = c, m
}

func (r *rig) check(q motion.Query) motion.Verdict {
	return r.w.Check(context.Background(), r.course, q)
}

func (r *rig) spacetime(q motion.Query) motion.Verdict {
	return spacetime.NewWorker(r.m).Check(context.Background(), r.course, q)
}

// random makes rig i of a seed.
func random(t testing.TB, seed, i uint64) (*rig, motion.Query) {
	t.Helper()
	d := newDice(seed, i)
	robot := d.Robot()
	world := d.World(robot)
	padding := 0.0
	if d.IntN(4) == 0 {
		padding = d.In(0, 0.02)
	}
	r := newRig(t, robot, world, padding, d.Motion(robot, d.IntN(5) == 0))
	q := motion.Query{TimeTolerance: 1e-4, Tolerance: 1e-5}
	if d.IntN(3) == 0 {
		q.Clearance = d.In(0, 0.05)
	}
	return r, q
}

// rounds is how many cases a test tries: n, and many more where FIRSTCONTACT_LONG says.
func rounds(n int) int {
	if race.Enabled && !switches.Long.Set() {
		return (n + 3) / 4
	}
	return switches.Long.Times(n, 10)
}

// disagree reports whether one of two verdicts has a witness where the other has a proof.
func disagree(q *motion.Query, a, b *motion.Verdict) bool {
	return agreement.Compare(q, a, b) == agreement.Disagree || agreement.Compare(q, b, a) == agreement.Disagree
}
