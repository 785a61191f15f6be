package verify

import (
	"fmt"
	"math"

	"github.com/firstcontact-ros/firstcontact/certificate"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
)

// body is a link, an attached object, or the whole world: convex atoms in its own frame.
type body struct {
	kind certificate.BodyKind
	name string
	link int // the link that it is or is attached to; -1 for the world

	points []geom.Vec
	discs  []disc
	atoms  []atom  // in the written order
	runs   []run   // of atoms
	err    float64 // bounds the error of every point
	far    float64 // bounds every point's distance from the frame's origin

	jump float64 // bounds how far a point of it jumps at a seam of the root link's motion

	objects []object // the world's objects, otherwise the body itself
	owner   []int32  // per atom in the written order: its object
}

// atom is the set of all points within the radius of the convex hull of some points and discs.
type atom struct {
	point, points int32
	disc, discs   int32
	radius        float64
}

// disc is a flat disc perpendicular to a unit axis.
type disc struct {
	center, axis geom.Vec
	radius       float64
}

// object is the unit of pairs: a name, its connected parts, and the solids that its meshes
// enclose. Items treat primitives, points and cells as solid.
type object struct {
	name       string
	components []component
	solids     []solid
	open       bool // faces of a mesh enclose nothing
	ambiguous  bool // the faces of a mesh do not determine its inside
}

// addShape appends the atoms of a shape with a pose in the body's frame. object is their
// owner's index.
func (b *body) addShape(g *geom.Pose, s *shape.Shape, padding float64, object int) error {
	if s == nil {
		return fmt.Errorf("it has no shape")
	}
	if err := s.Validate(); err != nil {
		return err
	}
	if !(padding >= 0) || math.IsInf(padding, 0) {
		return fmt.Errorf("padding %g must be zero or more metres", padding)
	}
	p, err := loaded(g)
	if err != nil {
		return err
	}
	first := len(b.atoms)
	b.addAtoms(&p, s, padding)
	for range b.atoms[first:] {
		b.owner = append(b.owner, int32(object))
	}
	b.objects[object].add(s, p, first)
	return nil
}

// add records the parts of a shape whose atoms are numbered from first on.
func (o *object) add(s *shape.Shape, frame pose, first int) {
	if s.Kind != shape.Mesh {
		o.components = append(o.components, componentsOf(s, frame, first)...)
		return
	}
	places := placesOf(s.Mesh)
	o.components = append(o.components, meshComponents(s.Mesh, places, frame, first)...)
	solids, open := solidsOf(s.Mesh, places, frame, first)
	o.solids, o.open = append(o.solids, solids...), o.open || open
	for i := range solids {
		o.ambiguous = o.ambiguous || solids[i].unit.ambiguous
	}
}

func (b *body) addAtoms(p *pose, s *shape.Shape, padding float64) {
	half := s.Length / 2
	switch s.Kind {
	case shape.Box:
		b.add(p, corners(geom.Box{Min: times(-0.5, s.Size), Max: times(0.5, s.Size)}), nil, padding)
	case shape.Sphere:
		b.add(p, []geom.Vec{{}}, nil, above(s.Radius+padding))
	case shape.Capsule:
		b.add(p, []geom.Vec{{Z: -half}, {Z: half}}, nil, above(s.Radius+padding))
	case shape.Cylinder:
		up := geom.Vec{Z: 1}
		b.add(p, nil, []disc{{geom.Vec{Z: -half}, up, s.Radius}, {geom.Vec{Z: half}, up, s.Radius}}, padding)
	case shape.Cone:
		b.add(p, []geom.Vec{{Z: half}}, []disc{{geom.Vec{Z: -half}, geom.Vec{Z: 1}, s.Radius}}, padding)
	case shape.Mesh:
		for _, t := range s.Mesh.Triangles {
			v := s.Mesh.Vertices
			b.add(p, []geom.Vec{v[t[0]], v[t[1]], v[t[2]]}, nil, padding)
		}
	case shape.Points:
		for i := range s.Points {
			b.add(p, s.Points[i:i+1], nil, above(s.Radius+padding))
		}
	case shape.Cells:
		for i := range s.Cells {
			b.add(p, corners(s.Cells[i]), nil, padding)
		}
	}
}

// add appends an atom, with its points and discs transformed into the body's frame. The error
// of a disc's axis is that of the rotation; at the rim it counts times the radius.
func (b *body) add(p *pose, points []geom.Vec, discs []disc, radius float64) {
	a := atom{point: int32(len(b.points)), disc: int32(len(b.discs)), radius: radius}
	for _, v := range points {
		x := p.place(at(v))
		b.points = append(b.points, x.v)
		b.err, b.far = max(b.err, x.err), max(b.far, x.size())
	}
	for _, d := range discs {
		x, axis := p.place(at(d.center)), p.r.apply(at(d.axis))
		b.discs = append(b.discs, disc{x.v, axis.v, d.radius})
		b.err, b.far = max(b.err, above(x.err+4*axis.err*d.radius)), max(b.far, above(x.size()+d.radius))
	}
	a.points, a.discs = int32(len(b.points))-a.point, int32(len(b.discs))-a.disc
	b.atoms = append(b.atoms, a)
}

func corners(b geom.Box) []geom.Vec {
	out := make([]geom.Vec, 0, 8)
	for _, x := range [2]float64{b.Min.X, b.Max.X} {
		for _, y := range [2]float64{b.Min.Y, b.Max.Y} {
			for _, z := range [2]float64{b.Min.Z, b.Max.Z} {
				out = append(out, geom.Vec{X: x, Y: y, Z: z})
			}
		}
	}
	return out
}

// reorder puts the atoms into the written order, a permutation.
func (b *body) reorder(order []int32) error {
	if len(order) != len(b.atoms) {
		return fmt.Errorf("the order of its %d atoms names %d", len(b.atoms), len(order))
	}
	seen := make([]bool, len(order))
	atoms, owner := make([]atom, len(order)), make([]int32, len(order))
	position := make([]int32, len(order))
	for i, k := range order {
		if int(k) >= len(order) || k < 0 || seen[k] {
			return fmt.Errorf("the order of its atoms is not a permutation: atom %d is named twice, or does not exist", k)
		}
		seen[k] = true
		atoms[i], owner[i], position[k] = b.atoms[k], b.owner[k], int32(i)
	}
	b.atoms, b.owner = atoms, owner
	for o := range b.objects {
		for c := range b.objects[o].components {
			b.objects[o].components[c].reorder(position)
		}
		for c := range b.objects[o].solids {
			b.objects[o].solids[c].reorder(position)
		}
	}
	return nil
}

// part returns the range of the atoms of a part.
func (b *body) part(p certificate.Part) (first, end int, err error) {
	if p.Count == 0 {
		return 0, len(b.atoms), nil
	}
	if p.First < 0 || p.Count < 0 || p.First > len(b.atoms)-p.Count {
		return 0, 0, fmt.Errorf("there are no atoms %d to %d: the body has %d", p.First, p.First+p.Count-1, len(b.atoms))
	}
	return p.First, p.First + p.Count, nil
}

func (b *body) pointsOf(a *atom) []geom.Vec { return b.points[a.point : a.point+a.points] }

func (b *body) discsOf(a *atom) []disc { return b.discs[a.disc : a.disc+a.discs] }
