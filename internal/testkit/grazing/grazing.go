// Package grazing makes what culling by swept volumes must not drop: pieces that dent what a
// link sweeps by a micrometre to five millimetres, needles, triangles seen edge-on, tiny
// floaters, and contacts at the border of a view.
package grazing

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/articulate"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// The kinds of pieces.
const (
	Floater = iota // of a micrometre to a millimetre
	Needle         // up to 0.3 m long, 0.1 um to 0.1 mm wide
	EdgeOn         // in a plane that holds a direction of view
	Shard          // any other, a millimetre to 0.2 m
	Face           // across the direction of the dent, touched inside
	Kinds
)

// KindNames are those of the kinds.
var KindNames = [Kinds]string{"floaters", "needles", "edge-on", "shards", "faces"}

// Least and Most are how deep the dents are, in metres; their logarithm is drawn evenly.
const Least, Most = 1e-6, 5e-3

// Case is one link's motion among pieces, each of which touches what the link's line swept sphere
// truly sweeps.
type Case struct {
	Links  *articulate.LinkBVH // its world is the pieces
	Volume articulate.SweptVolume
	// Published is the volume as the paper has it: without the second-order remainder.
	Published articulate.SweptVolume
	Kind      []int     // per item of the world
	Depth     []float64 // per item: no less than this is inside
	Border    []bool    // per item: the dent is where the volume ends along an axis
}

// Moving is a robot with a motion.
type Moving struct {
	robots.Dice
	Robot   *urdf.Robot
	Links   *articulate.LinkBVH
	Sweeper *articulate.Sweeper
}

// NewMoving draws a robot of a few joints with a motion of up to turn, in a world.
func NewMoving(seed, i uint64, turn float64, world *scene.Snapshot) (*Moving, error) {
	d := robots.NewDice(seed, i)
	robot := d.Robot(robots.Plan{
		Joints: 1 + d.IntN(6), Kinds: []urdf.JointType{urdf.Revolute, urdf.Revolute, urdf.Continuous, urdf.Prismatic}, Branch: 5,
		Parts: func() []urdf.Collision { return d.Parts(1, 0.1, 0.08, robots.Primitives...) },
	})
	m := &Moving{Dice: d, Robot: robot}
	built, err := build(robot, world)
	if err != nil {
		return nil, err
	}
	degrees := []int{1, 1, 2, 3, 5}
	return m, m.sweepIn(built, d.Motion(robot, robots.Travel{Pieces: 1, Mixed: true, Degrees: degrees, Sizes: []float64{turn}}))
}

// Again draws another motion of the same robot.
func (m *Moving) Again(turn float64) error {
	return m.sweepIn(m.Links.Model(), m.Motion(m.Robot, robots.Travel{Pieces: 1, Mixed: true, Degrees: []int{1, 2, 3, 5}, Sizes: []float64{turn}}))
}

func build(robot *urdf.Robot, world *scene.Snapshot) (*model.Model, error) {
	m, err := model.New(robot, world, func(string) float64 { return 0 }, &model.Library{})
	if err == nil {
		m.PairUp(func(_, _ *model.Body) string { return "" })
	}
	return m, err
}

func (m *Moving) sweepIn(built *model.Model, mo *motion.Motion) error {
	course, err := kin.Bind(built.Tree, mo, make([]float64, len(built.Tree.Dofs)))
	if err != nil {
		return err
	}
	if m.Links == nil {
		m.Links = articulate.NewLinkBVH(built)
	}
	mover := articulate.NewMover(built.Tree)
	mover.Load(course, 0)
	m.Sweeper = articulate.NewSweeper(m.Links, mover)
	m.Sweeper.Load()
	return nil
}

// Elements lists the elements that move.
func (m *Moving) Elements() (moving []int) {
	built := m.Links.Model()
	for i := range m.Links.LSS {
		if e := &built.Elements[i]; built.Bodies[e.Body].Link >= 0 && len(built.Tree.Chain(e.Frame)) > 0 {
			moving = append(moving, i)
		}
	}
	return moving
}

// New makes case i of a seed with n pieces.
func New(seed, i uint64, n int) (*Case, error) {
	d := robots.NewDice(seed, i)
	m, err := NewMoving(seed, i, []float64{0.1, 0.5, 1.5}[i%3], nil)
	if err != nil {
		return nil, err
	}
	elements := m.Elements()
	k := elements[len(elements)-1-d.IntN(min(2, len(elements)))]
	from := d.In(0, 0.7)
	to := d.In(from, 1)
	c := &Case{}
	m.Sweeper.Sweep(k, 0, from, to, &c.Volume)
	pieces := &mesh.Mesh{}
	// A piece far off, so that the mesh is no convex piece.
	for range n {
		kind, depth, border := d.IntN(Kinds), d.Spread(Least, Most), d.IntN(4) == 0
		t := m.touch(k, from, to, &depth, border)
		corners := t.piece(d, kind)
		at := int32(len(pieces.Vertices))
		pieces.Vertices = append(pieces.Vertices, corners[:]...)
		pieces.Triangles = append(pieces.Triangles, [3]int32{at, at + 1, at + 2})
		c.Kind, c.Depth, c.Border = append(c.Kind, kind), append(c.Depth, depth), append(c.Border, border)
	}
	built, err := build(m.Robot, robots.World(robots.Object("pieces", robots.Mesh(pieces), geom.IdentityPose())))
	if err != nil {
		return nil, err
	}
	if len(built.World.Items) != n {
		return nil, fmt.Errorf("the world has %d pieces of %d", len(built.World.Items), n)
	}
	c.Links = articulate.NewLinkBVH(built)
	c.inOrder(built)
	c.Published = c.Volume
	c.Published.Slices = append([]articulate.Slice(nil), c.Volume.Slices...)
	for i := range c.Published.Slices {
		c.Published.Slices[i].Radius = m.Links.LSS[k].Radius
	}
	return c, nil
}

// inOrder puts what is noted of pieces into the order of the world's items.
func (c *Case) inOrder(built *model.Model) {
	kind, depth, border := c.Kind, c.Depth, c.Border
	c.Kind, c.Depth, c.Border = make([]int, len(kind)), make([]float64, len(kind)), make([]bool, len(kind))
	for i := range built.World.Items {
		of := built.World.Items[i].Leaf
		c.Kind[i], c.Depth[i], c.Border[i] = kind[of], depth[of], border[of]
	}
}

// touch is a point inside of what is swept, at a depth along the outward direction out.
type touch struct{ at, out geom.Vec }

// touch chooses a time and a direction, or the end of the volume along an axis. depth becomes
// what the sphere has room for.
func (m *Moving) touch(element int, from, to float64, depth *float64, border bool) touch {
	out := m.Unit()
	when := m.In(from, to)
	a, b := m.line(element, when)
	if border {
		out = [...]geom.Vec{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}}[m.IntN(6)]
		best := math.Inf(-1)
		for i := range 65 {
			p, q := m.line(element, from+(to-from)*float64(i)/64)
			if far := max(r3.Dot(p, out), r3.Dot(q, out)); far > best {
				a, b, best = p, q, far
			}
		}
	}
	at := a
	if r3.Dot(b, out) > r3.Dot(a, out) {
		at = b
	}
	if line := r3.Sub(b, a); !border && m.IntN(2) == 0 && geom.Norm(line) > 1e-6 { // the cylinder between the ends
		line = r3.Unit(line)
		if across := r3.Sub(out, r3.Scale(r3.Dot(out, line), line)); geom.Norm(across) > 1e-3 {
			out = r3.Unit(across)
			at = r3.Add(a, r3.Scale(m.Float64(), r3.Sub(b, a)))
		}
	}
	r := m.Links.LSS[element].Radius
	*depth = min(*depth, r/2)
	return touch{at: r3.Add(at, r3.Scale(r-*depth, out)), out: out}
}

// line returns the ends of the element's line at a time.
func (m *Moving) line(element int, when float64) (a, b geom.Vec) {
	var v articulate.SweptVolume
	m.Sweeper.Sweep(element, 0, when, when, &v)
	return v.Slices[0].Corners[0], v.Slices[0].Corners[1]
}

// piece returns a triangle that has the point and is otherwise on its outward side.
func (t touch) piece(d robots.Dice, kind int) [3]geom.Vec {
	outward := func(v geom.Vec) geom.Vec {
		if r3.Dot(v, t.out) < 0 {
			return r3.Scale(-1, v)
		}
		return v
	}
	along := func(n, v geom.Vec) geom.Vec { return r3.Sub(v, r3.Scale(r3.Dot(n, v), n)) }
	p := t.at
	off := func(v geom.Vec) geom.Vec { return r3.Add(p, v) }
	switch kind {
	case Floater:
		size := d.Spread(1e-6, 1e-3)
		return [3]geom.Vec{p, off(r3.Scale(size, outward(d.Unit()))), off(r3.Scale(size, outward(d.Unit())))}
	case Needle:
		long := r3.Scale(d.In(0.01, 0.3), outward(d.Unit()))
		return [3]geom.Vec{p, off(long), off(r3.Add(long, outward(r3.Scale(d.Spread(1e-7, 1e-4), d.Unit()))))}
	case EdgeOn:
		axis := [...]geom.Vec{{X: 1}, {Y: 1}, {Z: 1}}[d.IntN(3)]
		size := d.Spread(1e-3, 0.2)
		return [3]geom.Vec{p, off(r3.Scale(size, outward(axis))), off(r3.Scale(size*d.In(0.1, 1), outward(d.Unit())))}
	case Face:
		size := d.Spread(1e-3, 0.2)
		x, ok := geom.Unit(along(t.out, d.Unit()))
		for !ok || math.Abs(r3.Dot(x, t.out)) > 1e-9 { // both dice begin with the same seed, and may draw one direction twice
			x, ok = geom.Unit(along(t.out, d.Unit()))
		}
		y := r3.Cross(t.out, x)
		return [3]geom.Vec{off(r3.Scale(size, x)), off(r3.Scale(size, r3.Add(r3.Scale(-0.5, x), y))), off(r3.Scale(size, r3.Add(r3.Scale(-0.5, x), r3.Scale(-1, y))))}
	}
	size := d.Spread(1e-3, 0.2)
	return [3]geom.Vec{p, off(r3.Scale(size, outward(d.Unit()))), off(r3.Scale(size, outward(d.Unit())))}
}
