package romtree

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/twin"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

func within(lo, hi float64) urdf.Joint {
	return urdf.Joint{Type: urdf.Revolute, Limit: urdf.Limit{Bounded: true, Lower: lo, Upper: hi}}
}

func following(multiplier float64) urdf.Joint {
	return urdf.Joint{Type: urdf.Revolute, Mimic: &urdf.Mimic{Joint: 0, Multiplier: multiplier}}
}

// panTilt turns a small ball, 1 m away along x, about z and about y, both within half
// of gap on either side.
func panTilt(gap, radius float64) *urdf.Robot {
	return chainOf(
		link{within(-gap/2, gap/2), geom.Vec{}, geom.Vec{Z: 1}, geom.Vec{}, 0},
		link{within(-gap/2, gap/2), geom.Vec{}, geom.Vec{Y: 1}, geom.Vec{X: 1}, radius},
	)
}

// The paper calls two sampled hulls apart once their distance exceeds 2 e, with
// e = r (1 - cos(a/2)) for all joints together. Two pan-tilts that look at each other
// refute it: each is sampled at the ends of both joints, a gap a apart, and each
// reaches e for the pan and nearly e for the tilt beyond its samples. Put their bases
// so that their tips meet where both look straight ahead, and the sampled hulls are
// almost 4 e apart.
func TestOneErrorForAllJointsIsNotEnough(t *testing.T) {
	const gap, ball = 1.0, 1e-3
	m := modelOf(t, panTilt(gap, ball), nil, 0, nil)
	box := LimitsBox(m.Tree, nil)
	s := newSweeper(m, box, sampled, gap, 1000)
	s.reach = newSweeper(m, box, exact, 0.1, 1000).reaches()
	c, ok := s.swept(1, nil)
	if !ok {
		t.Fatal("no cloud")
	}
	ahead, e := geom.Vec{X: 1}, 1-math.Cos(gap/2)
	bare := math.Inf(-1) // what the samples reach ahead
	for _, p := range c[0].points {
		bare = max(bare, r3.Dot(ahead, p))
	}
	if want := math.Cos(gap/2)*math.Cos(gap/2) + 0; math.Abs(bare-want) > 1e-12 {
		t.Fatalf("samples reach %g, want %g", bare, want)
	}
	// The bases stand two reaches apart, facing each other: the tips touch.
	between := 2 * (1 + ball)
	hulls := between - 2*(bare+ball)
	if !(hulls > 2*e) {
		t.Fatalf("the sampled hulls are %g apart, not more than 2 e = %g: no counter-example", hulls, 2*e)
	}
	if got := between - 2*c.along(ahead); got > 0 {
		t.Errorf("with the sum of errors they would still be %g apart, but they touch", got)
	}
	if got := between - 2*c.along(ahead); got < -4*e*e {
		t.Errorf("the sum of errors is %g too large", -got)
	}
}

// Where a single joint is sampled, with as large a gap as there may be, the error is
// attained in the middle of the gap. The gap is that of the samples, both limits among
// them: 0.9 rad in gaps of at most 0.5 is two of 0.45.
func TestSampleErrorIsAttained(t *testing.T) {
	m := modelOf(t, chainOf(link{within(0, 0.9), geom.Vec{}, geom.Vec{Z: 1}, geom.Vec{X: 2}, 0.1}), nil, 0, nil)
	s := newSweeper(m, LimitsBox(m.Tree, nil), sampled, 0.5, 1000)
	c, _ := s.swept(1, nil)
	sin, cos := math.Sincos(0.225)
	if got := c.along(geom.Vec{X: cos, Y: sin}); !(got >= 2.1) || got > 2.1+1e-9 {
		t.Errorf("reaches %.12g in the middle of the first gap, want 2.1", got)
	}
	for _, end := range []float64{0, 0.9} {
		sin, cos := math.Sincos(end)
		want := 2.1 + 2*(1-math.Cos(0.225))
		if got := c.along(geom.Vec{X: cos, Y: sin}); !(got >= 2.1) || math.Abs(got-want) > 1e-9 {
			t.Errorf("reaches %.12g at the limit %g, want %.12g", got, end, want)
		}
	}
}

// A slide is the hull of its ends: nothing is added.
func TestSlidesAreSampledExactly(t *testing.T) {
	slide := urdf.Joint{Type: urdf.Prismatic, Limit: urdf.Limit{Bounded: true, Lower: -1, Upper: 3}}
	m := modelOf(t, chainOf(link{slide, geom.Vec{}, geom.Vec{Z: 1}, geom.Vec{X: 2}, 0.1}), nil, 0, nil)
	s := newSweeper(m, LimitsBox(m.Tree, nil), sampled, 0.5, 1000)
	c, _ := s.swept(1, nil)
	if got := c.along(geom.Vec{Z: 1}); !(got >= 3.1) || got > 3.1+1e-9 {
		t.Errorf("reaches %.12g, want 3.1", got)
	}
}

// A joint that follows another is sampled along it, and then the paper's error is too
// small: two bars of which the second turns m times as fast make n.x an arc of radius
// (A) at unit speed about its top. With the top in the middle of a gap all of A a^2/8 is
// needed, but for the fourth order.
func TestFollowersNeedTheSecondDerivative(t *testing.T) {
	const l1, l2, gap = 1.0, 0.7, 0.02
	for _, follow := range []float64{2, 0.5} {
		lo, hi := -gap/2, (mimicCuts-0.5)*gap
		m := modelOf(t, chainOf(
			link{within(lo, hi), geom.Vec{}, geom.Vec{Z: 1}, geom.Vec{}, 0},
			link{following(follow), geom.Vec{X: l1}, geom.Vec{Z: 1}, geom.Vec{X: l2}, 1e-6},
		), nil, 0, nil)
		box := LimitsBox(m.Tree, nil)
		s := newSweeper(m, box, sampled, 0.3, 1000)
		s.reach = newSweeper(m, box, exact, 0.02, 1000).reaches()
		c, _ := s.swept(1, nil)
		reach := l1 + l2 + 1e-6 // straight, at zero: between two samples
		got := c.along(geom.Vec{X: 1})
		accel := l1 + l2*(1+follow)*(1+follow)
		bare := l1*math.Cos(gap/2) + l2*math.Cos((1+follow)*gap/2) + 1e-6
		if got < reach {
			t.Errorf("x%g: reaches %.12g, but the tip is at %.12g", follow, got, reach)
		}
		if extra, want := got-bare, accel*gap*gap/8; math.Abs(extra-want) > 0.005*want {
			t.Errorf("x%g: %.9g are added, want about %.9g", follow, extra, want)
		}
		if literal := bare + (l1+l2)*(1-math.Cos(gap/2)); literal >= reach {
			t.Errorf("x%g: the paper's error would do", follow)
		}
		exactly, _ := newSweeper(m, box, exact, 0.3, 1000).swept(1, nil)
		if got := exactly.along(geom.Vec{X: 1}); got < reach || got > reach+0.02 {
			t.Errorf("x%g: the exact form reaches %.9g, want %.9g", follow, got, reach)
		}
	}
}

// A slide that follows a turn before it adds the mixed term alone, 2 omega_m omega_k.
func TestFollowingSlides(t *testing.T) {
	const gap = 0.02
	slide := urdf.Joint{Type: urdf.Prismatic, Mimic: &urdf.Mimic{Joint: 0, Multiplier: 3}}
	m := modelOf(t, chainOf(
		link{within(0, mimicCuts*gap), geom.Vec{}, geom.Vec{Z: 1}, geom.Vec{}, 0},
		link{slide, geom.Vec{X: 1}, geom.Vec{Y: 1}, geom.Vec{X: 0.5}, 1e-6},
	), nil, 0, nil)
	s := newSweeper(m, LimitsBox(m.Tree, nil), sampled, 0.3, 1000)
	s.reach = newSweeper(m, s.box, exact, 0.02, 1000).reaches()
	want := (s.reach[1] + 2*3) * gap * gap / 8
	if got := s.coupledError(1, s.cuts(1)); math.Abs(got-want) > 1e-9 || got < want {
		t.Errorf("error %.12g, want %.12g", got, want)
	}
}

// farthest is the distance to the farthest place, and around goes around all of them.
func TestArcs(t *testing.T) {
	d := diceOf(1)
	for range 3000 {
		w := way{axis: d.axis(), at: Range{Lo: d.In(-7, 7)}}
		w.at.Hi = w.at.Lo + math.Exp(d.In(math.Log(1e-4), math.Log(10)))
		if d.IntN(5) == 0 {
			w.prismatic = true
		} else if d.IntN(6) == 0 {
			w.at = Range{math.Inf(-1), math.Inf(1)}
		}
		p, x, n, gap := d.Vec(1), d.Vec(1), d.axis(), d.In(0.05, 1)
		hull, along := w.around(nil, p, gap), math.Inf(-1)
		for _, v := range hull {
			along = max(along, r3.Dot(n, v))
		}
		far, top, span := 0.0, math.Inf(-1), w.at
		if !span.Finite() {
			span = Range{0, 2 * math.Pi}
		}
		const steps = 300
		for i := range steps + 1 {
			y := w.place(p, span.Lo+(span.Hi-span.Lo)*float64(i)/steps)
			if !w.prismatic {
				y = twin.Turned(p, w.axis, span.Lo+(span.Hi-span.Lo)*float64(i)/steps)
			}
			far, top = max(far, r3.Norm(r3.Sub(x, y))), max(top, r3.Dot(n, y))
		}
		got := w.farthest(x, p)
		if got < far-1e-13 || got > far+2e-3 {
			t.Fatalf("%+v: farthest of %v from %v is %g, not %g", w, p, x, got, far)
		}
		if slack := 0.2 * gap * gap * r3.Norm(p); along < top-1e-13 || along > top+slack+1e-3 {
			t.Fatalf("%+v: around %v reaches %g along %v, want %g", w, p, along, n, top)
		}
	}
}

// Thinning keeps everything inside.
func TestFewerPointsHoldTheRest(t *testing.T) {
	d := diceOf(2)
	for range 60 {
		var g grown
		for range 20 + d.IntN(300) {
			g.points = append(g.points, d.Vec(1))
		}
		g.radius = d.In(0, 0.1)
		few := cloud{g}.fewer(12)
		if len(few[0].points) > 12 {
			t.Fatalf("%d points are left", len(few[0].points))
		}
		b := few.ball()
		for range 200 {
			n, _ := geom.Unit(d.Vec(1))
			if got, want := few.along(n), (cloud{g}).along(n); got < want {
				t.Fatalf("reaches %g where the rest reaches %g", got, want)
			}
			if reach := r3.Dot(n, b.Center) + b.Radius; reach < few.along(n)-1e-15 {
				t.Fatalf("the ball reaches %g, the cloud %g", reach, few.along(n))
			}
		}
	}
}
