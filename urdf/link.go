package urdf

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh/xmltree"
	"github.com/firstcontact-ros/firstcontact/premise"
)

func (l *loader) links(root *xmltree.Node) error {
	all, elements := root.All("link"), 0
	if len(all) > limit.Links {
		return fmt.Errorf("%d links exceed the maximum of %d: merge links without relative motion", len(all), limit.Links)
	}
	for _, n := range all {
		name, err := text(n, "name")
		if err != nil {
			return err
		}
		if _, ok := l.robot.linkIndex[name]; ok {
			return fmt.Errorf("line %d: link %q: a second link of that name: rename one", n.Line, name)
		}
		k := Link{Name: name, ParentJoint: -1}
		for i, c := range n.All("collision") {
			if elements++; elements > limit.CollisionElements {
				return fmt.Errorf("line %d: more than %d collision elements: merge them, for instance into a mesh", c.Line, limit.CollisionElements)
			}
			col, err := l.collision(c)
			if err != nil {
				return fmt.Errorf("link %q: collision element %d: %w", name, i+1, err)
			}
			l.gapsOf(name, col.Shape)
			l.turned(fmt.Sprintf("collision element %d of link %s", i+1, name), name, c)
			k.Collisions = append(k.Collisions, col)
		}
		l.robot.linkIndex[name] = len(l.robot.Links)
		l.robot.Links = append(l.robot.Links, k)
	}
	return nil
}

func (l *loader) collision(n *xmltree.Node) (c Collision, err error) {
	c.Name, _ = n.Attr("name")
	if c.PoseLS, err = origin(n); err != nil {
		return c, err
	}
	g, err := only(n, "geometry")
	if err != nil {
		return c, err
	}
	if g == nil || len(g.Kids) != 1 {
		return c, fmt.Errorf("line %d: it must have one <geometry> with one shape in it", n.Line)
	}
	c.Shape, err = l.shape(g.Kids[0])
	return c, err
}

// shape reads one shape. The length of a capsule is that of its cylinder
// between the caps, as Bullet and Drake read it.
func (l *loader) shape(n *xmltree.Node) (s *shape.Shape, err error) {
	s = new(shape.Shape)
	switch n.Name {
	case "box":
		s.Kind = shape.Box
		if _, err = text(n, "size"); err == nil {
			s.Size, err = vector(n, "size", geom.Vec{})
		}
	case "sphere":
		return l.sphere(n)
	case "cylinder", "capsule":
		s.Kind = shape.Cylinder
		if n.Name == "capsule" {
			s.Kind = shape.Capsule
		}
		if s.Radius, err = positive(n, "radius"); err == nil {
			s.Length, err = positive(n, "length")
		}
	case "mesh":
		return l.mesh(n)
	default:
		err = fmt.Errorf("line %d: shape <%s> is not known: use box, cylinder, sphere, capsule or mesh", n.Line, n.Name)
	}
	if err != nil {
		return nil, err
	}
	if err := s.Validate(); err != nil {
		return nil, fmt.Errorf("line %d: <%s>: %w", n.Line, n.Name, err)
	}
	return s, nil
}

// sphere reads a sphere. One of radius 0, which simulators use as a contact point, is kept as
// a point.
func (l *loader) sphere(n *xmltree.Node) (*shape.Shape, error) {
	if _, err := text(n, "radius"); err != nil {
		return nil, err
	}
	radius, err := number(n, "radius", 0)
	if err != nil {
		return nil, err
	}
	if radius == 0 {
		l.points++
		return &shape.Shape{Kind: shape.Points, Points: []geom.Vec{{}}}, nil
	}
	s := &shape.Shape{Kind: shape.Sphere, Radius: radius}
	if err := s.Validate(); err != nil {
		return nil, fmt.Errorf("line %d: <sphere>: %w", n.Line, err)
	}
	return s, nil
}

// mesh reads a mesh file, once for each path and scale.
func (l *loader) mesh(n *xmltree.Node) (*shape.Shape, error) {
	uri, err := text(n, "filename")
	if err != nil {
		return nil, err
	}
	scale, err := vector(n, "scale", geom.Vec{X: 1, Y: 1, Z: 1})
	if err != nil {
		return nil, err
	}
	if l.opts.SkipMeshes {
		return &shape.Shape{Kind: shape.Mesh, Source: uri}, nil
	}
	path, err := l.found.file(uri)
	if err != nil {
		return nil, fmt.Errorf("line %d: %w", n.Line, err)
	}
	key := meshFile{path, scale}
	if s := l.files[key]; s != nil {
		return s, nil
	}
	f, err := mesh.LoadContext(l.ctx, path, scale)
	if err != nil {
		return nil, fmt.Errorf("line %d: %w", n.Line, err)
	}
	m := f.Mesh
	if l.triangles += len(m.Triangles); l.triangles > limit.RobotTriangles {
		return nil, fmt.Errorf("line %d: with the %d triangles of %s its meshes have %d, more than %d: use simpler meshes for collision", n.Line, len(m.Triangles), uri, l.triangles, limit.RobotTriangles)
	}
	s := &shape.Shape{Kind: shape.Mesh, Mesh: m, Source: path}
	l.files[key] = s
	l.gaps[s] = f.Gaps
	return s, nil
}

// gapsOf adds what the mesh of a link's shape leaves open to the robot's gaps, once for the
// link.
func (l *loader) gapsOf(link string, s *shape.Shape) {
	for _, g := range l.gaps[s] {
		g.Names = []string{link}
		g.Detail = fmt.Sprintf("link %s, %s: %s", link, filepath.Base(s.Source), g.Detail)
		if !slices.ContainsFunc(l.robot.Gaps, func(o premise.Premise) bool { return o.Kind == g.Kind && o.Detail == g.Detail }) {
			l.robot.Gaps = append(l.robot.Gaps, g)
		}
	}
}
