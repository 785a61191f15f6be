package place_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/lanes"
	"github.com/firstcontact-ros/firstcontact/internal/engine/place"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// sharedTrial is a robot with some motions that share the lanes.
type sharedTrial struct {
	*laneTrial
	courses []*kin.Course
	rest    bool
	pieces  int // of a motion that is alone, of which each is a step; else 0
	now     int // the motion that the twin makes
}

// sharedTrials calls f with random robots, each with some motions of its own: all at rest, or two; or with one, by its pieces.
func sharedTrials(t *testing.T, seed uint64, n int, f func(tr *sharedTrial)) {
	t.Helper()
	laneTrials(t, seed, n, func(tr *laneTrial) {
		s := &sharedTrial{laneTrial: tr, rest: tr.d.IntN(2) == 0}
		count := 2
		switch {
		case s.rest:
			count = 1 + tr.d.IntN(place.MostAtRest)
		case tr.d.IntN(2) == 0:
			count, s.pieces = 1, 1
		}
		for len(s.courses) < count {
			c, err := kin.Bind(tr.model.Tree, s.motion(), make([]float64, len(tr.model.Tree.Dofs)))
			if err != nil {
				t.Fatal(err)
			}
			s.courses = append(s.courses, c)
		}
		if s.pieces > 0 {
			s.pieces = min(s.courses[0].Pieces(), lanes.Steps)
		}
		tr.d.Shuffle(count, func(i, k int) { s.courses[i], s.courses[k] = s.courses[k], s.courses[i] })
		f(s)
	})
}

// motion draws a motion of one piece; of two that move the first is that of the trial, whose bounds may be sharp.
func (s *sharedTrial) motion() *motion.Motion {
	d := s.d
	switch {
	case s.pieces > 0:
		if d.IntN(2) == 0 {
			return s.Motion
		}
		m := d.Motion(s.Robot, robots.Travel{Pieces: 9, Mixed: true, Degrees: []int{0, 1, 1, 2, 3, 5}, Sizes: []float64{d.Spread(1e-3, 1)}})
		m.KeepTurns = true
		if d.IntN(2) == 0 { // slower than those before
			last := m.Pieces[len(m.Pieces)-1]
			p := motion.Piece{Start: last.End, End: last.End + 1}
			for _, ctrl := range last.Ctrl {
				p.Ctrl = append(p.Ctrl, ctrl[len(ctrl)-1:])
			}
			m.Pieces = append(m.Pieces, p)
		}
		return m
	case !s.rest && len(s.courses) == 0 && len(s.Motion.Pieces) == 1:
		return s.Motion
	case s.rest:
		m := d.Motion(s.Robot, robots.Travel{Pieces: 1, Degrees: []int{0}, Sizes: []float64{1}})
		m.KeepTurns = true
		for j := range m.Pieces[0].Ctrl {
			m.Pieces[0].Ctrl[j] = []float64{d.In(-3, 3) * d.Spread(1, 100)}
		}
		return m
	}
	return d.Motion(s.Robot, robots.Travel{Pieces: 1, Mixed: true, Degrees: []int{0, 1, 1, 2, 3, 5}, Sizes: []float64{d.Spread(1e-3, 2)}})
}

// share places the motions in the lanes.
func (s *sharedTrial) share(clearance float64) bool {
	s.at.ReachFor(s.courses...)
	if s.pieces > 0 {
		return s.lanes.PlacePieces(s.courses[0], s.first(), s.pieces, math.MaxFloat64, clearance)
	}
	if s.rest {
		return s.lanes.PlaceAtRest(s.courses, clearance)
	}
	return s.lanes.PlaceTwo(s.courses[0], s.courses[1], math.MaxFloat64, clearance)
}

// first is the first of the pieces: the last ones are placed.
func (s *sharedTrial) first() int { return s.courses[0].Pieces() - s.pieces }

// each calls f with some times of each motion, in a step that the motion has to itself; the twin makes this motion.
func (s *sharedTrial) each(f func(step int, at float64)) {
	for k := range s.pieces {
		s.Motion, s.course, s.piece = s.courses[0].Motion, s.courses[0], s.first()+k
		for _, at := range []float64{0, 0.5, 1, s.d.Float64()} {
			f(k, at)
		}
	}
	for i, c := range s.courses {
		if s.pieces > 0 {
			break
		}
		s.Motion, s.course, s.piece, s.now = c.Motion, c, 0, i
		steps := place.StepsOf(i, s.rest)
		first, n := 0, 0
		for k := range lanes.Times {
			if steps>>k&1 != 0 {
				if n == 0 {
					first = k
				}
				n++
			}
		}
		for k := range n {
			for _, part := range []float64{0, 0.5, 1, s.d.Float64()} {
				f(first+k, (float64(k)+part)/float64(n))
			}
		}
	}
}

// The steps that motions have are their own.
func TestSharedStepsAreDisjoint(t *testing.T) {
	for _, rest := range []bool{true, false} {
		all, n := uint8(0), 2
		if rest {
			n = place.MostAtRest
		}
		for i := range n {
			steps := place.StepsOf(i, rest)
			if steps == 0 || steps&all != 0 || steps&^lanes.All != 0 {
				t.Errorf("rest %v: motion %d has steps %08b, those before it %08b", rest, i, steps, all)
			}
			all |= steps
		}
	}
}

// Sweeps and half-spaces of a motion's steps hold what moves in it, whatever the other motions do.
func TestSharedLanesHoldWhatMoves(t *testing.T) {
	var seen [2]int
	used := 0.0
	sharedTrials(t, 65, 320, func(s *sharedTrial) {
		clearance, err := s.demand()
		if !s.share(clearance) {
			t.Fatal("too large")
		}
		for i := range s.model.Elements {
			if _, ok := s.lanes.Row(i); !ok {
				continue
			}
			s.wantSlack(t, i)
			n, axis := s.outward(i), s.d.IntN(len(axes))
			var p lanes.HalfSpace
			s.lanes.Plane(i, n, clearance, &p)
			normal := geom.Vec{X: float64(p.N[0]), Y: float64(p.N[1]), Z: float64(p.N[2])}
			s.each(func(step int, at float64) {
				seen[b2i(s.rest)]++
				rounded := 1e-12 + 1e-13*s.course.MaxAbs(0)
				top := s.highest(axes[axis], i, at)
				if reach := end(s.lanes.Sweep(i), axis, step); !(top+clearance+err <= reach+rounded*(1+math.Abs(top))) {
					t.Errorf("rest %v, motion %d, element %d, axis %d, step %d: %g at %g is beyond the sweep by %g", s.rest, s.now, i, axis, step, top, at, top+clearance+err-reach)
				}
				top = s.highest(normal, i, at)
				if least := top + clearance*geom.Norm(normal) + err - rounded*(1+math.Abs(top)); p.Beyond(least)>>step&1 == 1 {
					t.Errorf("rest %v, motion %d, element %d, along %v, step %d: %g at %g is said to be beyond", s.rest, s.now, i, n, step, least, at)
				}
				if bend := s.lanes.BendFrom(i, 0); s.rest && bend != 0 {
					t.Errorf("element %d bends by %g at rest", i, bend)
				} else if bend > 1e-6 {
					used = max(used, 1-(float64(p.Reach[step])-top-clearance-err)/bend)
				}
			})
		}
	})
	if t.Logf("%d times at rest, %d moving, up to %.3g of the bend used", seen[1], seen[0], used); min(seen[0], seen[1]) < 1000 || used < 0.6 {
		t.Error("a poor test")
	}
}

// Errors, and how far frames are from the root, are no smaller than for each of the motions alone.
func TestSharedLanesErrAsEachAlone(t *testing.T) {
	larger := 0
	sharedTrials(t, 67, 200, func(s *sharedTrial) {
		if !s.share(0) {
			t.Fatal("too large")
		}
		type errs struct{ rot, pos, far float64 }
		frames := len(s.model.Tree.Frames)
		together := make([]errs, frames)
		for f := range together {
			together[f].rot, together[f].pos, together[f].far = s.lanes.ErrOf(f)
		}
		for i, c := range s.courses {
			s.at.ReachFor(c)
			if !s.at.Load(c, c.Pieces()-1) || !s.lanes.Bound() {
				t.Fatal("too large")
			}
			for f, all := range together {
				rot, pos, far := s.lanes.ErrOf(f)
				if all.rot < rot || all.pos < pos || all.far < far {
					t.Errorf("rest %v, motion %d, frame %d: errs by %g and %g, %g away, together by %v", s.rest, i, f, rot, pos, far, all)
				}
				if all.rot > rot {
					larger++
				}
			}
		}
	})
	if larger < 100 {
		t.Errorf("%d errors are larger together: a poor test", larger)
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Pairs that planes or boxes part in a motion's steps are apart there.
func TestSharedLanesPartWhatIsApart(t *testing.T) {
	var seen [2][2]int
	sharedTrials(t, 66, 320, func(s *sharedTrial) {
		if s.demand(); !s.share(s.d.Float64()) {
			t.Fatal("too large")
		}
		for _, i := range s.ownPairs(6) {
			q := s.at.PairOf(i)
			time := s.d.IntN(lanes.Times)
			n := s.d.Unit()
			if to, ok := geom.Unit(r3.Sub(s.lanes.Middle(q.B, min(time, lanes.Steps-1)), s.lanes.Middle(q.A, min(time, lanes.Steps-1)))); ok {
				n = to
			}
			clearance := s.d.Spread(1e-4, 0.3) * float64(s.d.IntN(2))
			parted := s.lanes.Parted(q, n, time, clearance) | s.lanes.Beside(q, clearance)
			s.each(func(step int, at float64) {
				said := parted >> step & 1
				seen[b2i(s.rest)][said]++
				if said == 0 {
					return
				}
				if d, _ := s.apart(q.A, q.B, at); !(d > clearance-1e-12-1e-13*s.course.MaxAbs(0)) {
					t.Errorf("rest %v, motion %d, pair %d, step %d: said to be %g apart, but at %g it is %g", s.rest, s.now, i, step, clearance, at, d)
				}
			})
		}
	})
	if t.Logf("moving: %v, at rest: %v (not parted, parted)", seen[0], seen[1]); min(seen[0][0], seen[0][1], seen[1][0], seen[1][1]) < 500 {
		t.Error("a poor test")
	}
}
