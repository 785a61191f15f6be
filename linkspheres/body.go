package linkspheres

import (
	"fmt"
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/bvh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Body is the collision geometry of a link in the link's frame: its surface, and the
// solids that the surface bounds. It is immutable and may be shared.
type Body struct {
	Link string
	// Open counts the open surfaces of meshes, which enclose nothing.
	Open int

	triangles []triangle
	patches   []patch
	solids    []solid
	soup      *mesh.Mesh // all triangles of meshes
	tree      *bvh.Tree  // over soup, nil if there are none
	soupErr   float64
	bounds    geom.Box
}

// maxSkew bounds how far a pose may be from a rotation.
const maxSkew = 1e-6

// NewBody returns the geometry of a link. A shape that is not valid and a pose that is not a
// rotation and a translation are errors that name the link. A link without collision geometry
// has an empty body, see [Body.Empty].
func NewBody(l *urdf.Link) (*Body, error) {
	b := &Body{Link: l.Name, bounds: geom.EmptyBox(), soup: &mesh.Mesh{}}
	for i := range l.Collisions {
		c := &l.Collisions[i]
		if err := b.add(c); err != nil {
			return nil, fmt.Errorf("link %s: collision element %d: %w", l.Name, i+1, err)
		}
	}
	if len(b.soup.Triangles) > 0 {
		b.tree = bvh.OfTriangles(b.soup, 2)
	}
	return b, nil
}

// Empty reports whether the link has no collision geometry.
func (b *Body) Empty() bool { return len(b.triangles) == 0 && len(b.patches) == 0 }

// Box returns a box around the geometry, in the link's frame.
func (b *Body) Box() geom.Box { return b.bounds }

// Solid reports whether any of the geometry has an inside.
func (b *Body) Solid() bool { return len(b.solids) > 0 }

func (b *Body) add(c *urdf.Collision) error {
	s := c.Shape
	if s == nil {
		return fmt.Errorf("it has no shape")
	}
	if err := s.Validate(); err != nil {
		return err
	}
	skew := skewOf(&c.PoseLS.R)
	if !(skew <= maxSkew) || !geom.Finite(c.PoseLS.P) {
		return fmt.Errorf("its pose is not a rotation and translation: %v", c.PoseLS)
	}
	switch s.Kind {
	case shape.Mesh:
		b.addMesh(s.Mesh, c.PoseLS)
	case shape.Points:
		for _, p := range s.Points {
			pose := geom.Pose{R: geom.Identity(), P: c.PoseLS.Apply(p)}
			b.addRound(&shape.Shape{Kind: shape.Sphere, Radius: s.Radius}, pose, 32*u, movedBy(p, c.PoseLS))
		}
	case shape.Cells:
		for _, cell := range s.Cells {
			pose := c.PoseLS
			pose.P = c.PoseLS.Apply(cell.Center())
			// The errors of the middle and the sides are 2u of the corners.
			off := movedBy(cell.Center(), c.PoseLS) + 4*u*(size1(cell.Min)+size1(cell.Max))
			b.addRound(&shape.Shape{Kind: shape.Box, Size: sub(cell.Max, cell.Min)}, pose, skew, off)
		}
	default:
		b.addRound(s, c.PoseLS, skew, 0)
	}
	return nil
}

// skewOf bounds |R'R - 1| in the Frobenius norm, and so how far R is from the nearest
// rotation: a singular value s has |s - 1| <= |s^2 - 1|. For a reflection it is infinite.
func skewOf(r *geom.Rot) float64 {
	t := r.Inv().Mul(*r)
	x, y, z := geom.Vec{X: r.XX, Y: r.YX, Z: r.ZX}, geom.Vec{X: r.XY, Y: r.YY, Z: r.ZY}, geom.Vec{X: r.XZ, Y: r.YZ, Z: r.ZZ}
	if !(dot(cross(x, y), z) > 0) {
		return math.Inf(1)
	}
	sum := 0.0
	for _, e := range [...]float64{t.XX - 1, t.XY, t.XZ, t.YX, t.YY - 1, t.YZ, t.ZX, t.ZY, t.ZZ - 1} {
		sum += e * e
	}
	return math.Sqrt(sum) + 32*u
}

// movedBy bounds how far rounding moves pose.Apply(v). A coordinate of R v + P takes 3
// products and 3 sums: 4u of the sizes of its terms, and over the three coordinates less than
// 8u of |v| and |P| by their coordinates.
func movedBy(v geom.Vec, pose geom.Pose) float64 { return 8 * u * (2*size1(v) + size1(pose.P)) }

// addMesh adds a mesh, transformed to the link's frame.
func (b *Body) addMesh(m *mesh.Mesh, pose geom.Pose) {
	base := int32(len(b.soup.Vertices))
	err := 0.0
	for _, v := range m.Vertices {
		w := pose.Apply(v)
		b.soup.Vertices = append(b.soup.Vertices, w)
		b.bounds = b.bounds.Extend(w)
		err = math.Max(err, movedBy(v, pose))
	}
	b.soupErr = math.Max(b.soupErr, err)
	for _, t := range m.Triangles {
		t = [3]int32{base + t[0], base + t[1], base + t[2]}
		b.soup.Triangles = append(b.soup.Triangles, t)
		b.triangles = append(b.triangles, triangle{corners(b.soup, int32(len(b.soup.Triangles)-1)), err})
	}
	whole := mesh.SolidOf(m)
	b.Open += whole.Surfaces
	for _, own := range whole.Split(m) {
		p := &meshSolid{mesh: &mesh.Mesh{Triangles: own.Triangles}, of: mesh.SolidOf(own), err: err, bounds: geom.EmptyBox()}
		for _, v := range own.Vertices {
			w := pose.Apply(v)
			p.mesh.Vertices = append(p.mesh.Vertices, w)
			p.bounds = p.bounds.Extend(w)
		}
		p.tree = bvh.OfTriangles(p.mesh, 2)
		p.bounds = grown(p.bounds, 2*err)
		b.solids = append(b.solids, p)
	}
}

// addRound adds a primitive whose placement has an error of up to off.
func (b *Body) addRound(s *shape.Shape, pose geom.Pose, skew, off float64) {
	r := &round{shape: s, pose: pose, skew: skew, off: off}
	half := geom.Vec{X: s.Radius, Y: s.Radius, Z: s.Radius}
	switch s.Kind {
	case shape.Box:
		half = scale(0.5, s.Size)
	case shape.Capsule:
		half.Z += s.Length / 2
	case shape.Cylinder, shape.Cone:
		half.Z = s.Length / 2
	}
	r.extent = size1(half)
	err := r.err(pose.P)
	if s.Kind == shape.Box {
		b.addBox(half, pose, err)
	} else {
		b.patches = append(b.patches, patchesOf(r)...)
	}
	r.bounds = geom.EmptyBox()
	for _, v := range cornersOf(half) {
		r.bounds = r.bounds.Extend(pose.Apply(v))
	}
	r.bounds = grown(r.bounds, err)
	b.bounds = b.bounds.Union(r.bounds)
	b.solids = append(b.solids, r)
}

// addBox adds the surface of a box: twelve triangles.
func (b *Body) addBox(half geom.Vec, pose geom.Pose, err float64) {
	var c [8]geom.Vec
	for i, v := range cornersOf(half) {
		c[i] = pose.Apply(v)
	}
	for _, f := range [...][4]int{{0, 1, 3, 2}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 3, 7, 5}} {
		b.triangles = append(b.triangles,
			triangle{[3]geom.Vec{c[f[0]], c[f[1]], c[f[2]]}, err},
			triangle{[3]geom.Vec{c[f[0]], c[f[2]], c[f[3]]}, err})
	}
}

func cornersOf(half geom.Vec) (c [8]geom.Vec) {
	for i := range c {
		c[i] = half
		if i&1 != 0 {
			c[i].X = -half.X
		}
		if i&2 != 0 {
			c[i].Y = -half.Y
		}
		if i&4 != 0 {
			c[i].Z = -half.Z
		}
	}
	return c
}

func grown(b geom.Box, by float64) geom.Box {
	v := geom.Vec{X: by, Y: by, Z: by}
	return geom.Box{Min: sub(b.Min, v), Max: add(b.Max, v)}
}
