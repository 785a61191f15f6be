package romtree

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/shape"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// dice draws robots.
type dice struct{ chance.Dice }

func diceOf(seed uint64) dice { return dice{chance.New(seed, 0x5e1f)} }

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

// shape is a primitive, or a mesh of a notched block, which is not convex.
func (d dice) shape() *shape.Shape {
	size := math.Exp(d.In(math.Log(0.02), math.Log(0.3)))
	switch d.IntN(6) {
	case 0:
		return &shape.Shape{Kind: shape.Sphere, Radius: size}
	case 1:
		return &shape.Shape{Kind: shape.Capsule, Radius: size / 3, Length: size}
	case 2:
		return &shape.Shape{Kind: shape.Cylinder, Radius: size / 2, Length: size}
	case 3:
		return &shape.Shape{Kind: shape.Mesh, Mesh: wedges(size)}
	}
	return &shape.Shape{Kind: shape.Box, Size: geom.Vec{X: size, Y: d.In(0.1, 1) * size, Z: d.In(0.1, 1) * size}}
}

// wedges is two tetrahedra apart: a mesh whose hull holds more than it.
func wedges(size float64) *mesh.Mesh {
	m := &mesh.Mesh{}
	for _, at := range []float64{-size, size} {
		first := int32(len(m.Vertices))
		m.Vertices = append(m.Vertices, geom.Vec{X: at}, geom.Vec{X: at + size/2}, geom.Vec{X: at, Y: size / 2}, geom.Vec{X: at, Z: size / 2})
		for _, t := range [][3]int32{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}} {
			m.Triangles = append(m.Triangles, [3]int32{first + t[0], first + t[1], first + t[2]})
		}
	}
	return m
}

// drawn is which joints a random robot may have.
type drawn struct {
	joints  int
	endless bool // planar joints and slides without limits
}

func (d dice) robot(o drawn) *urdf.Robot {
	r := &urdf.Robot{Name: "drawn", Links: []urdf.Link{d.link(0, -1)}}
	for i := range o.joints {
		parent := len(r.Links) - 1
		if d.IntN(3) == 0 {
			parent = d.IntN(len(r.Links))
		}
		j := urdf.Joint{
			Name: fmt.Sprint("j", i), Type: urdf.Revolute, Parent: parent, Child: i + 1,
			PosePC: d.pose(0.4), Axis: d.axis(), Limit: d.limit(),
		}
		switch n := d.IntN(12); {
		case n < 2:
			j.Type = urdf.Continuous
			j.Limit = urdf.Limit{}
		case n < 4:
			j.Type = urdf.Prismatic
		case n == 4:
			j.Type = urdf.Fixed
			j.Limit = urdf.Limit{}
		case n == 5 && o.endless:
			j.Type = urdf.Planar
			j.Limit = urdf.Limit{}
		case n == 6 && o.endless:
			j.Type, j.Limit = urdf.Prismatic, urdf.Limit{}
		}
		d.mimic(r, &j)
		r.Joints = append(r.Joints, j)
		r.Links = append(r.Links, d.link(i+1, i))
	}
	return r
}

func (d dice) limit() urdf.Limit {
	lo, width := d.In(-3, 1), math.Exp(d.In(math.Log(0.01), math.Log(8)))
	return urdf.Limit{Bounded: true, Lower: lo, Upper: lo + width}
}

// mimic makes a joint follow one before it, now and then.
func (d dice) mimic(r *urdf.Robot, j *urdf.Joint) {
	if d.IntN(4) != 0 || j.Type == urdf.Fixed || j.Type == urdf.Planar {
		return
	}
	for i := len(r.Joints) - 1; i >= 0; i-- {
		lead := &r.Joints[i]
		if lead.Mimic == nil && lead.Type != urdf.Fixed && lead.Type != urdf.Planar {
			j.Mimic = &urdf.Mimic{Joint: i, Multiplier: d.In(-2, 2), Offset: d.In(-1, 1)}
			return
		}
	}
}

func (d dice) link(i, joint int) urdf.Link {
	l := urdf.Link{Name: fmt.Sprint("l", i), ParentJoint: joint}
	for k := range d.IntN(3) {
		l.Collisions = append(l.Collisions, urdf.Collision{Name: fmt.Sprint(k), PoseLS: d.pose(0.1), Shape: d.shape()})
	}
	return l
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

// turned rotates v about the unit vector u by Rodrigues' formula.
func turned(v, u geom.Vec, angle float64) geom.Vec {
	s, c := math.Sincos(angle)
	return r3.Add(r3.Add(r3.Scale(c, v), r3.Scale(s, r3.Cross(u, v))), r3.Scale(r3.Dot(u, v)*(1-c), u))
}

// lift takes the point x of a link to an ancestor link, joint by joint, by other
// formulas than kin's. It fails on planar joints, of which the test knows nothing.
func lift(m *model.Model, r *urdf.Robot, q []float64, link, to int, x geom.Vec) (geom.Vec, bool) {
	for link != to {
		j := &r.Joints[r.Links[link].ParentJoint]
		switch j.Type {
		case urdf.Revolute, urdf.Continuous:
			x = turned(x, j.Axis, position(m, r, j, q))
		case urdf.Prismatic:
			x = r3.Add(x, r3.Scale(position(m, r, j, q), j.Axis))
		case urdf.Planar, urdf.Floating:
			return x, false
		}
		x = j.PosePC.Apply(x)
		link = j.Parent
	}
	return x, true
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
