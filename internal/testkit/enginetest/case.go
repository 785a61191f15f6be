package enginetest

import (
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Case is a robot in a world, compiled, with one motion.
type Case struct {
	Robot   *urdf.Robot
	World   *scene.Snapshot // may be nil
	Padding float64         // of the robot's links
	Model   *model.Model
	Motion  *motion.Motion
	Course  *kin.Course
	// State gives the position of each variable that the motion does not name.
	State map[string]float64

	pieces [][]piece // per element, made when first asked for
}

// New compiles a robot and a world for a motion. All pairs are checked but those of one
// link and of links that a joint connects.
func New(t testing.TB, robot *urdf.Robot, world *scene.Snapshot, padding float64, m *motion.Motion) *Case {
	t.Helper()
	build := model.New
	if len(m.Root) > 0 {
		build = model.NewRooted
	}
	md, err := build(robot, world, func(string) float64 { return padding }, &model.Library{})
	if err != nil {
		t.Fatal(err)
	}
	md.PairUp(func(a, b *model.Body) string { return leftOut(robot, a, b) })
	c := &Case{Robot: robot, World: world, Padding: padding, Model: md}
	c.Bind(t, m)
	return c
}

func leftOut(robot *urdf.Robot, a, b *model.Body) string {
	if a.Link == b.Link {
		return "one link"
	}
	for i := range robot.Joints {
		j := &robot.Joints[i]
		if a.Link == j.Parent && b.Link == j.Child || a.Link == j.Child && b.Link == j.Parent {
			return "connected by a joint"
		}
	}
	return ""
}

// Random draws case i of a seed.
func Random(t testing.TB, seed, i uint64) *Case {
	t.Helper()
	d := NewDice(seed, i)
	robot := d.Robot()
	c := New(t, robot, d.World(robot), [...]float64{0, 0, 0.02}[d.IntN(3)], d.Motion(robot, d.IntN(4) == 0))
	c.State = map[string]float64{}
	for _, name := range robots.Variables(robot) {
		c.State[name] = d.In(-1, 1)
	}
	c.Bind(t, c.Motion)
	return c
}

// Bind gives the case another motion of the same robot. A motion moves the root link
// only if the first one did.
func (c *Case) Bind(t testing.TB, m *motion.Motion) {
	t.Helper()
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	state := make([]float64, len(c.Model.Tree.Dofs))
	for i := range state {
		state[i] = c.State[c.Model.Tree.Dofs[i].Name]
	}
	course, err := kin.Bind(c.Model.Tree, m, state)
	if err != nil {
		t.Fatal(err)
	}
	c.Motion, c.Course = m, course
}

// With is the case with another motion.
func (c *Case) With(t testing.TB, m *motion.Motion) *Case {
	t.Helper()
	d := *c
	d.Bind(t, m)
	return &d
}

// smaller is the case with smaller shapes, each within the one that it stands for.
func (c *Case) smaller(t testing.TB) *Case {
	t.Helper()
	robot, world := *c.Robot, *c.World
	robot.Links, world.Objects = append([]urdf.Link(nil), robot.Links...), append([]scene.Object(nil), world.Objects...)
	for i := range robot.Links {
		l := &robot.Links[i]
		l.Collisions = append([]urdf.Collision(nil), l.Collisions...)
		for k := range l.Collisions {
			l.Collisions[k].Shape = smaller(l.Collisions[k].Shape)
		}
	}
	for i := range world.Objects {
		world.Objects[i].Shape = smaller(world.Objects[i].Shape)
	}
	small := New(t, &robot, &world, 0.9*c.Padding, c.Motion)
	small.State = c.State
	small.Bind(t, c.Motion)
	return small
}
