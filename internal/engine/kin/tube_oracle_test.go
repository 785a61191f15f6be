package kin_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/exact"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// bigChord is 2 sin(min(x, pi)/2), of a turn; of a slide it is x.
func bigChord(x float64, slides bool) exact.Num {
	if slides {
		return exact.Of(x)
	}
	return exact.Chord(x)
}

// The tube is the sum of what the joints beyond the parting body may stray.
func TestTubeAgainstItsTwin(t *testing.T) {
	loosest := 0.0
	for i := range 400 {
		r := rand.New(rand.NewPCG(41, uint64(i)))
		tr := randomTrial(r)
		tree := tr.plan.treeOrDie()
		s := kin.NewState(tree)
		for k := range tree.Frames {
			if r.IntN(3) > 0 {
				s.SetStray(k, math.Pow(10, 7*r.Float64()-6))
			}
		}
		s.Set(tr.cs.at(tr.c, tr.lo, tr.hi))
		f := tree.LinkFrame[tr.link]
		chain := tree.Chain(f)
		radii := make([]float64, len(chain))
		for j := range radii {
			radii[j] = math.Pow(10, 4*r.Float64()-3)
		}
		want := exact.Of(0)
		for j := tr.from; j < len(chain); j++ {
			k := chain[j]
			want = want.Plus(exact.Of(radii[j]).Times(bigChord(s.Stray[k], tree.Frames[k].Prismatic)))
		}
		got := s.Tube(f, tr.from, radii)
		above(t, "tube", got, want)
		if w := want.Float(); w > 0 {
			loosest = math.Max(loosest, got/w-1)
		}
	}
	t.Logf("at most %.2g too large", loosest)
}

// One large and two hundred small terms, each of which rounding to nearest loses.
func TestTubesAreRoundedUp(t *testing.T) {
	const n, tiny = 200, 0.9 * 0x1p-53
	p := plan{}
	for i := range n + 1 {
		p = append(p, slide(i, alongX))
	}
	s := kin.NewState(p.tree(t))
	radii, sum := make([]float64, n+1), exact.Of(1)
	s.SetStray(1, 1)
	for i := range radii {
		radii[i] = 1
		if i > 0 {
			s.SetStray(i+1, tiny)
			sum = sum.Plus(exact.Of(tiny))
		}
	}
	above(t, "tube", s.Tube(n+1, 0, radii), sum)
}

// A deeper joint that strays takes the ball farther from the axes before it: here
// from the axis itself, as far as its chord.
func TestRadiiHoldWithTheTube(t *testing.T) {
	for _, by := range []float64{1e-3, 0.3, 2, 4} {
		p := plan{pin(0), pin(1, 1, 0, 0), pin(2, 1, 0, 0)}
		tree := p.tree(t)
		s := kin.NewState(tree)
		s.SetStray(2, by)
		s.SetStray(3, 99) // about the ball's own centre: strays nowhere
		s.Set([]kin.Around{{}, {Q: math.Pi, MaxAbs: math.Pi}, {}})
		reach, radii := make([]float64, 3), make([]float64, 3)
		tree.Reach(3, geom.Vec{}, 0.1, func(int) float64 { return 0 }, reach)
		s.Radii(3, s.PoseWF[3].P, 0.1, reach, radii)
		// The centre is on axis 1, a metre from axis 2; the ball's own radius strays
		// with joint 3 by twice itself at most.
		want := 0.1 + 1.1*bigChord(by, false).Float() + 0.1*2
		want = math.Min(want, 2.1)
		if math.Abs(radii[0]-want) > 1e-9 {
			t.Errorf("straying by %g: %.12g from the first axis, want %.12g", by, radii[0], want)
		}
	}
	// A slide strays by what it strays.
	p := plan{pin(0), slide(1, alongX)}
	tree := p.tree(t)
	s := kin.NewState(tree)
	s.SetStray(2, 0.25)
	s.Set([]kin.Around{{}, {}})
	reach, radii := []float64{9, 9}, make([]float64, 2)
	s.Radii(2, geom.Vec{}, 0, reach, radii)
	if math.Abs(radii[0]-0.25) > 1e-9 {
		t.Errorf("a slide that strays by 0.25 m leads %g from the axis", radii[0])
	}
}

// Far and Speed bound poses and twists on the whole piece, and are attained by
// chains stretched out.
func TestFarAndSpeed(t *testing.T) {
	for i := range 600 {
		r := rand.New(rand.NewPCG(42, uint64(i)))
		tr := randomTrial(r)
		tree := tr.plan.treeOrDie()
		s := kin.NewState(tree)
		s.Bound(tr.cs.at(0.5, 0, 1))
		for _, c := range tr.times(r, 8) {
			s.Place(tr.cs.at(c, c, c))
			for f := range tree.Frames {
				s.Ensure(f)
				switch w := &s.Twist[f]; {
				case geom.Norm(s.PoseWF[f].P) > s.Far[f]*(1+1e-12):
					t.Fatalf("trial %d, frame %d: %g far, bound %g", i, f, geom.Norm(s.PoseWF[f].P), s.Far[f])
				case geom.Norm(w.Lin) > s.Speed[f].Lin*(1+1e-12) || geom.Norm(w.Ang) > s.Speed[f].Ang*(1+1e-12):
					t.Fatalf("trial %d, frame %d: twist %v, bound %v", i, f, *w, s.Speed[f])
				}
			}
		}
	}
	// A turning arm whose slide runs out along it: 1 + 2 far, and the arm's next turn
	// in step with the first.
	p := plan{pin(0, 1, 0, 0), {parent: 1, kind: urdf.Prismatic, axis: alongX, xyz: [3]float64{2, 0, 0}}, pin(2, 3, 0, 0)}
	tree := p.tree(t)
	s := kin.NewState(tree)
	s.Set(curves{{-0.5, 0.5}, {0, 4}, {0, 2}}.at(1, 0, 1))
	s.Bound(curves{{-0.5, 0.5}, {0, 4}, {0, 2}}.at(0.5, 0, 1))
	for f, want := range map[int][3]float64{
		1: {1, 1, 1}, // far, linear (1 rad/s 1 m off), angular
		2: {1 + 2 + 4, 1 + 4, 1},
		3: {1 + 2 + 4 + 3, 1 + 4 + 2*10, 1 + 2},
	} {
		got := [3]float64{s.Far[f], s.Speed[f].Lin, s.Speed[f].Ang}
		for k := range got {
			if math.Abs(got[k]-want[k]) > 1e-9 {
				t.Errorf("frame %d: %v, want %v", f, got, want)
			}
		}
	}
}

// Turns about the axes of coordinates, forwards and backwards, are the turns that
// the general formula gives.
func TestTurnsAboutAxes(t *testing.T) {
	for _, axis := range [][3]float64{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}} {
		for _, q := range []float64{-2.5, -0.3, 0, 0.3, 2.5} {
			p := plan{{kind: urdf.Revolute, axis: axis, rpy: [3]float64{0.1, 0.2, 0.3}}}
			s := still(p.tree(t), q)
			want := geom.RPY(0.1, 0.2, 0.3).Mul(geom.AxisAngle(asVec(axis), q))
			for _, x := range []geom.Vec{{X: 1}, {Y: 1}, {Z: 1}} {
				if d := geom.Norm(r3.Sub(s.PoseWF[1].R.Apply(x), want.Apply(x))); d > 1e-15 {
					t.Errorf("axis %v by %g: off by %g", axis, q, d)
				}
			}
		}
	}
}

// A moving root: the link turns about the axis through the point, which its
// variables move, from the pose it has relative to that point.
func TestRootMovesAboutItsPoint(t *testing.T) {
	for i := range 200 {
		r := rand.New(rand.NewPCG(43, uint64(i)))
		tree, err := kin.NewRootedTree(plan{pin(0, 1, 2, 3)}.robot())
		if err != nil {
			t.Fatal(err)
		}
		s := kin.NewState(tree)
		axis, at := randomUnit(r), asVec(randomTriple(r, 3))
		start := geom.Pose{R: geom.AxisAngle(randomUnit(r), symmetric(r, 3)), P: asVec(randomTriple(r, 2))}
		s.Root = kin.Root{Axis: axis, Pose: start}
		angle, rate := symmetric(r, 9), symmetric(r, 2)
		v := asVec(randomTriple(r, 1))
		dofs := make([]kin.Around, len(tree.Dofs))
		n := len(dofs) - kin.RootDofs
		for k, x := range [4][2]float64{{at.X, v.X}, {at.Y, v.Y}, {at.Z, v.Z}, {angle, rate}} {
			dofs[n+k] = kin.Around{Q: x[0], QD: x[1], Omega: math.Abs(x[1]), MaxAbs: math.Abs(x[0])}
		}
		s.Set(dofs)
		f := tree.LinkFrame[0]
		turn := geom.AxisAngle(axis, angle)
		x := asVec(randomTriple(r, 1))
		want := r3.Add(at, turn.Apply(start.Apply(x)))
		if d := geom.Norm(r3.Sub(s.PoseWF[f].Apply(x), want)); d > 1e-13 {
			t.Fatalf("case %d: off by %g", i, d)
		}
		speed := r3.Add(v, r3.Scale(rate, r3.Cross(axis, r3.Sub(want, at))))
		if d := geom.Norm(r3.Sub(s.Twist[f].At(want), speed)); d > 1e-13 {
			t.Fatalf("case %d: velocity off by %g", i, d)
		}
		if far := geom.Norm(s.PoseWF[f].P); far > s.Far[f] || s.Far[f] > 2*(math.Abs(at.X)+math.Abs(at.Y)+math.Abs(at.Z)+geom.Norm(start.P)) {
			t.Fatalf("case %d: %g far, bound %g", i, far, s.Far[f])
		}
		// Reach from the turn's axis: no pose of the link brings x farther than this.
		chain := tree.Chain(f)
		reach := make([]float64, len(chain))
		tree.Reach(f, x, 0, func(k int) float64 {
			if k == int(chain[len(chain)-1]) {
				return geom.Norm(start.P)
			}
			return 0
		}, reach)
		if far := geom.Norm(r3.Sub(want, at)); far > reach[len(chain)-2] {
			t.Fatalf("case %d: %g from the point, reach %g", i, far, reach[len(chain)-2])
		}
	}
}

// Far out, where coordinates are known to a tenth of a nanometre only, a ball's
// distance from the axis it turns about is not taken to be known better.
func TestRadiiCoverPositionsFarOut(t *testing.T) {
	short := 0
	for i := range 300 {
		r := rand.New(rand.NewPCG(44, uint64(i)))
		out := asTriple(randomUnit(r))
		p := plan{{kind: urdf.Prismatic, axis: out}, pin(1)}
		p[1].rpy = randomTriple(r, 3)
		tree := p.tree(t)
		far := 1e6 * r.Float64()
		s := kin.NewState(tree)
		s.Set([]kin.Around{{Q: far, MaxAbs: far}, {Q: 1, MaxAbs: 1}})
		center := vec(0.1*r.Float64(), 0.1*r.Float64(), 5)
		reach, radii := make([]float64, 2), make([]float64, 2)
		tree.Reach(2, center, 0, func(int) float64 { return far }, reach)
		at := s.PoseWF[2].Apply(center)
		s.Radii(2, at, 0, reach, radii)
		d := math.Hypot(center.X, center.Y)
		if radii[1] < d {
			t.Fatalf("case %d: radius %.17g, but the centre is %.17g from the axis", i, radii[1], d)
		}
		if geom.Norm(r3.Cross(r3.Sub(at, s.OriginW[2]), s.AxisW[2])) < d-1e-12 {
			short++
		}
	}
	if short < 20 {
		t.Errorf("only %d distances come out too short: the test tests nothing", short)
	}
}
