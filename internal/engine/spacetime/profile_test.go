package spacetime

import (
	"context"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/meshes"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

func (r *rig) profile(t testing.TB, q motion.ProfileQuery) motion.DistanceProfile {
	t.Helper()
	p, err := r.w.Profile(context.Background(), r.bound, q)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// holdProfile compares a profile with what the twin sees, and with its contract.
func (r *rig) holdProfile(t *testing.T, name string, q motion.ProfileQuery, p *motion.DistanceProfile) {
	t.Helper()
	limit := q.Range.Max
	if limit == 0 {
		limit = 10
	}
	tol := engine.OrDefault(q.Tolerance, motion.DefaultClearanceTolerance)
	at := r.Motion.Pieces[0].Start
	for i := range p.Spans {
		s := &p.Spans[i]
		if s.Start != at || s.End < s.Start {
			t.Fatalf("%s: span %d is %g to %g, the one before ends at %g", name, i, s.Start, s.End, at)
		}
		at = s.End
		if s.Unknown {
			continue
		}
		for k := range s.Lower {
			if !(s.Lower[k] >= 0 && s.Lower[k] <= s.Upper[k]) || !s.Beyond && s.Upper[k]-s.Lower[k] > tol {
				t.Errorf("%s: span %d bounds %v to %v are no bounds to within %g", name, i, s.Lower, s.Upper, tol)
			}
		}
		if named := s.At.Pair != (motion.Pair{}); named && !(s.At.Time >= s.Start && s.At.Time <= s.End) || !named && !s.Beyond {
			t.Errorf("%s: span %d, %g to %g, has its points at %g of %v", name, i, s.Start, s.End, s.At.Time, s.At.Pair)
		}
		if x := (s.At.Time - s.Start) / (s.End - s.Start); !s.Beyond && s.End > s.Start {
			upper := s.Upper[0]*(1-x) + s.Upper[1]*x
			if d := s.At.Distance; d > upper+1e-9 || d < upper-tol-1e-9 {
				t.Errorf("%s: span %d has points that are %g apart where the bound is %g, to within %g", name, i, d, upper, tol)
			}
		}
		for _, x := range [...]float64{0.01, 0.5, 0.77} {
			time := s.Start + x*(s.End-s.Start)
			b := p.Bounds(time)
			d := r.nearest(time, limit)
			if d < b.Lo-1e-9 || d > b.Hi+1e-9 && d <= limit {
				t.Errorf("%s: at %g of span %d, %g to %g, the distance is %g, not within %v", name, time, i, s.Start, s.End, d, b)
				return
			}
		}
	}
	if end := r.Motion.Pieces[len(r.Motion.Pieces)-1].End; at != end {
		t.Errorf("%s: the profile ends at %g, the motion at %g", name, at, end)
	}
}

// Whatever robots do among whatever objects, also inside them, the distance is
// within the bounds.
func TestProfilesOfRandomRobots(t *testing.T) {
	touching, free, beyond, spans := 0, 0, 0, 0
	for i := range rounds(24) {
		d := newDice(81, uint64(i))
		robot, world := d.robot(), robots.World()
		for k := range 1 + d.IntN(5) {
			o := robots.Object(fmt.Sprint("o", k), d.shape(d.Spread(0.05, 0.9)), d.Pose(1))
			o.Padding = [...]float64{0, 0.02}[d.IntN(2)]
			world.Objects = append(world.Objects, o)
		}
		m := d.pieceMotion(robot)
		if len(m.Joints) == 0 {
			continue
		}
		r := newRig(t, robot, world, [...]float64{0, 0.01}[d.IntN(2)], m)
		if d.IntN(4) > 0 { // else what always touches makes the distance 0 throughout
			r.dropTouching(m.Pieces[0].Start)
		}
		if len(r.model.Pairs) == 0 {
			continue
		}
		q := motion.ProfileQuery{Tolerance: d.Spread(0.002, 0.05), Range: motion.DistanceRanges{Max: [...]float64{0, 0.2}[d.IntN(2)]}}
		p := r.profile(t, q)
		if p.Reason != "" {
			t.Errorf("motion %d: cut short: %s", i, p.Reason)
		}
		r.holdProfile(t, fmt.Sprint("motion ", i), q, &p)
		spans += len(p.Spans)
		for k := range p.Spans {
			switch s := &p.Spans[k]; {
			case s.Beyond:
				beyond++
			case s.Upper[0] < q.Tolerance:
				touching++
			case s.Lower[0] > 0:
				free++
			}
		}
	}
	t.Logf("%d spans: %d touching, %d apart, %d beyond the limit", spans, touching, free, beyond)
	if touching < 50 || free < 50 || beyond < 10 {
		t.Error("the test is one-sided")
	}
}

// A profile agrees with the smallest distance that the branch and bound finds.
func TestProfileAgreesWithMinClearance(t *testing.T) {
	compared := 0
	for i := range rounds(60) {
		d := newDice(82, uint64(i))
		r := d.inRoom(t)
		if r == nil {
			continue
		}
		m := d.pieceMotion(r.Robot)
		r.bind(t, m)
		r.dropTouching(m.Pieces[0].Start)
		r.bind(t, m)
		v := r.check(motion.Query{Question: motion.MinClearance})
		if v.Status != motion.Free || !v.MinClearance.Known {
			continue
		}
		p := r.profile(t, motion.ProfileQuery{})
		lo, hi := math.Inf(1), math.Inf(1)
		for k := range p.Spans {
			s := &p.Spans[k]
			lo = math.Min(lo, math.Min(s.Lower[0], s.Lower[1]))
			hi = math.Min(hi, math.Max(s.Upper[0], s.Upper[1]))
		}
		if b := v.MinClearance.Bounds; lo > b.Hi+1e-9 || hi < b.Lo-1e-9 {
			t.Errorf("motion %d: smallest distance within %v, but the profile's within %g and %g", i, b, lo, hi)
		}
		compared++
	}
	if compared < 10 {
		t.Errorf("only %d compared", compared)
	}
}

// What is cut short says so, and says nothing false.
func TestProfileWithinABudget(t *testing.T) {
	d := newDice(83, 4)
	var r *rig
	for r == nil {
		r = d.inRoom(t)
	}
	r.bind(t, d.pieceMotion(r.Robot))
	q := motion.ProfileQuery{Tolerance: 1e-6, Budget: 2 * time.Millisecond}
	p := r.profile(t, q)
	last := p.Spans[len(p.Spans)-1]
	if p.Reason == "" || !last.Unknown || last.Lower != [2]float64{} || !math.IsInf(last.Upper[0], 1) {
		t.Errorf("cut short for %q, the last span is %+v", p.Reason, last)
	}
	r.holdProfile(t, "cut short", q, &p)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p, err := r.w.Profile(ctx, r.bound, motion.ProfileQuery{})
	if err != nil || p.Reason != "cancelled" || len(p.Spans) != 1 || !p.Spans[0].Unknown {
		t.Errorf("cancelled: %v, %+v", err, p)
	}
}

// A profile ends when its budget does, also where all touches and nothing is proved. One that ends within a piece says nothing
// of what is left of it, though all that comes after is known at once: there the ball stands still inside the object.
func TestProfileThatEndsWithinAPiece(t *testing.T) {
	arm := robots.Of(nil, robots.Hinge{Kind: urdf.Revolute, Axis: ez, Parts: robots.Part(robots.At(1, 0, 0), robots.Ball(0.1))})
	m := robots.Move([]float64{-2, -0.9, 0})
	m.Pieces = append(m.Pieces, motion.Piece{Start: 1, End: 2, Ctrl: [][]float64{{0, 0}}})
	r := newRig(t, arm, robots.World(robots.Object("wall", robots.Box(0.5, 0.5, 0.5), robots.At(1, 0, 0))), 0, m)
	for _, budget := range []time.Duration{10 * time.Millisecond, 100 * time.Millisecond} { // before the ball touches, and after
		q := motion.ProfileQuery{Tolerance: 1e-7, Budget: budget}
		p := r.profile(t, q)
		last := p.Spans[len(p.Spans)-1]
		if len(p.Spans) < 2 || !(last.Start > 0 && last.Start < 1) {
			t.Fatalf("%v: %d spans, the last from %g: the search did not end within the first piece", budget, len(p.Spans), last.Start)
		}
		if p.Reason == "" || !last.Unknown || last.End != 2 {
			t.Errorf("%v: cut short for %q, the last span is %+v", budget, p.Reason, last)
		}
		if len(p.Spans) < 5000 { // they take the twin long
			r.holdProfile(t, "cut short", q, &p)
		}
	}
}

func TestProfileRefusesNonsense(t *testing.T) {
	r := newDice(83, 4).inRoom(t)
	for _, q := range []motion.ProfileQuery{{Tolerance: -1}, {Tolerance: math.NaN()}, {Tolerance: math.Inf(1)}, {Tolerance: 1e-12}, {Range: motion.DistanceRanges{Max: -1}}, {Range: motion.DistanceRanges{Max: math.NaN()}}, {Budget: -1}} {
		if _, err := r.w.Profile(context.Background(), r.bound, q); err == nil {
			t.Errorf("%+v is taken", q)
		}
	}
}

// What passes through a surface is inside, at distance 0, until it leaves; what was
// proved of the time before says nothing of that.
func TestProfileOfWhatGetsInside(t *testing.T) {
	solid := robots.Mesh(meshes.Elbow(1))
	cloud := robots.Points(0.001, geom.Vec{X: 5}, geom.Vec{Z: 4}, geom.Vec{}, geom.Vec{X: -5})
	two := robots.Mesh(meshes.Of(meshes.At(geom.Vec{X: 2}, meshes.Cube(0.2)), meshes.At(geom.Vec{}, meshes.Cube(0.2))))
	slide := func(s *shape.Shape, x float64) *urdf.Robot {
		return robots.Of(nil, robots.Hinge{Kind: urdf.Prismatic, Axis: ey, Origin: robots.At(x, 0, 0), Parts: robots.Part(robots.At(0, 0, 0), s)})
	}
	for _, c := range []struct {
		name  string
		robot *urdf.Robot
		world *scene.Snapshot
	}{
		{"into a mesh", slide(robots.Ball(0.02), 0.5), robots.World(robots.Object("L", solid, robots.At(0, 0, 0)))},
		{"points into a mesh", slide(cloud, 0.5), robots.World(robots.Object("L", solid, robots.At(0, 0, 0)))},
		{"a mesh around a ball", slide(solid, 0), robots.World(robots.Object("pea", robots.Ball(0.02), robots.At(0.5, 0.1, 0)))},
		{"a mesh around points", slide(solid, 0), robots.World(robots.Object("cloud", cloud, robots.At(0.5, 0.1, 0)))},
		{"into the second part of a mesh", slide(robots.Box(0.05, 0.05, 0.05), 0), robots.World(robots.Object("two", two, robots.At(0, 0, 0)))},
	} {
		for _, ctrl := range [][]float64{{-1, 1.5}, {0.04, 1.5}, {-1, 1.2, -1}} {
			r := newRig(t, c.robot, c.world, 0, robots.Move(ctrl))
			q := motion.ProfileQuery{Tolerance: 0.01}
			p := r.profile(t, q)
			if p.Reason != "" {
				t.Errorf("%s, %v: cut short: %s", c.name, ctrl, p.Reason)
			}
			r.holdProfile(t, fmt.Sprint(c.name, ctrl), q, &p)
			apart, inside := 0, 0
			for i := range p.Spans {
				switch s := &p.Spans[i]; {
				case s.Lower[0] > 0:
					apart++
				case s.At.Distance == 0:
					inside++
				}
			}
			if apart < 3 || inside < 3 {
				t.Errorf("%s, %v: %d spans apart, %d inside", c.name, ctrl, apart, inside)
			}
		}
	}
}
