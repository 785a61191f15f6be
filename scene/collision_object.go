package scene

import (
	"strconv"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/base/document"
	"github.com/firstcontact-ros/firstcontact/premise"
)

// carrier is the link that an attached object is attached to.
type carrier struct {
	link       string
	touchLinks []string
}

// attachedObject reads a moveit_msgs/AttachedCollisionObject.
func (p *planningScene) attachedObject(v document.Value) error {
	f, err := v.Fields("attached object", "link_name", "object", "touch_links", "detach_posture", "weight")
	if err != nil {
		return err
	}
	var c carrier
	if c.link, err = needStr(f, "link_name"); err != nil {
		return err
	}
	if c.touchLinks, err = document.Optional(f, "touch_links", document.Value.Strs); err != nil {
		return err
	}
	object, err := f.Need("attached object", "object")
	if err != nil {
		return err
	}
	return p.collisionObject(object, &c)
}

// collisionObject reads a moveit_msgs/CollisionObject, one Object per shape: an object of
// several shapes gives id#1, id#2, ... on is nil for an object of the world.
func (p *planningScene) collisionObject(v document.Value, on *carrier) error {
	f, err := v.Fields("collision object", "header", "pose", "id", "type", "primitives", "primitive_poses",
		"meshes", "mesh_poses", "planes", "plane_poses", "subframe_names", "subframe_poses", "operation")
	if err != nil {
		return err
	}
	id, err := needStr(f, "id")
	if err != nil {
		return err
	}
	f = f.Of("object " + id)
	if err := onlyAdded(f); err != nil {
		return err
	}
	poseFO, err := p.objectPose(f, on)
	if err != nil {
		return err
	}
	shapes, err := p.shapes(f)
	if err != nil {
		return err
	}
	if len(shapes) == 0 {
		p.warn(f.Value, "has no shapes: nothing is checked against it")
		p.scene.Gaps = append(p.scene.Gaps, shapeless(id, f.Errorf("has no shapes: nothing is checked against it")))
	}
	if _, twice := p.parts[id]; twice {
		return f.Errorf("appears twice: rename one of them")
	}
	p.parts[id] = make([]string, len(shapes))
	for i, s := range shapes {
		o := Object{ID: partID(id, i, len(shapes)), PoseWS: poseFO.Mul(s.poseOS), Shape: s.shape}
		if on != nil {
			o.AttachedTo, o.TouchLinks = on.link, on.touchLinks
		}
		if err := o.Validate(); err != nil {
			return f.Errorf("%w", err)
		}
		p.parts[id][i] = o.ID
		p.scene.Objects = append(p.scene.Objects, o)
	}
	return nil
}

// shapeless is the gap of an object without shapes.
func shapeless(id string, detail error) premise.Premise {
	return premise.Premise{
		Kind: premise.NotUnderstood, Names: []string{id}, Detail: detail.Error(),
		Remedy: "give the object its shapes, or leave it out",
	}
}

// onlyAdded rejects messages that modify another scene.
func onlyAdded(f document.Fields) error {
	op, err := document.Optional(f, "operation", document.Value.Int)
	if err != nil {
		return err
	}
	const add = 0
	if op != add {
		return f.Errorf("has the operation %d: only ADD (0) is supported in a file", op)
	}
	return nil
}

// objectPose returns the object's pose in the snapshot's frame, or in the link that carries
// it.
func (p *planningScene) objectPose(f document.Fields, on *carrier) (geom.Pose, error) {
	frame, err := headerFrame(f)
	if err != nil {
		return geom.Pose{}, err
	}
	poseWF := geom.IdentityPose()
	if on == nil {
		if poseWF, err = p.frames.resolve(f.Value, frame); err != nil {
			return poseWF, err
		}
	} else if frame != "" && frame != on.link {
		return poseWF, f.Errorf("is attached to link %s but given in the frame %s: give its poses in the link", on.link, frame)
	}
	v, ok := f.Get("pose")
	if !ok {
		return poseWF, nil
	}
	poseFO, err := rosPose(v)
	return poseWF.Mul(poseFO), err
}

// posedShape is a shape and its pose in its object.
type posedShape struct {
	shape  *Shape
	poseOS geom.Pose
}

func (p *planningScene) shapes(f document.Fields) ([]posedShape, error) {
	planes, err := document.Optional(f, "planes", document.Value.List)
	if err != nil {
		return nil, err
	}
	if len(planes) > 0 {
		return nil, f.Errorf("has a plane, which is not supported: replace it by a large box")
	}
	primitives, err := p.posedShapes(f, "primitives", "primitive_poses", primitive)
	if err != nil {
		return nil, err
	}
	meshes, err := p.posedShapes(f, "meshes", "mesh_poses", inlineMesh)
	return append(primitives, meshes...), err
}

func (p *planningScene) posedShapes(f document.Fields, shapes, poses string, read func(document.Value) (*Shape, error)) ([]posedShape, error) {
	items, err := document.Optional(f, shapes, document.Value.List)
	if err != nil {
		return nil, err
	}
	places, err := document.Optional(f, poses, document.Value.List)
	if err != nil {
		return nil, err
	}
	if len(places) > len(items) {
		return nil, f.Errorf("has %d %s for %d %s: give one pose per shape", len(places), poses, len(items), shapes)
	}
	if len(places) < len(items) {
		p.warn(f.Value, "has %d %s for %d %s: the last are at the object's pose, as in MoveIt", len(places), poses, len(items), shapes)
	}
	out := make([]posedShape, len(items))
	for i, item := range items {
		out[i].poseOS = geom.IdentityPose()
		if i < len(places) {
			if out[i].poseOS, err = rosPose(places[i]); err != nil {
				return nil, err
			}
		}
		if out[i].shape, err = read(item); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// primitive reads a shape_msgs/SolidPrimitive. Its type is a number or, as some tools write, a
// name.
func primitive(v document.Value) (*Shape, error) {
	f, err := v.Fields("primitive", "type", "dimensions", "polygon")
	if err != nil {
		return nil, err
	}
	kind, err := needStr(f, "type")
	if err != nil {
		return nil, err
	}
	dims, err := f.Need("primitive", "dimensions")
	if err != nil {
		return nil, err
	}
	read := func(n int, fill func(d []float64) *Shape) (*Shape, error) {
		d, err := dims.Floats("dimensions", n)
		if err != nil {
			return nil, err
		}
		s := fill(d)
		if err := s.Validate(); err != nil {
			return nil, dims.Errorf("%w", err)
		}
		return s, nil
	}
	switch kind {
	case "1", "box":
		return read(3, func(d []float64) *Shape {
			return &Shape{Kind: shape.Box, Size: geom.Vec{X: d[0], Y: d[1], Z: d[2]}}
		})
	case "2", "sphere":
		return read(1, func(d []float64) *Shape { return &Shape{Kind: shape.Sphere, Radius: d[0]} })
	case "3", "cylinder":
		return read(2, func(d []float64) *Shape { return &Shape{Kind: shape.Cylinder, Length: d[0], Radius: d[1]} })
	case "4", "cone":
		return read(2, func(d []float64) *Shape { return &Shape{Kind: shape.Cone, Length: d[0], Radius: d[1]} })
	}
	return nil, f.Errorf("primitive type %s is not supported: use box (1), sphere (2), cylinder (3) and cone (4)", strconv.Quote(clip(kind)))
}

// inlineMesh reads a shape_msgs/Mesh.
func inlineMesh(v document.Value) (*Shape, error) {
	f, err := v.Fields("mesh", "triangles", "vertices")
	if err != nil {
		return nil, err
	}
	rows, err := document.Optional(f, "vertices", document.Value.List)
	if err != nil {
		return nil, err
	}
	vertices := make([]geom.Vec, len(rows))
	for i, row := range rows {
		x, err := row.Coordinates("vertex", "x", "y", "z")
		if err != nil {
			return nil, err
		}
		vertices[i] = geom.Vec{X: x[0], Y: x[1], Z: x[2]}
	}
	items, err := document.Optional(f, "triangles", document.Value.List)
	if err != nil {
		return nil, err
	}
	triangles := make([][3]int32, len(items))
	for i, item := range items {
		if triangles[i], err = triangle(item, len(vertices)); err != nil {
			return nil, err
		}
	}
	return &Shape{Kind: shape.Mesh, Mesh: weld(vertices, triangles)}, nil
}

func triangle(v document.Value, vertices int) (t [3]int32, err error) {
	if v.IsMap() {
		f, err := v.Fields("triangle", "vertex_indices")
		if err != nil {
			return t, err
		}
		if v, err = f.Need("triangle", "vertex_indices"); err != nil {
			return t, err
		}
	}
	x, err := v.Floats("vertex_indices", 3)
	if err != nil {
		return t, err
	}
	for c, k := range x {
		if k != float64(int32(k)) || k < 0 || int(k) >= vertices {
			return t, v.Errorf("triangle refers to vertex %g of %d", k, vertices)
		}
		t[c] = int32(k)
	}
	return t, nil
}
