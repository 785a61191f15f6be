package spacetime

import (
	"context"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/ruletest"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/twin"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// rig is a robot in a world with one motion, and a worker that looks at it.
type rig struct {
	twin.Moving
	world *scene.Snapshot
	model *model.Model
	bound *kin.Course
	w     *Worker

	cuts [][]piece // of the elements, once they are needed
}

// newRig compiles robot and world; nothing is left out but what off says.
func newRig(t testing.TB, robot *urdf.Robot, world *scene.Snapshot, padding float64, m *motion.Motion) *rig {
	t.Helper()
	md, err := model.New(robot, world, func(string) float64 { return padding }, &model.Library{})
	if err != nil {
		t.Fatal(err)
	}
	md.World.MakeOpen()
	md.PairUp(func(_, _ *model.Body) string { return "" })
	r := &rig{Moving: twin.Moving{Robot: robot}, world: world, model: md, w: NewWorker(md)}
	r.bind(t, m)
	return r
}

// bind gives the rig another motion; joints that it does not name stand at zero.
func (r *rig) bind(t testing.TB, m *motion.Motion) {
	t.Helper()
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	r.bindAnySize(t, m)
}

// bindAnySize is bind for a motion whose numbers may be larger than those of motions:
// the rules do not rely on that bound.
func (r *rig) bindAnySize(t testing.TB, m *motion.Motion) {
	t.Helper()
	b, err := kin.Bind(r.model.Tree, m, make([]float64, len(r.model.Tree.Dofs)))
	if err != nil {
		t.Fatal(err)
	}
	r.Motion, r.bound = m, b
}

// place lets the worker look at [lo, hi] around c of one piece.
func (r *rig) place(piece int, c, lo, hi float64) {
	r.w.begin(context.Background(), &motion.Query{})
	r.w.at.ReachFor(r.bound)
	r.w.load(r.bound, piece)
	r.w.place(c, lo, hi)
}

// check answers a query about the rig's motion with the same worker each time.
func (r *rig) check(q motion.Query) motion.Verdict {
	return r.w.Check(context.Background(), r.bound, q)
}

// solidOf describes element i of the model from what it was made of.
func (r *rig) solidOf(i int, padding float64) twin.Solid {
	e := &r.model.Elements[i]
	body := &r.model.Bodies[e.Body]
	nth := 0
	for _, k := range body.Elements {
		if k == i {
			break
		}
		nth++
	}
	if body.Kind == motion.RobotLink {
		c := &r.Robot.Links[body.Link].Collisions[nth]
		return twin.SolidOf(body.Link, c.PoseLS, c.Shape, padding)
	}
	for k := range r.world.Objects {
		if o := &r.world.Objects[k]; o.ID == body.Name {
			return twin.SolidOf(max(body.Link, r.Robot.Root), o.PoseWS, o.Shape, o.Padding)
		}
	}
	panic("no such body")
}

// restricted keeps what lies under a node of an element's hierarchy.
func restricted(s twin.Solid, e *model.Element, node int32) twin.Solid {
	if node == volume.Whole {
		return s
	}
	n := &e.Leaves.Tree.Nodes[node]
	var keep []geom.Vec
	for _, k := range e.Leaves.Tree.Order[n.First : n.First+n.Count] {
		if e.Leaves.Mesh == nil {
			keep = append(keep, s.Points[k])
			continue
		}
		for _, v := range e.Leaves.Mesh.Triangles[k] {
			keep = append(keep, s.Points[v])
		}
	}
	s.Points = keep
	return s
}

// Chance.

// rounds is n, or many times n in the long form.
func rounds(n int) int {
	return switches.Long.Times(n, 50)
}

// dice is a source of random robots and motions; equal seeds give equal ones.
type dice struct{ ruletest.Dice }

func newDice(seed, i uint64) dice { return dice{ruletest.NewDice(seed, i)} }

// watched is n, or a quarter under the race detector, which slows twins in long numbers
// most and finds nothing in what one goroutine does.
func watched(n int) int {
	if race.Enabled {
		return (n + 3) / 4
	}
	return n
}
