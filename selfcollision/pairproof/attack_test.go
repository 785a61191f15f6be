package pairproof

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/meshes"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// refute looks for a configuration that speaks against an answer: random ones, on
// faces and at corners of the joint box, and from each downhill along the distance.
// It has the exact check alone in common with who gave the answer.
//
// It stops after half a minute, and returns how many configurations it looked at:
// meshes within meshes take their time.
func refute(t *testing.T, g *rig, p *Pair, samples int, d dice) int {
	t.Helper()
	end := time.Now().Add(30 * time.Second)
	g.rng = d.Rand
	whole := g.root()
	for i := range samples {
		if i%64 == 0 && time.Now().After(end) {
			return i
		}
		q := whole.sample(d)
		for k := range q {
			q[k] = math.Max(g.lo[k], math.Min(g.hi[k], q[k]))
		}
		switch p.Meets {
		case Never:
			g.place(q)
			near := g.hulls().distance <= g.opt.Clearance && g.touches(q)
			if f := (found{}); !near && i%16 == 0 {
				g.descend(q, &f)
				near = f.touch != nil
			}
			if near {
				t.Errorf("%s and %s never meet, and do at %v", p.LinkA, p.LinkB, g.state(q))
				return i
			}
		case Always:
			if !g.touches(q) {
				t.Errorf("%s and %s always meet, and do not at %v", p.LinkA, p.LinkB, g.state(q))
				return i
			}
		default:
			return 0
		}
	}
	return samples
}

// check holds a pair's own witnesses against the exact check.
func check(t *testing.T, g *rig, p *Pair) {
	t.Helper()
	at := func(state []float64) []float64 {
		var q []float64
		for i, v := range g.vars {
			q = append(q, state[v])
			if x := state[v]; x < g.lo[i] || x > g.hi[i] {
				t.Errorf("%s and %s: variable %d at %g is outside [%g, %g]", p.LinkA, p.LinkB, v, x, g.lo[i], g.hi[i])
			}
		}
		return q
	}
	if p.Witness != nil && !g.touches(at(p.Witness)) {
		t.Errorf("%s and %s are apart at the witness %v", p.LinkA, p.LinkB, p.Witness)
	}
	if p.Apart != nil && g.touches(at(p.Apart)) {
		t.Errorf("%s and %s touch at %v", p.LinkA, p.LinkB, p.Apart)
	}
	if (p.Meets == Sometimes || p.Meets == Always) != (p.Witness != nil) {
		t.Errorf("%s and %s: %v with the witness %v", p.LinkA, p.LinkB, p.Meets, p.Witness)
	}
	if decided := p.Meets != Undecided; decided != (p.VolumeLeft == 0) {
		t.Errorf("%s and %s: %v with %g of the volume left", p.LinkA, p.LinkB, p.Meets, p.VolumeLeft)
	}
}

func TestAnswersSurviveSampling(t *testing.T) {
	race.LeaveOut(t)
	var count [4]int
	robots := rounds(40)
	for i := range robots {
		d := newDice(51, uint64(i))
		robot := d.robot(2+d.IntN(3), 0.25, 0.45)
		opt := Options{Boxes: 1500, Seed: uint64(i), Clearance: []float64{0, 0, 0.02}[d.IntN(3)], Padding: []float64{0, 0, 0.02}[d.IntN(3)]}
		rep, err := All(context.Background(), robot, opt)
		if err != nil {
			t.Fatal(err)
		}
		for k, problem := range problemsOf(t, robot, opt) {
			p, g := &rep.Pairs[k], rigOf(problem)
			count[p.Meets]++
			check(t, g, p)
			refute(t, g, p, 150, d)
		}
	}
	t.Logf("undecided, never, always, sometimes: %v", count)
	if count[Never] < robots/2 || count[Always] < robots/20 || count[Sometimes] < robots {
		t.Error("too few of a Kind: the campaign tests little")
	}
}

// Robots that others made, tried for as long as FIRSTCONTACT_LONG says: that many
// thousand configurations of every pair that was decided; FIRSTCONTACT_ROBOTS names
// some of them.
func TestRealRobotsSurviveSampling(t *testing.T) {
	race.LeaveOut(t)
	samples := 20
	if switches.Long.Set() {
		samples = switches.Long.Times(1000, 1)
	}
	for _, name := range switches.Robots.Or("panda") {
		robot := shared(t, name+"/"+name+".urdf")
		opt := Options{Boxes: 20_000}
		rep, err := All(context.Background(), robot, opt)
		if err != nil {
			t.Fatal(err)
		}
		if n := rep.Count(Never); n < 4 {
			t.Errorf("%s: only %d pairs never meet", name, n)
		}
		tried := map[Meeting]int{}
		for k, problem := range problemsOf(t, robot, opt) {
			p, g := &rep.Pairs[k], rigOf(problem)
			check(t, g, p)
			tried[p.Meets] += refute(t, g, p, samples, newDice(52, uint64(k)))
		}
		t.Logf("%s: %d pairs, %d never, %d always, %d sometimes, %d undecided; %d configurations tried of those that never meet, %d of those that always do", name, len(rep.Pairs),
			rep.Count(Never), rep.Count(Always), rep.Count(Sometimes), rep.Count(Undecided), tried[Never], tried[Always])
	}
}

// The answers are the same with any number of workers, and again.
func TestWorkersAgree(t *testing.T) {
	robot := newDice(53, 3).robot(5, 0.25, 0.45)
	one, err := All(context.Background(), robot, Options{Boxes: 500})
	if err != nil {
		t.Fatal(err)
	}
	many, err := All(context.Background(), robot, Options{Boxes: 500, Workers: 3})
	if err != nil {
		t.Fatal(err)
	}
	for i := range one.Pairs {
		p, q := one.Pairs[i], many.Pairs[i]
		if p.Meets != q.Meets || p.Boxes != q.Boxes || !slices.Equal(p.Witness, q.Witness) {
			t.Errorf("%s and %s: %+v and %+v", p.LinkA, p.LinkB, p, q)
		}
	}
}

// A pair that nearly touches: the arm's ball passes the wall's at a distance that is
// left on purpose.
func TestNearMisses(t *testing.T) {
	for _, gap := range []float64{1e-3, 1e-6, 1e-9} {
		for _, c := range []struct {
			gap  float64
			want Meeting
		}{{gap, Never}, {-gap, Sometimes}} {
			s, cos := math.Sincos(0.4)
			reach := 1 + 0.1 + 0.1 + c.gap // of the wall's ball's centre
			robot := robots.Of(ball(robots.At(reach*cos, reach*s, 0), 0.1),
				robots.Hinge{Kind: urdf.Revolute, Axis: ez, Lo: -1, Hi: 1},
				robots.Hinge{Parent: 1, Kind: urdf.Revolute, Origin: robots.At(0.5, 0, 0), Axis: ez, Lo: -1, Hi: 1, Parts: ball(robots.At(0.5, 0, 0), 0.1)})
			p := decided(t, robot, Options{Boxes: 5000})
			if p.Meets != c.want {
				t.Errorf("gap %g: %+v", c.gap, p)
			}
		}
	}
}

// A ball in a shell touches no triangle of it and yet meets it.
func TestContainment(t *testing.T) {
	robot := robots.Of(box(geom.IdentityPose(), 2, 2, 2), robots.Hinge{Kind: urdf.Revolute, Axis: ez, Lo: -1, Hi: 1, Parts: ball(robots.At(0.5, 0, 0), 0.1)})
	if p := decided(t, robot, Options{}); p.Meets != Always {
		t.Errorf("a ball in a box: %+v", p)
	}
	robot = robots.Of(meshed(meshes.Elbow(2)), robots.Hinge{Kind: urdf.Revolute, Origin: robots.At(0.2, 0.2, 0), Axis: ez, Lo: -1, Hi: 1, Parts: ball(robots.At(0.02, 0, 0), 0.05)})
	if p := decided(t, robot, Options{}); p.Meets != Always {
		t.Errorf("a ball in an elbow: %+v", p)
	}
	robot = robots.Of(meshed(meshes.Elbow(2)), robots.Hinge{Kind: urdf.Revolute, Origin: robots.At(1.2, 1.2, 0), Axis: ez, Lo: -3, Hi: 3, Parts: ball(robots.At(0.3, 0, 0), 0.2)})
	if p := decided(t, robot, Options{}); p.Meets != Never {
		t.Errorf("a ball before an elbow, in its hull: %+v", p)
	}
}

// Mimic joints move with their leader: two arms that turn alike keep their distance.
func TestMimicJoints(t *testing.T) {
	arm := func(mult float64) *urdf.Robot {
		return robots.Of(nil,
			robots.Hinge{Kind: urdf.Revolute, Axis: ez, Lo: -1, Hi: 1, Parts: ball(robots.At(1, 0, 0), 0.1)},
			robots.Hinge{Kind: urdf.Revolute, Axis: ez, Lo: -9, Hi: 9, Mimics: 1, Mult: mult, Offset: 0.5, Parts: ball(robots.At(1, 0, 0), 0.1)})
	}
	if p := decided(t, arm(1), Options{}); p.Meets != Never || len(p.Joints) != 1 {
		t.Errorf("alike: %+v", p)
	}
	if p := decided(t, arm(-1), Options{}); p.Meets != Sometimes {
		t.Errorf("against each other: %+v", p)
	}
}

// Joints without a range are said to be that.
func TestJointsWithoutRange(t *testing.T) {
	for _, c := range []struct {
		kind urdf.JointType
		far  float64
		want Meeting
		say  string
	}{
		{urdf.Planar, 30, Undecided, "j0/"},
		{urdf.Planar, 0.1, Sometimes, "witness"},
		{urdf.Floating, 0.1, Undecided, "joint j0 between them is floating"},
		{urdf.Continuous, 30, Never, ""},
	} {
		robot := robots.Of(ball(geom.IdentityPose(), 0.2), robots.Hinge{Kind: c.kind, Axis: ez, Parts: ball(robots.At(c.far, 0, 0), 0.2)})
		if p := decided(t, robot, Options{}); p.Meets != c.want || !strings.Contains(p.Why, c.say) {
			t.Errorf("%v %g m away: %+v", c.kind, c.far, p)
		}
	}
}

// Surfaces that are apart in the whole box prove nothing of a body that is inside
// another all along.
func TestSurfacesApartAreNotEnough(t *testing.T) {
	inner := robots.Of(meshed(meshes.Elbow(2)), robots.Hinge{Kind: urdf.Revolute, Origin: robots.At(0.2, 0.2, 0), Axis: ez, Lo: -0.1, Hi: 0.1, Parts: ball(geom.IdentityPose(), 0.05)})
	outer := robots.Of(meshed(meshes.Elbow(2)), robots.Hinge{Kind: urdf.Revolute, Origin: robots.At(1.2, 1.2, 0), Axis: ez, Lo: -0.1, Hi: 0.1, Parts: ball(geom.IdentityPose(), 0.05)})
	for robot, want := range map[*urdf.Robot]bool{inner: false, outer: true} {
		g := newRig(t, robot, 0, 1, Options{})
		var f found
		proved, all := g.prove(&f)
		if f.touch != nil || !all || proved != 1 {
			t.Fatalf("inside %v: %+v, %g of the box, all %v", !want, f, proved, all)
		}
		if got := g.startsApart(&f); got != want {
			t.Errorf("starts apart: %v, want %v", got, want)
		}
	}
}
