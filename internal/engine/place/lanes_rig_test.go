package place_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/lanes"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/place"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/twin"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// laneTrial is a robot in a world with a motion, at eight times of an interval.
type laneTrial struct {
	*stage
	d       robots.Dice
	world   *scene.Snapshot
	lanes   *place.Lanes
	piece   int
	lo, hi  float64
	rounded float64 // what the twin may err by, per metre
	solids  [][]twin.Solid
}

// laneTrials calls f with random robots, with arms whose bounds are sharp, and with long chains.
func laneTrials(t *testing.T, seed uint64, n int, f func(tr *laneTrial)) {
	t.Helper()
	n = switches.Long.Times(n, 50)
	if race.Enabled {
		n = (n + 3) / 4 // nothing here shares memory
	}
	for i := range n {
		d := robots.NewDice(seed, uint64(i))
		tr := &laneTrial{d: d}
		var r *urdf.Robot
		var m *motion.Motion
		switch i % 8 {
		case 0, 1, 2, 3:
			r, m = tr.anyRobot()
		case 4, 5, 6:
			r, m = tr.sharpArm()
		default:
			r, m = tr.longChain()
		}
		tr.begin(t, r, m)
		f(tr)
		if t.Failed() {
			t.Fatalf("trial %d", i)
		}
	}
}

// begin places the lanes of a robot on a piece of its motion.
func (tr *laneTrial) begin(t testing.TB, r *urdf.Robot, m *motion.Motion) {
	t.Helper()
	tr.stage = newStage(t, r, tr.world, m)
	tr.lanes = place.NewLanes(tr.at)
	tr.solids = make([][]twin.Solid, len(tr.model.Elements))
	for e := range tr.model.Elements {
		tr.solids[e] = tr.solidsOf(e)
	}
	tr.load(t, tr.d.IntN(len(m.Pieces)))
}

// load makes a piece of the motion the one that lanes are of.
func (tr *laneTrial) load(t testing.TB, piece int) {
	t.Helper()
	tr.piece = piece
	tr.stage.place(t, piece, 0.5, 0, 1)
	if !tr.lanes.Bound() {
		t.Fatal("too large for float32")
	}
	tr.rounded = 1e-12
	for _, ctrl := range tr.Motion.Pieces[piece].Ctrl {
		for _, q := range ctrl {
			tr.rounded += 64 * u * math.Abs(q)
		}
	}
}

// lay places the lanes on [lo, hi].
func (tr *laneTrial) lay(clearance float64) {
	tr.lanes.Bend(tr.lo, tr.hi)
	tr.lanes.Move()
	tr.lanes.Grow(clearance)
}

// Any robot with one to eight joints, some of which follow others or have turned very often.
func (tr *laneTrial) anyRobot() (*urdf.Robot, *motion.Motion) {
	d := tr.d
	small := d.Spread(1e-3, 0.3)
	parts := func() []urdf.Collision { return d.Parts(1+d.IntN(2), small, d.Spread(1e-3, 0.3), robots.Hulls...) }
	reach := d.Spread(1e-2, 2)
	r := d.Robot(robots.Plan{
		Joints: 1 + d.IntN(8),
		Kinds:  []urdf.JointType{urdf.Revolute, urdf.Revolute, urdf.Continuous, urdf.Prismatic, urdf.Fixed},
		Odd:    6, Far: d.Spread(1, 1e3), Gear: 3, Parts: parts, Base: parts,
		Origin: func() geom.Pose { return d.Pose(reach) },
	})
	tr.world = d.World(robots.Scenery{Objects: 2, Forms: robots.Hulls, Padded: true, Held: r.Links[len(r.Links)-1].Name})
	m := d.Motion(r, robots.Travel{Pieces: 3, Mixed: true, Degrees: []int{0, 1, 1, 2, 3, 4, 5}, Sizes: []float64{d.Spread(1e-2, 4)}})
	if d.IntN(3) == 0 {
		by := d.In(-1, 1) * d.Spread(1, 1e5)
		name := m.Joints[d.IntN(len(m.Joints))]
		for j, joint := range m.Joints {
			for p := range m.Pieces {
				for k := range m.Pieces[p].Ctrl[j] {
					if joint == name && turns(r, name) {
						m.Pieces[p].Ctrl[j][k] += by
					}
				}
			}
		}
	}
	return r, m
}

func turns(r *urdf.Robot, joint string) bool {
	for i := range r.Joints {
		if r.Joints[i].Name == joint {
			return r.Joints[i].Type != urdf.Prismatic
		}
	}
	return false
}

// An arm that is stretched at some time, all its axes parallel, so that its tip departs from the
// chord nearly as far as the bounds allow. It may stand on a body that turns fast. What it passes
// is on that body or of the world.
func (tr *laneTrial) sharpArm() (*urdf.Robot, *motion.Motion) {
	d := tr.d
	when := d.In(0.2, 0.8)
	turned := geom.Pose{R: geom.AxisAngle(d.Unit(), d.In(-3, 3)), P: d.Vec(0.5)}
	if d.IntN(4) == 0 {
		turned.R = geom.Identity()
	}
	carried := d.IntN(2) == 0
	hs := []robots.Hinge{{Kind: urdf.Continuous, Axis: d.Unit(), Origin: d.Pose(1)}}
	ctrl := [][]float64{{d.In(-3, 3)}}
	if carried {
		ctrl[0] = []float64{d.In(-3, 3), d.In(-30, 30)}
	}
	tip, n := 0.0, 1+d.IntN(3)
	link := 1
	for k := range n {
		h := robots.Hinge{Parent: link, Kind: urdf.Revolute, Axis: ez, Origin: robots.At(tip, 0, 0)}
		speed := d.In(0.1, 2)
		var c []float64
		switch d.IntN(5) {
		case 0: // follows the one before it
			if k > 0 && hs[link-1].Mimics == 0 && hs[link-1].Kind == urdf.Revolute {
				h.Mimics, h.Mult = link, d.In(0.2, 3)
				h.Offset = -h.Mult * twin.Bernstein(ctrl[len(ctrl)-1], when)
				break
			}
			c = lineAt(0, when, speed)
		case 1: // slides across the arm and turns back
			h.Kind, h.Axis = urdf.Prismatic, ex
			c = squareAt(0, when, -speed)
		case 2:
			h.Kind, h.Axis = urdf.Prismatic, ex
			c = lineAt(0, when, speed)
		case 3:
			c = squareAt(0, when, speed)
		default:
			c = lineAt(0, when, speed)
		}
		if k == 0 {
			h.Origin = turned
		}
		if tip = d.In(0.1, 0.6) * float64(min(1, d.IntN(5))); h.Kind == urdf.Prismatic {
			tip *= 0.1
		}
		hs = append(hs, h)
		ctrl = append(ctrl, c)
		link++
	}
	radius, size, gap := d.Spread(1e-4, 0.05), d.Spread(1e-3, 0.2), d.Spread(1e-3, 0.1)
	hs[link-1].Parts = robots.Part(robots.At(tip, 0, 0), robots.Ball(radius))
	m := &motion.Motion{Pieces: []motion.Piece{{End: 1}}, KeepTurns: true}
	for i, c := range ctrl {
		if hs[i].Mimics == 0 {
			m.Joints, m.Pieces[0].Ctrl = append(m.Joints, robots.JointName(i)), append(m.Pieces[0].Ctrl, c)
		}
	}
	moving := twin.Moving{Robot: robots.Of(nil, hs...), Motion: m}
	out := robots.At(tip+radius+size+gap, 0, 0).P
	if d.IntN(3) == 0 { // toward any direction
		out = r3.Add(geom.Vec{X: tip}, r3.Scale(radius+size+gap, d.Unit()))
	}
	if carried && d.IntN(4) > 0 {
		at := moving.Seen(link, 1, 0, when, when, out)
		at = twin.Lower(moving.Robot, 0, 1, at, moving.Positions(0, when))
		hs[0].Parts = robots.Part(geom.Translation(at), robots.Ball(size))
	} else {
		tr.world = robots.World(robots.Object("post", robots.Ball(size), geom.Translation(moving.ToRoot(link, 0, when, out))))
	}
	return robots.Of(nil, hs...), m
}

// lineAt is the control points of a line with the value q at a time, squareAt of a parabola that
// is flat there.
func lineAt(q, when, speed float64) []float64 {
	return []float64{q - speed*when, q + speed*(1-when)}
}

func squareAt(q, when, bend float64) []float64 {
	at0, at1 := q+bend*when*when, q+bend*(1-when)*(1-when)
	return []float64{at0, at0 - bend*when, at1}
}

// A chain of ten to sixty joints that curls up or hardly moves.
func (tr *laneTrial) longChain() (*urdf.Robot, *motion.Motion) {
	d := tr.d
	length, size := d.Spread(1e-2, 0.5), d.Spread(1e-3, 1)
	var hs []robots.Hinge
	m := &motion.Motion{Pieces: []motion.Piece{{End: 1}}, KeepTurns: true}
	for i := range 10 + d.IntN(51) {
		h := robots.Hinge{Parent: i, Kind: urdf.Revolute, Axis: d.Axis(), Origin: d.Pose(length)}
		if d.IntN(8) == 0 {
			h.Kind = urdf.Prismatic
		}
		if i > 0 && d.IntN(6) == 0 {
			h.Mimics, h.Mult, h.Offset = 1, d.In(-1, 1), d.In(-1, 1)
		} else {
			c := []float64{d.In(-3, 3)}
			for range d.IntN(4) {
				c = append(c, c[0]+d.In(-size, size))
			}
			m.Joints, m.Pieces[0].Ctrl = append(m.Joints, robots.JointName(i)), append(m.Pieces[0].Ctrl, c)
		}
		hs = append(hs, h)
	}
	hs[len(hs)-1].Parts = d.Parts(2, 0.1, 0.1, robots.Hulls...)
	hs[len(hs)/2].Parts = d.Parts(1, 0.1, 0.1, robots.Hulls...)
	return robots.Of(nil, hs...), m
}

// solidsOf returns what an element was made of, of a group all members.
func (tr *laneTrial) solidsOf(i int) (all []twin.Solid) {
	e := &tr.model.Elements[i]
	for _, k := range e.Members {
		all = append(all, tr.solidsOf(int(k))...)
	}
	if e.Members != nil {
		return all
	}
	body := &tr.model.Bodies[e.Body]
	if body.Kind == motion.RobotLink {
		for nth, k := range body.Elements {
			if k == i {
				c := &tr.Robot.Links[body.Link].Collisions[nth]
				return []twin.Solid{twin.SolidOf(body.Link, c.PoseLS, c.Shape, 0)}
			}
		}
	}
	for k := range tr.world.Objects {
		if o := &tr.world.Objects[k]; o.ID == body.Name {
			return []twin.Solid{twin.SolidOf(max(body.Link, tr.Robot.Root), o.PoseWS, o.Shape, o.Padding)}
		}
	}
	panic("no such body")
}

// linkOf is the link that an element is on, of a group one of those that move together.
func (tr *laneTrial) linkOf(element int) int { return tr.solids[element][0].Link }

// when is where the joints are at a time.
func (tr *laneTrial) when(s float64) twin.Position {
	at := tr.Positions(tr.piece, s)
	q := make([]float64, len(tr.Robot.Joints))
	for k := range q {
		if tr.Robot.Joints[k].Type != urdf.Fixed {
			q[k] = at(k)
		}
	}
	return func(k int) float64 { return q[k] }
}

// pose is that of a link in the root, by carrying its origin and axes.
func (tr *laneTrial) pose(link int, at twin.Position) geom.Pose {
	lift := func(x geom.Vec) geom.Vec { return twin.Lift(tr.Robot, link, tr.Robot.Root, x, at) }
	o := lift(geom.Vec{})
	x, y, z := r3.Sub(lift(geom.Vec{X: 1}), o), r3.Sub(lift(geom.Vec{Y: 1}), o), r3.Sub(lift(geom.Vec{Z: 1}), o)
	return geom.Pose{P: o, R: geom.Rot{XX: x.X, XY: y.X, XZ: z.X, YX: x.Y, YY: y.Y, YZ: z.Y, ZX: x.Z, ZY: y.Z, ZZ: z.Z}}
}

// highest is the largest n.x over an element at a time.
func (tr *laneTrial) highest(n geom.Vec, element int, s float64) float64 {
	at, top := tr.when(s), math.Inf(-1)
	for k := range tr.solids[element] {
		b := &tr.solids[element][k]
		pose := tr.pose(b.Link, at)
		local := pose.R.ApplyInv(n)
		for _, x := range b.Points {
			top = math.Max(top, r3.Dot(local, x)+r3.Dot(n, pose.P)+b.Radius*geom.Norm(n))
		}
	}
	return top
}

// apart is the distance of two elements at a time, 0 where they overlap, and the direction from
// the first to the second.
func (tr *laneTrial) apart(a, b int, s float64) (least float64, n geom.Vec) {
	at := tr.when(s)
	least = math.Inf(1)
	for i := range tr.solids[a] {
		x := &tr.solids[a][i]
		coreA, poseA := convex.Core{Kind: convex.Hull, Vertices: x.Points, Radius: x.Radius}, tr.pose(x.Link, at)
		for k := range tr.solids[b] {
			y := &tr.solids[b][k]
			coreB, poseB := convex.Core{Kind: convex.Hull, Vertices: y.Points, Radius: y.Radius}, tr.pose(y.Link, at)
			d := convex.Distance(&coreA, &poseA, &coreB, &poseB, nil)
			if d.Overlap {
				return 0, geom.Vec{}
			}
			if d.Distance < least {
				least, n = d.Distance, d.Normal
			}
		}
	}
	return least, n
}

// aim chooses an interval such that a peak of f is inside of one of its steps, mostly in its
// middle; where f has no peak inside of the piece, any interval.
func (tr *laneTrial) aim(f func(s float64) float64) (peak float64, step int, ok bool) {
	d := tr.d
	const n = 32
	var y [n + 1]float64
	for i := range y {
		y[i] = f(float64(i) / n)
	}
	var tops []int
	for i := 1; i < n; i++ {
		if y[i] >= y[i-1] && y[i] >= y[i+1] && (y[i] > y[i-1] || y[i] > y[i+1]) {
			tops = append(tops, i)
		}
	}
	if len(tops) > 0 {
		at := tops[d.IntN(len(tops))]
		peak = sharpen(f, float64(at-1)/n, float64(at+1)/n)
		for range 20 {
			width, part := d.Spread(1e-4, 0.14), 0.5
			if d.IntN(4) == 0 {
				part = d.Float64()
			}
			step = d.IntN(lanes.Steps)
			tr.lo = peak - (float64(step)+part)*width
			if tr.hi = tr.lo + lanes.Steps*width; tr.lo >= 0 && tr.hi <= 1 {
				return peak, step, true
			}
		}
	}
	tr.any()
	step = d.IntN(lanes.Steps)
	return tr.lo + (tr.hi-tr.lo)*(float64(step)+0.5)/lanes.Steps, step, false
}

// any draws an interval, which may be very short.
func (tr *laneTrial) any() {
	d := tr.d
	tr.lo = d.In(0, 0.95)
	tr.hi = math.Min(1, tr.lo+d.Spread(1e-7, 1))
}

// sharpen finds where f is largest between two times.
func sharpen(f func(s float64) float64, lo, hi float64) float64 {
	for range 25 {
		a, b := lo+(hi-lo)*0.382, lo+(hi-lo)*0.618
		if f(a) > f(b) {
			hi = b
		} else {
			lo = a
		}
	}
	return (lo + hi) / 2
}

// inStep draws times of a step, its ends and its middle among them.
func (tr *laneTrial) inStep(step int) []float64 {
	a, b := tr.lanes.Times[step], tr.lanes.Times[step+1]
	return []float64{a, b, a + (b-a)/2, tr.d.In(a, b)}
}

// boundsOf returns by how much paths of a pair's elements may depart from their chords, how far both are at most from where
// errors are counted from, and what these may come to at most.
func (tr *laneTrial) boundsOf(q *model.Pair) (bend, far, unknown float64) {
	for _, i := range []int{q.A, q.B} {
		e := &tr.model.Elements[i]
		_, _, away := tr.lanes.ErrOf(e.Frame)
		far += away + geom.Norm(e.PoseFE.P) + geom.Norm(e.Center) + 2*e.Radius
		bend += tr.lanes.BendFrom(i, q.Parting)
	}
	return bend, far, 1e-5 * float64(len(tr.model.Tree.Frames)) * (1 + far)
}
