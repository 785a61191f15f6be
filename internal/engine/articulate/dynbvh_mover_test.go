package articulate

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/numeric/interval"
)

// holds reports whether p is in the box v, give or take err.
func holds(v interval.Vec, p geom.Vec, err float64) bool { return v.Grow(err).Contains(p) }

// Wherever a frame is while its interval runs, in the world or in a frame of its chain, is
// in its interval pose; its points move as its interval rate says.
func TestPosesHoldTheMotion(t *testing.T) {
	for i := range uint64(75 * long()) {
		d := newChance(1, i)
		s := randomStage(t, d, 1+d.IntN(7), []float64{0.01, 0.5, 4}[i%3])
		lo := d.In(0, 1)
		hi := lo + (1-lo)*d.In(0, 1)*d.In(0, 1)
		for range 20 {
			x := lo + (hi-lo)*d.Float64()
			s.at(x)
			for f := range s.model.Tree.Frames {
				p := d.Vec(1)
				iv := interval.OfVec(p)
				if got := s.state.PoseWF[f].Apply(p); !holds(s.mover.PoseWF(f, lo, hi).Apply(iv), got, s.err(f, p)) {
					t.Fatalf("case %d: frame %d at %g: %v is not in %v", i, f, x, got, s.mover.PoseWF(f, lo, hi).Apply(iv))
				}
				far := s.state.PoseWF[f].Apply(p)
				v := s.state.Twist[f].At(far)
				err := s.state.ErrV[f].Lin + s.state.ErrV[f].Ang*geom.Norm(far) + s.state.Speed[f].Ang*s.err(f, p)
				if !holds(s.mover.RateWF(f, lo, hi).Apply(iv), v, err) {
					t.Fatalf("case %d: frame %d at %g: velocity %v is not in %v", i, f, x, v, s.mover.RateWF(f, lo, hi).Apply(iv))
				}
				base := 0
				if chain := s.model.Tree.Chain(f); len(chain) > 0 {
					base = int(chain[d.IntN(len(chain))])
				}
				back := s.state.PoseWF[base]
				if got := back.ApplyInv(s.state.PoseWF[f].Apply(p)); !holds(s.mover.PoseBF(base, f, lo, hi).Apply(iv), got, 1e-11) {
					t.Fatalf("case %d: frame %d seen from %d at %g: %v is not in %v", i, f, base, x, got, s.mover.PoseBF(base, f, lo, hi).Apply(iv))
				}
				rel := s.state.Twist[f].Sub(s.state.Twist[base])
				if got := back.R.ApplyInv(rel.At(far)); !holds(s.mover.RateBF(base, f, lo, hi).Apply(iv), got, 1e-9) {
					t.Fatalf("case %d: frame %d seen from %d at %g: velocity %v is not in %v", i, f, base, x, got, s.mover.RateBF(base, f, lo, hi).Apply(iv))
				}
			}
		}
	}
}

// At one time the intervals are roundings; over shorter and shorter times they shrink to
// what the frame does.
func TestPosesAreTight(t *testing.T) {
	for i := range uint64(30) {
		d := newChance(2, i)
		s := randomStage(t, d, 4, 0.5)
		p := d.Vec(1)
		s.at(0.3)
		for f := range s.model.Tree.Frames {
			box := s.mover.PoseWF(f, 0.3, 0.3).Apply(interval.OfVec(p))
			rate := s.mover.RateWF(f, 0.3, 0.3).Apply(interval.OfVec(p))
			if w := geom.Norm(width(box)); w > 1e-10 {
				t.Errorf("case %d: frame %d is %g wide at one time", i, f, w)
			}
			if w := geom.Norm(width(rate)); w > 1e-10 {
				t.Errorf("case %d: the rate of frame %d is %g wide at one time", i, f, w)
			}
			short := width(s.mover.PoseWF(f, 0.3, 0.3+1e-6).Apply(interval.OfVec(p)))
			if want := 1e-6 * 60 * (1 + s.state.Speed[f].Lin + 2*s.state.Speed[f].Ang); geom.Norm(short) > want {
				t.Errorf("case %d: frame %d is %g wide in a millionth of the motion, more than %g", i, f, geom.Norm(short), want)
			}
		}
	}
}

func width(v interval.Vec) geom.Vec { return r3.Sub(v.Box().Max, v.Box().Min) }

// A mover remembers intervals, but not those of another piece, nor more than it keeps.
func TestMoverForgets(t *testing.T) {
	d := newChance(3, 0)
	s := randomStage(t, d, 3, 1)
	f := len(s.model.Tree.Frames) - 1
	first := *s.mover.PoseWF(f, 0, 0.5)
	if p, q := s.mover.PoseWF(f, 0, 0.5), s.mover.PoseWF(f, 0, 0.5); p != q {
		t.Error("an interval was worked out twice")
	}
	for i := range 3 * keepSpans {
		s.mover.PoseWF(f, 0, float64(i)/(3*keepSpans))
	}
	if len(s.mover.spans.spans) > keepSpans || len(s.mover.spans.find) > keepSpans {
		t.Errorf("%d intervals are kept and %d found", len(s.mover.spans.spans), len(s.mover.spans.find))
	}
	if again := *s.mover.PoseWF(f, 0, 0.5); again != first {
		t.Error("an interval asked for again is another")
	}
	other := randomStage(t, newChance(3, 0), 3, 1)
	m2 := d.motion(s.model.Tree, 1, s.course.MovesRoot())
	c2 := *other.course
	c2.Bind(s.model.Tree, m2, make([]float64, len(s.model.Tree.Dofs)), rowsOf(t, s, m2.Joints))
	s.mover.Load(&c2, 0)
	if again := *s.mover.PoseWF(f, 0, 0.5); again == first {
		t.Error("another motion has the same poses")
	}
}

func rowsOf(t *testing.T, s *stage, joints []string) []int {
	rows, err := s.model.Tree.Rows(joints)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func BenchmarkPoseWF(b *testing.B) {
	d := newChance(4, 1)
	s := randomStage(b, d, 7, 0.5)
	f := len(s.model.Tree.Frames) - 1
	chain := s.model.Tree.Chain(f)
	for b.Loop() {
		s.mover.spans.clear()
		s.mover.PoseWF(f, 0, 0.5)
	}
	b.ReportMetric(float64(len(chain)), "joints")
}
