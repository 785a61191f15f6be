package place_test

import (
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/place"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/twin"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

var (
	ex = geom.Vec{X: 1}
	ez = geom.Vec{Z: 1}
)

// stage is a robot with a motion, placed, and its twin.
type stage struct {
	twin.Moving
	model  *model.Model
	course *kin.Course
	at     *place.Robot
}

// newStage compiles robot and world; all pairs count.
func newStage(t testing.TB, robot *urdf.Robot, world *scene.Snapshot, m *motion.Motion) *stage {
	t.Helper()
	md, err := model.New(robot, world, nil, &model.Library{})
	if err != nil {
		t.Fatal(err)
	}
	md.PairUp(func(_, _ *model.Body) string { return "" })
	s := &stage{Moving: twin.Moving{Robot: robot}, model: md, at: place.New(md)}
	s.bind(t, m)
	return s
}

// bind gives the robot another motion.
func (s *stage) bind(t testing.TB, m *motion.Motion) {
	t.Helper()
	c, err := kin.Bind(s.model.Tree, m, make([]float64, len(s.model.Tree.Dofs)))
	if err != nil {
		t.Fatal(err)
	}
	s.Motion, s.course = m, c
}

// place puts the robot at c on a piece, with bounds on [lo, hi].
func (s *stage) place(t testing.TB, piece int, c, lo, hi float64) {
	t.Helper()
	s.at.ReachFor(s.course)
	if !s.at.Load(s.course, piece) {
		t.Fatal("too large to compute with")
	}
	s.at.Place(c, lo, hi)
}

// whole is a pair with both elements as single convex pieces.
func (s *stage) whole(i int32) *place.Pair {
	q, p := s.at.PairOf(i), s.at.Pair(i)
	p.A.Core, p.B.Core = &s.model.Elements[q.A].Core, &s.model.Elements[q.B].Core
	return p
}
