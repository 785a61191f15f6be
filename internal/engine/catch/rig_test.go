package catch

import (
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/enginetest"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/meshes"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// rig is a robot in a world, and a worker.
type rig struct {
	m *model.Model
	w *Worker
}

// newRig compiles robot and world. Links that a joint holds together are no pairs.
func newRig(t testing.TB, robot *urdf.Robot, world *scene.Snapshot, padding float64, rooted bool) *rig {
	t.Helper()
	build := model.New
	if rooted {
		build = model.NewRooted
	}
	m, err := build(robot, world, func(string) float64 { return padding }, &model.Library{})
	if err != nil {
		t.Fatal(err)
	}
	m.PairUp(func(a, b *model.Body) string { return held(robot, a, b) })
	return rigOf(t, m)
}

func rigOf(t testing.TB, m *model.Model) *rig {
	t.Helper()
	p, err := Prepare(m)
	if err != nil {
		t.Fatal(err)
	}
	return &rig{m: m, w: p.NewWorker()}
}

func held(robot *urdf.Robot, a, b *model.Body) string {
	for i := range robot.Joints {
		j := &robot.Joints[i]
		if a.Link == j.Parent && b.Link == j.Child || a.Link == j.Child && b.Link == j.Parent {
			return "held together by a joint"
		}
	}
	if a.Link == b.Link {
		return "one link"
	}
	return ""
}

func (r *rig) bind(t testing.TB, m *motion.Motion) *kin.Course {
	t.Helper()
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	b, err := kin.Bind(r.m.Tree, m, make([]float64, len(r.m.Tree.Dofs)))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// scenes is how many random scenes a test looks at, many more in campaigns.
func scenes(n int) int {
	if race.Enabled && !switches.Long.Set() {
		return n / 8
	}
	return switches.Long.Times(n, 10)
}

// The shapes and the dice of the conformance suite.
var (
	newDice = enginetest.NewDice
	ball    = robots.Ball
	box     = robots.Box
	meshOf  = robots.Mesh
	elbow   = meshes.Elbow
	slider  = enginetest.Slider
	worldOf = enginetest.WorldOf
	at      = robots.At
)
