package spheretree

import (
	"fmt"
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/tri"
)

// Surface is a shape as triangles in its own frame, grown by Radius; the shape reaches
// out of that by at most Deviation, and nowhere falls short of it.
type Surface struct {
	Triangles         []tri.Triangle
	Radius, Deviation float64
}

// OfMesh returns a mesh's triangles.
func OfMesh(m *mesh.Mesh) []tri.Triangle {
	out := make([]tri.Triangle, len(m.Triangles))
	for i, t := range m.Triangles {
		out[i] = tri.Triangle{m.Vertices[t[0]], m.Vertices[t[1]], m.Vertices[t[2]]}
	}
	return out
}

// OfShape returns the surface of a shape in its own frame. Meshes, boxes and cells are
// their triangles; spheres, capsules and points are points and segments with a radius:
// all exact. Cylinders and cones are inscribed with as many facets as a deviation of
// at most tolerance (m) asks for. It fails on a shape that is not valid, and on a
// tolerance that is not positive or would take more than maxFacets.
func OfShape(s *shape.Shape, tolerance float64) (Surface, error) {
	if err := s.Validate(); err != nil {
		return Surface{}, err
	}
	half := s.Length / 2
	switch s.Kind {
	case shape.Mesh:
		return Surface{Triangles: OfMesh(s.Mesh)}, nil
	case shape.Box:
		h := scale(0.5, s.Size)
		return Surface{Triangles: appendBox(nil, geom.Box{Min: scale(-1, h), Max: h})}, nil
	case shape.Sphere:
		return Surface{Triangles: []tri.Triangle{{}}, Radius: s.Radius}, nil
	case shape.Capsule:
		lo, hi := geom.Vec{Z: -half}, geom.Vec{Z: half}
		return Surface{Triangles: []tri.Triangle{{lo, hi, hi}}, Radius: s.Radius}, nil
	case shape.Points:
		out := Surface{Radius: s.Radius}
		for _, p := range s.Points {
			out.Triangles = append(out.Triangles, tri.Triangle{p, p, p})
		}
		return out, nil
	case shape.Cells:
		var out Surface
		for i := range s.Cells {
			out.Triangles = appendBox(out.Triangles, s.Cells[i])
		}
		return out, nil
	case shape.Cylinder:
		return round(s.Radius, tolerance, geom.Vec{Z: -half}, geom.Vec{Z: half}, true)
	case shape.Cone:
		return round(s.Radius, tolerance, geom.Vec{Z: -half}, geom.Vec{Z: half}, false)
	}
	return Surface{}, fmt.Errorf("a sphere tree over %v is not known", s.Kind)
}

// At returns the surface at a pose: that of the shape's frame S in frame L. What its
// corners are off by rounding counts as Deviation.
func (s Surface) At(poseLS geom.Pose) Surface {
	out := s
	out.Triangles = make([]tri.Triangle, len(s.Triangles))
	far := 0.0
	for i, t := range s.Triangles {
		for k, v := range t {
			out.Triangles[i][k] = poseLS.Apply(v)
			far = max(far, geom.Norm(v))
		}
	}
	if poseLS != geom.IdentityPose() {
		out.Deviation += 8 * u * (far + geom.Norm(poseLS.P)) // see rounding.go, placed point
	}
	return out
}

// Compact returns the compact tree over the surface.
func (s Surface) Compact() (*Tree, error) {
	t, err := Compact(s.Triangles)
	return s.grown(t), err
}

// Greedy returns the greedy tree over the surface, with leaves of the given radius.
func (s Surface) Greedy(radius float64) (*Tree, error) {
	t, err := Greedy(s.Triangles, radius)
	return s.grown(t), err
}

func (s Surface) grown(t *Tree) *Tree {
	if t != nil {
		t.Radius, t.Deviation = s.Radius, s.Deviation
	}
	return t
}

// appendBox appends the twelve triangles of a box's sides.
func appendBox(to []tri.Triangle, b geom.Box) []tri.Triangle {
	corner := func(i int) geom.Vec {
		pick := func(bit int, lo, hi float64) float64 {
			if i>>bit&1 == 0 {
				return lo
			}
			return hi
		}
		return geom.Vec{X: pick(0, b.Min.X, b.Max.X), Y: pick(1, b.Min.Y, b.Max.Y), Z: pick(2, b.Min.Z, b.Max.Z)}
	}
	for _, q := range [6][4]int{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}} {
		p := [4]geom.Vec{corner(q[0]), corner(q[1]), corner(q[2]), corner(q[3])}
		to = append(to, tri.Triangle{p[0], p[1], p[2]}, tri.Triangle{p[0], p[2], p[3]})
	}
	return to
}

// maxFacets bounds the tessellation of one round shape.
const maxFacets = 4096

// round returns a cylinder between two discs or, without a top, the cone to a tip,
// inscribed with n facets: between two of their corners the circle of radius r reaches
// r (1 - cos(pi/n)) beyond the chord, and a corner, whose sine and cosine each err by
// 2^-51, may stand as much as 2^-49 r off the circle either way, which is counted
// twice.
func round(r, tolerance float64, base, top geom.Vec, flat bool) (Surface, error) {
	deviation := func(n int) float64 {
		s := math.Sin(math.Pi / 2 / float64(n))
		return 2*r*s*s + 0x1p-48*r
	}
	n := 8
	for deviation(n) > tolerance && n < maxFacets {
		n *= 2
	}
	if !(deviation(n) <= tolerance) {
		return Surface{}, fmt.Errorf("a round shape of radius %g m to %g m takes more than %d facets: give a larger tolerance", r, tolerance, maxFacets)
	}
	inner := r * (1 - 0x1p-50) // so that no corner is outside the circle
	rim := func(c geom.Vec, i int) geom.Vec {
		sin, cos := math.Sincos(2 * math.Pi * float64(i%n) / float64(n))
		return geom.Vec{X: c.X + inner*cos, Y: c.Y + inner*sin, Z: c.Z}
	}
	out := Surface{Deviation: deviation(n)}
	for i := range n {
		p, q := rim(base, i), rim(base, i+1)
		out.Triangles = append(out.Triangles, tri.Triangle{base, q, p})
		if !flat {
			out.Triangles = append(out.Triangles, tri.Triangle{p, q, top})
			continue
		}
		a, b := rim(top, i), rim(top, i+1)
		out.Triangles = append(out.Triangles, tri.Triangle{p, q, b}, tri.Triangle{p, b, a}, tri.Triangle{top, a, b})
	}
	return out, nil
}
