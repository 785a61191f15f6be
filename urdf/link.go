package urdf

import (
	"fmt"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh/xmltree"
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
			l.where = fmt.Sprintf("link %q: collision element %d", name, i+1)
			col, err := l.collision(c)
			if err != nil {
				return fmt.Errorf("%s: %w", l.where, err)
			}
			l.turned(fmt.Sprintf("collision element %d of link %s", i+1, name), name, c)
			k.Collisions = append(k.Collisions, col)
		}
		l.robot.linkIndex[name] = len(l.robot.Links)
		l.robot.Links = append(l.robot.Links, k)
	}
	return l.readMeshes()
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

// mesh returns the shape of a mesh file, one for each path and scale. Its mesh is read later.
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
	s := &shape.Shape{Kind: shape.Mesh, Source: path}
	l.files[key] = s
	l.unread = append(l.unread, unread{key, s, uri, fmt.Sprintf("%s: line %d", l.where, n.Line)})
	return s, nil
}
