package verify

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/firstcontact-ros/firstcontact/certificate"
	"github.com/firstcontact-ros/firstcontact/certificate/digest"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// prover makes certificates by brute force: it halves time and parts until a
// direction that parts their points at the middle of the interval also convinces
// the verifier. That it asks the verifier does not matter: what the tests change
// afterwards, and what the sampling tests measure, does not.
type prover struct {
	t      testing.TB
	robot  *urdf.Robot
	world  *scene.Snapshot
	motion *motion.Motion
	header certificate.Header
	opts   Options
	orders map[int][]int32

	v       *verifier
	moments map[certificate.At]*moment
	lines   []line
}

// line is a line of a proof; items refer to the interval before them.
type line struct {
	at      *certificate.At
	item    *certificate.Item
	outside *certificate.Outside
}

func newProver(t testing.TB, robot *urdf.Robot, world *scene.Snapshot, m *motion.Motion) *prover {
	t.Helper()
	p := &prover{t: t, robot: robot, world: world, motion: m, orders: map[int][]int32{}}
	p.header = certificate.Header{
		Tool: "test", Robot: robot.Name, Motion: m.ID, Self: true, World: true,
		RobotSum: digest.Robot(robot), SceneSum: digest.Scene(world), MotionSum: digest.Motion(m),
	}
	p.setup(false)
	for _, b := range p.v.bodies {
		p.header.Bodies = append(p.header.Bodies, certificate.Body{Kind: b.kind, Name: b.name, Atoms: len(b.atoms)})
	}
	p.fillPremises()
	return p
}

// fillPremises writes what the verifier found into the header.
func (p *prover) fillPremises() {
	h, v := &p.header, p.v
	h.Start = p.motion.Pieces[0].Start
	h.Surfaces, h.Ambiguous, h.Turned, h.Seams = v.report.Open, v.report.Ambiguous, nil, nil
	for row, name := range p.motion.Joints {
		for piece, n := range v.course.turns[row] {
			if n != 0 {
				h.Turned = append(h.Turned, certificate.Turned{Joint: name, Piece: piece, Turns: n})
			}
		}
	}
	for i, j := range v.jumps {
		if j.origin > seamTolerance || j.turn > seamTolerance {
			h.Seams = append(h.Seams, certificate.Seam{Piece: i + 1, Length: j.origin})
		}
	}
}

// setup makes the verifier whose poses and predicate the prover uses.
func (p *prover) setup(begin bool) {
	p.t.Helper()
	world := p.world
	if world == nil {
		world = &scene.Snapshot{}
	}
	p.v = &verifier{
		ctx: context.Background(), opts: p.opts, robot: p.robot, world: world, motion: p.motion, h: &p.header,
		instants: map[certificate.At]*moment{}, report: &Report{},
	}
	if err := p.v.build(); err != nil && begin {
		p.t.Fatal(err)
	}
	if !begin {
		return
	}
	for body, order := range p.orders {
		if err := p.v.bodies[body].reorder(order); err != nil {
			p.t.Fatal(err)
		}
	}
	for _, b := range p.v.bodies {
		b.makeRuns()
	}
	if err := p.v.listPairs(); err != nil {
		p.t.Fatal(err)
	}
}

// prove fills lines; it fails the test where a pair cannot be proved.
func (p *prover) prove() *prover {
	p.t.Helper()
	p.setup(true)
	p.fillPremises()
	p.lines, p.moments = nil, map[certificate.At]*moment{}
	for piece := range p.motion.Pieces {
		for _, key := range p.v.sortedPairs() {
			q := p.v.pairs[key]
			all := region{a1: int32(len(p.v.bodies[q.a].atoms)), b1: int32(len(p.v.bodies[q.b].atoms)), hi: 1}
			p.part(q, piece, all, 0)
		}
	}
	p.group()
	return p
}

// group puts the items of one interval together, the intervals in order.
func (p *prover) group() {
	items := map[certificate.At][]line{}
	var at certificate.At
	for _, l := range p.lines {
		if l.at != nil {
			at = *l.at
			continue
		}
		items[at] = append(items[at], l)
	}
	ats := slices.SortedFunc(maps.Keys(items), func(a, b certificate.At) int {
		return cmp.Or(cmp.Compare(a.Piece, b.Piece), cmp.Compare(a.Lo, b.Lo), cmp.Compare(b.Hi, a.Hi))
	})
	p.lines = nil
	for _, a := range ats {
		p.lines = append(append(p.lines, line{at: &a}), items[a]...)
	}
}

func (p *prover) part(q *pair, piece int, r region, depth int) {
	p.t.Helper()
	if q.needed != nil && q.needed[r.b0] == q.needed[r.b1] {
		return
	}
	at := certificate.At{Piece: piece, Lo: r.lo, Hi: r.hi}
	m := p.moment(at)
	i := certificate.Item{A: partOf(q.a, r.a0, r.a1), B: partOf(q.b, r.b0, r.b1), HasNormal: true}
	a, b := m.points(i.A), m.points(i.B)
	if p.tryBalls(m, &i, a, b, at, depth) {
		return
	}
	for _, n := range []geom.Vec{directionBetween(a, b), {X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}} {
		i = certificate.Item{A: i.A, B: i.B, HasNormal: true, Normal: n}
		ok, err := m.apart(&i, p.header.Clearance)
		if err != nil {
			p.t.Fatal(err)
		}
		if ok {
			p.lines = append(p.lines, line{at: &at}, line{item: &i})
			return
		}
	}
	if depth > 60 {
		p.t.Fatalf("bodies %d and %d cannot be proved apart at %v, atoms %v", q.a, q.b, at, r)
	}
	left, right := r, r
	sa, _ := m.newSide(i.A, nil)
	sb, _ := m.newSide(i.B, nil)
	moves := sa.displacement(0)+sb.displacement(0) > 0.5*max(extent(a), extent(b))
	switch na, nb := r.a1-r.a0, r.b1-r.b0; {
	case !moves && max(na, nb) > 1 && (na >= nb || na > 1 && extent(a) > extent(b)):
		left.a1 = r.a0 + na/2
		right.a0 = left.a1
	case !moves && nb > 1:
		left.b1 = r.b0 + nb/2
		right.b0 = left.b1
	default:
		left.hi = r.lo + (r.hi-r.lo)/2
		right.lo = left.hi
	}
	p.part(q, piece, left, depth+1)
	p.part(q, piece, right, depth+1)
}

func (p *prover) moment(at certificate.At) *moment {
	m := p.moments[at]
	if m == nil {
		var err error
		if m, err = p.v.momentAt(at); err != nil {
			p.t.Fatal(err)
		}
		p.moments[at] = m
	}
	return m
}

// extent is the size of a box around points.
func extent(points []geom.Vec) float64 {
	lo, hi := points[0], points[0]
	for _, p := range points {
		lo = geom.Vec{X: min(lo.X, p.X), Y: min(lo.Y, p.Y), Z: min(lo.Z, p.Z)}
		hi = geom.Vec{X: max(hi.X, p.X), Y: max(hi.Y, p.Y), Z: max(hi.Z, p.Z)}
	}
	return length(minus(hi, lo))
}

// tryBalls uses balls where they do, at every other depth.
func (p *prover) tryBalls(m *moment, i *certificate.Item, a, b []geom.Vec, at certificate.At, depth int) bool {
	if depth%2 == 1 {
		return false
	}
	ca, cb := m.localMiddle(i.A.Body, a), m.localMiddle(i.B.Body, b)
	*i = certificate.Item{A: i.A, B: i.B, HasCenterA: true, HasCenterB: true, CenterA: ca, CenterB: cb}
	ok, err := m.apart(i, p.header.Clearance)
	if err != nil {
		p.t.Fatal(err)
	}
	if ok {
		p.lines = append(p.lines, line{at: &at}, line{item: i})
	}
	return ok
}

func partOf(body int, first, end int32) certificate.Part {
	return certificate.Part{Body: body, First: int(first), Count: int(end - first)}
}

// points returns the points of a part in the scene's frame at c; a disc gives
// some of its rim.
func (m *moment) points(p certificate.Part) []geom.Vec {
	b := m.bodies[p.Body]
	pose := m.poseOf(p.Body)
	points, _ := spots(b, p, 8)
	for i, v := range points {
		points[i] = pose.place(at(v)).v
	}
	return points
}

func rim(d *disc, n int) []geom.Vec {
	x := cross(d.axis, geom.Vec{X: 0.3, Y: 0.5, Z: 0.81})
	x = times(1/math.Sqrt(dot(x, x)), x)
	y := cross(d.axis, x)
	var out []geom.Vec
	for k := range n {
		s, c := math.Sincos(2 * math.Pi * float64(k) / float64(n))
		out = append(out, plus(d.center, plus(times(c*d.radius, x), times(s*d.radius, y))))
	}
	return out
}

func (m *moment) localMiddle(body int, points []geom.Vec) geom.Vec {
	lo, hi := points[0], points[0]
	for _, p := range points {
		lo = geom.Vec{X: min(lo.X, p.X), Y: min(lo.Y, p.Y), Z: min(lo.Z, p.Z)}
		hi = geom.Vec{X: max(hi.X, p.X), Y: max(hi.Y, p.Y), Z: max(hi.Z, p.Z)}
	}
	pose := m.poseOf(body)
	back := pose.r.inverse()
	return back.apply(at(minus(times(0.5, plus(lo, hi)), pose.p.v))).v
}

// directionBetween is a direction from a to b along which their points lie apart, if there
// is one: that of the smallest difference, found by Frank and Wolfe's steps.
func directionBetween(a, b []geom.Vec) geom.Vec {
	support := func(ps []geom.Vec, d geom.Vec) geom.Vec {
		best := ps[0]
		for _, p := range ps {
			if dot(p, d) > dot(best, d) {
				best = p
			}
		}
		return best
	}
	x := minus(b[0], a[0])
	for range 200 {
		s := minus(support(b, times(-1, x)), support(a, x))
		d := minus(s, x)
		l := dot(d, d)
		if l == 0 {
			break
		}
		step := max(0, min(1, -dot(x, d)/l))
		if step < 1e-9 {
			break
		}
		x = plus(x, times(step, d))
	}
	if l := math.Sqrt(dot(x, x)); l > 1e-12 {
		return times(1/l, x)
	}
	return geom.Vec{X: 1}
}

// text writes the certificate.
func (p *prover) text() []byte {
	var buf bytes.Buffer
	w := certificate.NewWriter(&buf, &p.header)
	for body := range p.header.Bodies {
		if order := p.orders[body]; order != nil {
			w.Order(body, order)
		}
	}
	for _, l := range p.lines {
		switch {
		case l.at != nil:
			w.At(*l.at)
		case l.item != nil:
			w.Item(l.item)
		case l.outside != nil:
			w.Outside(*l.outside)
		}
	}
	if err := w.Close(); err != nil {
		p.t.Fatal(err)
	}
	return buf.Bytes()
}

func (p *prover) verify() (*Report, error) { return p.verifyText(p.text()) }

func (p *prover) verifyText(text []byte) (*Report, error) {
	return Verify(context.Background(), p.robot, p.world, p.motion, bytes.NewReader(text), p.opts)
}

// The models of the tests.

func turned(roll, pitch, yaw, x, y, z float64) geom.Pose {
	return geom.Pose{R: geom.RPY(roll, pitch, yaw), P: geom.Vec{X: x, Y: y, Z: z}}
}

func box(x, y, z float64) *shape.Shape {
	return &shape.Shape{Kind: shape.Box, Size: geom.Vec{X: x, Y: y, Z: z}}
}

func meshOf(m *mesh.Mesh) *shape.Shape { return &shape.Shape{Kind: shape.Mesh, Mesh: m} }

// boxMesh is a closed box of twelve triangles.
func boxMesh(half geom.Vec) *mesh.Mesh {
	m := &mesh.Mesh{Vertices: corners(geom.Box{Min: times(-1, half), Max: half})}
	for _, q := range [][4]int32{{0, 1, 3, 2}, {4, 6, 7, 5}, {0, 4, 5, 1}, {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 5, 7, 3}} {
		m.Triangles = append(m.Triangles, [3]int32{q[0], q[1], q[2]}, [3]int32{q[0], q[2], q[3]})
	}
	return m
}

// merged is several meshes in one.
func merged(parts ...*mesh.Mesh) *mesh.Mesh {
	out := &mesh.Mesh{}
	for _, p := range parts {
		n := int32(len(out.Vertices))
		out.Vertices = append(out.Vertices, p.Vertices...)
		for _, t := range p.Triangles {
			out.Triangles = append(out.Triangles, [3]int32{t[0] + n, t[1] + n, t[2] + n})
		}
	}
	return out
}

func shifted(m *mesh.Mesh, by geom.Vec) *mesh.Mesh {
	out := &mesh.Mesh{Triangles: m.Triangles}
	for _, v := range m.Vertices {
		out.Vertices = append(out.Vertices, plus(v, by))
	}
	return out
}

// arm is a robot with every kind of joint and of shape: a base, a slide, a turning
// upper arm, a mimic forearm, a continuous hand, a planar sledge.
func arm() *urdf.Robot {
	r := &urdf.Robot{Name: "arm"}
	r.Semantic = &urdf.Semantic{}
	link := func(name string, collisions ...urdf.Collision) {
		r.Links = append(r.Links, urdf.Link{Name: name, ParentJoint: len(r.Links) - 1, Collisions: collisions})
	}
	joint := func(name string, kind urdf.JointType, parent int, pose geom.Pose, axis geom.Vec) {
		r.Joints = append(r.Joints, urdf.Joint{Name: name, Type: kind, Parent: parent, Child: len(r.Joints) + 1, PosePC: pose, Axis: axis})
	}
	link("base", urdf.Collision{PoseLS: geom.IdentityPose(), Shape: box(0.3, 0.3, 0.1)})
	link("slide", urdf.Collision{PoseLS: turned(0, 0, 0.1, 0, 0, 0), Shape: &shape.Shape{Kind: shape.Cylinder, Radius: 0.06, Length: 0.1}})
	link("upper", urdf.Collision{PoseLS: turned(0, math.Pi/2, 0, 0.25, 0, 0), Shape: &shape.Shape{Kind: shape.Capsule, Radius: 0.04, Length: 0.3}})
	link("fore",
		urdf.Collision{PoseLS: turned(0.2, 0, 0, 0.2, 0, 0), Shape: meshOf(merged(boxMesh(geom.Vec{X: 0.1, Y: 0.03, Z: 0.02}), shifted(boxMesh(geom.Vec{X: 0.02, Y: 0.02, Z: 0.05}), geom.Vec{X: 0.05, Z: 0.1})))},
		urdf.Collision{PoseLS: turned(0, 0, 0, 0.1, 0, 0), Shape: &shape.Shape{Kind: shape.Sphere, Radius: 0.03}})
	link("hand", urdf.Collision{PoseLS: turned(0, 0, 0, 0.1, 0, 0), Shape: &shape.Shape{Kind: shape.Cone, Radius: 0.04, Length: 0.1}})
	link("sledge", urdf.Collision{PoseLS: geom.IdentityPose(), Shape: box(0.1, 0.1, 0.1)})
	joint("lift", urdf.Prismatic, 0, turned(0, 0, 0, 0, 0, 0.2), geom.Vec{Z: 1})
	joint("shoulder", urdf.Revolute, 1, turned(0, 0, 0.3, 0.1, 0, 0.05), geom.Vec{Z: 1})
	joint("elbow", urdf.Revolute, 2, turned(0.4, 0, 0, 0.5, 0, 0), geom.Vec{Y: 1})
	joint("wrist", urdf.Continuous, 3, turned(0, 0, 0, 0.35, 0, 0), geom.Vec{X: 0.6, Z: 0.8})
	joint("drive", urdf.Planar, 0, turned(0, 0, 0, -1, 0.5, 0), geom.Vec{Z: 1})
	r.Joints[2].Mimic = &urdf.Mimic{Joint: 1, Multiplier: -0.7, Offset: 0.2}
	r.Semantic.Disabled = []urdf.DisabledPair{{A: 0, B: 1, Reason: "Adjacent"}, {A: 1, B: 2, Reason: "Adjacent"}, {A: 2, B: 3, Reason: "Adjacent"}, {A: 3, B: 4, Reason: "Adjacent"}}
	return r
}

var armJoints = []string{"lift", "shoulder", "wrist", "drive/x", "drive/y", "drive/theta"}

// armMotion has a straight piece, with a wrist that wraps, and one of degree 5.
func armMotion() *motion.Motion {
	return &motion.Motion{
		ID: "reach", Joints: armJoints,
		Pieces: []motion.Piece{
			{Start: 0, End: 1, Ctrl: [][]float64{{0, 0.1}, {-0.5, 0.4}, {3, -3}, {0, 0.2}, {0, -0.1}, {0, 0.5}}},
			{Start: 1, End: 2.5, Ctrl: [][]float64{{0.1, 0.12, 0.2, 0.2}, {0.4, 0.5, 0.7, 0.6, 0.2, 0.1}, {-3, -3, -2.5}, {0.2}, {-0.1, 0.1}, {0.5, 1, 0.4}}},
		},
	}
}

func armScene(t testing.TB) *scene.Snapshot {
	t.Helper()
	cells := &shape.Shape{Kind: shape.Cells}
	points := &shape.Shape{Kind: shape.Points, Radius: 0.005}
	for i := range 8 {
		x := 0.1 * float64(i)
		cells.Cells = append(cells.Cells, geom.Box{Min: geom.Vec{X: x, Y: 1.5, Z: 0}, Max: geom.Vec{X: x + 0.1, Y: 1.6, Z: 0.1}})
		points.Points = append(points.Points, geom.Vec{X: 1.5, Y: x - 0.4, Z: 0.3})
	}
	s, err := scene.New("",
		scene.Object{ID: "floor", PoseWS: turned(0, 0, 0, 0, 0, -0.1), Shape: box(4, 4, 0.04)},
		scene.Object{ID: "wall", PoseWS: turned(0, 0, 0.2, 0.5, -1.2, 0.5), Shape: meshOf(boxMesh(geom.Vec{X: 1, Y: 0.1, Z: 0.5})), Padding: 0.01},
		scene.Object{ID: "cloud", PoseWS: geom.IdentityPose(), Shape: points},
		scene.Object{ID: "map", PoseWS: geom.IdentityPose(), Shape: cells},
		scene.Object{ID: "tool", PoseWS: turned(0, 0, 0, 0.15, 0, 0), Shape: &shape.Shape{Kind: shape.Cylinder, Radius: 0.01, Length: 0.06}, AttachedTo: "hand", TouchLinks: []string{"fore"}},
	)
	if err != nil {
		t.Fatal(err)
	}
	if s, err = s.WithAllowed([2]string{"base", "floor"}, [2]string{"sledge", "floor"}); err != nil {
		t.Fatal(err)
	}
	return s
}

// armProof is a proof of the arm's motion in its scene, with a permuted world.
func armProof(t testing.TB) *prover {
	t.Helper()
	p := newProver(t, arm(), armScene(t), armMotion())
	for _, d := range p.robot.Semantic.Disabled {
		p.header.Assumed = append(p.header.Assumed, certificate.Assumed{A: p.robot.Links[d.A].Name, B: p.robot.Links[d.B].Name, Reason: "srdf: Adjacent"})
	}
	for _, a := range [][3]string{{"base", "floor", "scene"}, {"sledge", "floor", "scene"}, {"tool", "hand", "attached"}, {"tool", "fore", "attached"}} {
		p.header.Assumed = append(p.header.Assumed, certificate.Assumed{A: a[0], B: a[1], Reason: a[2]})
	}
	world := len(p.header.Bodies) - 1
	n := p.header.Bodies[world].Atoms
	for i := range n {
		p.orders[world] = append(p.orders[world], int32(n-1-i))
	}
	p.header.Clearance = 0.001
	return p
}
