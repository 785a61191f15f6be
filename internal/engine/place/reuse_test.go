package place_test

import (
	"math"
	"reflect"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/place"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// account is all that a placed robot says.
type account struct {
	C, Lo, Hi, H float64
	Elements     []elementAccount
	Pairs        []pairAccount
}

type elementAccount struct {
	Pose                                   geom.Pose
	Center, Vel, Bend                      geom.Vec
	Accel, Jerk, Far, Tube, Slack, Center2 float64
}

type pairAccount struct {
	Accel, Jerk, Far, Slack, Tube, Along, Bend float64
}

func accountOf(s *stage) account {
	r := s.at
	a := account{C: r.C, Lo: r.Lo, Hi: r.Hi, H: r.H}
	for i := range s.model.Real {
		e := r.Element(i)
		arc := r.CenterAccel(i)
		a.Elements = append(a.Elements, elementAccount{e.Pose, e.Center, e.Vel, e.Bend, e.Accel, e.Jerk, e.Far, e.Tube, e.Slack, arc})
	}
	for i := range s.model.Pairs {
		p := s.whole(int32(i))
		along, bend := r.PairAccelAlong(int32(i), ex), r.PairBendAlong(int32(i), p, ex)
		a.Pairs = append(a.Pairs, pairAccount{p.Accel, p.Jerk, p.Far, p.Slack, p.Tube, along, bend})
	}
	return a
}

// Whatever a robot was asked before, it answers as a new one does.
func TestPlacedRobotsForget(t *testing.T) {
	trials(t, 55, 60, func(tr *trial) {
		fresh := func(do func(s *stage)) account {
			s := *tr.stage
			s.at = place.New(tr.model)
			do(&s)
			return accountOf(&s)
		}
		for range 6 {
			state := make([]float64, len(tr.model.Tree.Dofs))
			far := tr.d.Spread(0.1, 100)
			for k := range state {
				state[k] = tr.d.In(-far, far)
			}
			lo, hi := tr.d.In(0, 0.5), tr.d.In(0.5, 1)
			c := tr.d.In(lo, hi)
			moves, rests := tr.Motion, resting(t, tr.Motion.Joints, state)
			do := [...]func(s *stage){
				func(s *stage) { s.place(t, 0, c, lo, hi) },
				func(s *stage) { s.place(t, 0, c, c, c) },
				func(s *stage) { s.place(t, 0, c, lo, hi); s.at.Still() },
				func(s *stage) { s.at.Rest(state, false) },
				func(s *stage) { s.bind(t, rests); s.place(t, 0, c, lo, hi); s.bind(t, moves) },
				func(s *stage) { s.bind(t, rests); s.place(t, 0, c, lo, hi); s.bind(t, moves) },
			}[tr.d.IntN(6)]
			do(tr.stage)
			if got, want := accountOf(tr.stage), fresh(do); !reflect.DeepEqual(got, want) {
				t.Fatalf("a robot that was asked before says\n%+v\na new one\n%+v", got, want)
			}
		}
	})
}

// So does one whose root link moved before, otherwise or not at all.
func TestRootsAreForgotten(t *testing.T) {
	trials(t, 58, 40, func(tr *trial) {
		m, err := model.NewRooted(tr.Robot, nil, nil, &model.Library{})
		if err != nil {
			t.Fatal(err)
		}
		moves := func() *motion.Motion {
			m := *tr.Motion
			if tr.d.MoveRoot(&m); tr.d.IntN(2) == 0 { // larger errors of the same joints
				m.Root[0].Start.P.X += tr.d.Spread(1, 1e3)
			}
			return &m
		}
		// The last motion's root differs from the first one's in nothing that ranges tell.
		first, second := moves(), moves()
		state := make([]float64, len(m.Tree.Dofs))
		for k := range state {
			state[k] = tr.d.In(-1, 1)
		}
		do := []func(s *stage){
			func(s *stage) { s.bind(t, first); s.place(t, 0, tr.c, tr.lo, tr.hi) },
			func(s *stage) { s.bind(t, second); s.place(t, 0, tr.c, tr.lo, tr.hi) },
			func(s *stage) { s.at.Rest(state, false) },
			func(s *stage) { s.bind(t, tr.Motion); s.place(t, 0, tr.c, tr.lo, tr.hi) },
		}
		used := &stage{Moving: tr.Moving, model: m, at: place.New(m)}
		for range 8 {
			act := do[tr.d.IntN(len(do))]
			fresh := &stage{Moving: tr.Moving, model: m, at: place.New(m)}
			act(used)
			act(fresh)
			if got, want := accountOf(used), accountOf(fresh); !reflect.DeepEqual(got, want) {
				t.Fatalf("a robot that was asked before says\n%+v\na new one\n%+v", got, want)
			}
		}
	})
}

// resting is a motion that stays where a state begins.
func resting(t *testing.T, joints []string, state []float64) *motion.Motion {
	t.Helper()
	m, err := motion.Path(joints, [][]float64{state[:len(joints)]}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Slack at rest depends on how large positions are, not on their signs, and a robot that
// keeps what it knew has no less than a new one.
func TestSlackAtRestIsOfThePositions(t *testing.T) {
	trials(t, 56, 60, func(tr *trial) {
		state, back := make([]float64, len(tr.model.Tree.Dofs)), make([]float64, len(tr.model.Tree.Dofs))
		for k := range state {
			state[k] = tr.d.Spread(1, 1e4)
			back[k] = -state[k]
		}
		slack := func(r *place.Robot, q []float64, warm bool) (out []float64) {
			if !r.Rest(q, warm) {
				t.Fatal("not at rest")
			}
			for i := range tr.model.Real {
				out = append(out, r.SlackAtRest(i))
			}
			return out
		}
		there, away := slack(place.New(tr.model), state, false), slack(place.New(tr.model), back, false)
		used := place.New(tr.model)
		used.Rest(make([]float64, len(state)), true)
		kept := slack(used, back, true)
		for i := range there {
			if there[i] != away[i] || kept[i] < away[i] {
				t.Errorf("element %d: slack %g at %v, %g on the other side, %g of one that was at 0", i, there[i], state, away[i], kept[i])
			}
		}
	})
}

// Where numbers are too large nothing is placed, and the next question is answered again.
func TestTooLargeToPlace(t *testing.T) {
	slide := robots.Hinge{Kind: urdf.Prismatic, Axis: ex, Parts: robots.Part(robots.At(0, 0, 0), robots.Ball(0.1))}
	s := newStage(t, robots.Of(nil, slide), robots.World(robots.Object("o", robots.Ball(1), robots.At(5, 0, 0))), robots.Move([]float64{0, 1}))
	for _, huge := range []float64{1e200, math.MaxFloat64} {
		if s.at.Rest([]float64{huge}, true) {
			t.Errorf("at rest at %g", huge)
		}
		if !s.at.Rest([]float64{1}, true) || s.at.Element(0).Center.X != 1 {
			t.Errorf("not at rest at 1 after %g", huge)
		}
		s.bind(t, robots.Move([]float64{0, huge}))
		s.at.ReachFor(s.course)
		if s.at.Load(s.course, 0) {
			t.Errorf("a motion to %g is loaded", huge)
		}
		s.bind(t, robots.Move([]float64{0, 1}))
		s.place(t, 0, 0.5, 0, 1)
	}
}

// Errors are bounded for ranges and rates that are no smaller than a motion's, whatever these are, and once for most motions.
func TestRangesThatErrorsAreBoundedFor(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for i := range 5000 {
		d := robots.NewDice(56, uint64(i))
		draw := func() float64 {
			switch d.IntN(8) {
			case 0:
				return 0
			case 1:
				return []float64{nan, inf, math.MaxFloat64, 0x1p-1060, 4, 8, 64}[d.IntN(7)]
			}
			return d.Spread(1e-20, 1e20)
		}
		a := kin.Around{MaxAbs: draw(), Omega: draw(), Alpha: draw(), QDErr: draw(), QDDErr: draw()}
		b := place.Rounded(&a, 0.25)
		for _, x := range [][2]float64{{a.MaxAbs, b.MaxAbs}, {a.Omega, b.Omega}, {a.Alpha, b.Alpha}, {a.QDErr, b.QDErr}, {a.QDDErr, b.QDDErr}} {
			if !(x[1] >= x[0] || math.IsNaN(x[0]) && math.IsNaN(x[1])) {
				t.Errorf("%v is rounded to %v", a, b)
			}
		}
	}
	often := 0
	trials(t, 57, 60, func(tr *trial) {
		d := tr.d
		var before uint64
		for k := range 4 {
			tr.bind(t, d.Motion(tr.Robot, robots.Travel{Pieces: 1, Degrees: []int{1}, Sizes: []float64{0.1, 0.2}}))
			tr.at.Load(tr.course, 0)
			if k > 0 && tr.at.Bounds() == before {
				often++
			}
			before = tr.at.Bounds()
		}
	})
	if often < 90 {
		t.Errorf("errors are bounded anew for all but %d of 180 motions", often)
	}
}
