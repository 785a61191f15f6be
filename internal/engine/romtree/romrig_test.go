package romtree

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/twin"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// dice draws robots.
type dice struct{ robots.Dice }

func diceOf(seed uint64) dice { return dice{robots.NewDice(seed, 0x5e1f)} }

func (d dice) axis() geom.Vec {
	for {
		if d.IntN(3) == 0 {
			return [...]geom.Vec{{X: 1}, {Y: 1}, {Z: 1}, {Z: -1}}[d.IntN(4)]
		}
		if u, ok := geom.Unit(d.Vec(1)); ok {
			return u
		}
	}
}

func (d dice) pose(size float64) geom.Pose {
	return geom.Pose{R: geom.RPY(d.In(-4, 4), d.In(-4, 4), d.In(-4, 4)), P: d.Vec(size)}
}

// shape is a primitive, or a mesh in two parts, whose hull holds more than it.
func (d dice) shape() *shape.Shape {
	return d.Shape(d.Spread(0.02, 0.3), robots.Sphere, robots.Capsule, robots.Cylinder, robots.Wedges, robots.Block, robots.Block)
}

// drawn is which joints a random robot may have.
type drawn struct {
	joints  int
	endless bool // planar joints and slides without limits
}

func (d dice) robot(o drawn) *urdf.Robot {
	p := robots.Plan{
		Joints: o.joints,
		Kinds: []urdf.JointType{
			urdf.Revolute, urdf.Revolute, urdf.Revolute, urdf.Revolute, urdf.Revolute, urdf.Revolute, urdf.Revolute,
			urdf.Continuous, urdf.Continuous, urdf.Prismatic, urdf.Prismatic, urdf.Fixed,
		},
		Odd:    15,
		Origin: func() geom.Pose { return d.pose(0.4) },
		Axis:   d.axis,
		Limit: func(t urdf.JointType) urdf.Limit {
			if o.endless && t == urdf.Prismatic && d.IntN(3) == 0 {
				return urdf.Limit{}
			}
			lo := d.In(-3, 1)
			return urdf.Limit{Bounded: true, Lower: lo, Upper: lo + d.Spread(0.01, 8)}
		},
		Parts: d.parts,
		Base:  d.parts,
	}
	if o.endless {
		p.Kinds = append(p.Kinds, urdf.Planar)
	}
	return d.Robot(p)
}

func (d dice) parts() (parts []urdf.Collision) {
	for k := range d.IntN(3) {
		parts = append(parts, urdf.Collision{Name: fmt.Sprint(k), PoseLS: d.pose(0.1), Shape: d.shape()})
	}
	return parts
}

// modelOf compiles a robot; off names the pairs of links that are left out.
func modelOf(t testing.TB, r *urdf.Robot, world *scene.Snapshot, padding float64, off func(a, b int) bool) *model.Model {
	t.Helper()
	m, err := model.New(r, world, func(string) float64 { return padding }, &model.Library{})
	if err != nil {
		t.Fatal(err)
	}
	m.PairUp(func(a, b *model.Body) string {
		if off != nil && off(a.Link, b.Link) {
			return "off"
		}
		return ""
	})
	return m
}

// configuration draws one position per variable: anywhere in the limits, or with each
// variable at an end of them.
func (d dice) configuration(b *JointBox) []float64 {
	q := make([]float64, len(b.Vars))
	corner := d.IntN(3) == 0
	for i, r := range b.Vars {
		switch {
		case !r.Finite():
			q[i] = d.In(-9, 9)
		case corner:
			q[i] = [...]float64{r.Lo, r.Hi}[d.IntN(2)]
		default:
			q[i] = min(d.In(r.Lo, r.Hi), r.Hi)
		}
	}
	return q
}

// position of a joint in a configuration; planar joints are told apart by axis.
func position(m *model.Model, r *urdf.Robot, j *urdf.Joint, q []float64) float64 {
	if j.Mimic != nil {
		return j.Mimic.Multiplier*position(m, r, &r.Joints[j.Mimic.Joint], q) + j.Mimic.Offset
	}
	return q[m.Tree.DofIndex(j.Name)]
}

// lift takes the point x of a link to an ancestor link by the twin. It fails on planar
// joints, of which the test knows nothing.
func lift(m *model.Model, r *urdf.Robot, q []float64, link, to int, x geom.Vec) (geom.Vec, bool) {
	for l := link; l != to; {
		j := &r.Joints[r.Links[l].ParentJoint]
		if j.Type == urdf.Planar || j.Type == urdf.Floating {
			return x, false
		}
		l = j.Parent
	}
	return twin.Lift(r, link, to, x, func(i int) float64 {
		if r.Joints[i].Type == urdf.Fixed {
			return 0
		}
		return position(m, r, &r.Joints[i], q)
	}), true
}

// surface draws a point of a shape, often an extreme one, in its link.
func (d dice) surface(c *urdf.Collision) geom.Vec {
	s, sign := c.Shape, func() float64 { return float64(2*d.IntN(2) - 1) }
	var x geom.Vec
	switch s.Kind {
	case shape.Sphere:
		x = r3.Scale(s.Radius, d.axis())
	case shape.Capsule:
		x = r3.Add(geom.Vec{Z: sign() * s.Length / 2}, r3.Scale(s.Radius, d.axis()))
	case shape.Cylinder:
		sin, cos := math.Sincos(d.In(0, 7))
		x = geom.Vec{X: s.Radius * cos, Y: s.Radius * sin, Z: sign() * s.Length / 2}
	case shape.Mesh:
		x = s.Mesh.Vertices[d.IntN(len(s.Mesh.Vertices))]
	default:
		x = geom.Vec{X: sign() * s.Size.X / 2, Y: sign() * s.Size.Y / 2, Z: sign() * s.Size.Z / 2}
	}
	return c.PoseLS.Apply(x)
}

func ballShape(radius float64) *shape.Shape { return &shape.Shape{Kind: shape.Sphere, Radius: radius} }

func (d dice) ball() convex.Ball {
	b := convex.Ball{Center: d.Vec(math.Exp(d.In(-20, 3))), Radius: math.Exp(d.In(-20, 2))}
	if d.IntN(6) == 0 {
		b.Center = geom.Vec{}
	}
	return b
}
