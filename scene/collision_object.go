package scene

import (
	"strconv"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/base/document"
	"github.com/firstcontact-ros/firstcontact/premise"
)

// sceneObject is an object of a scene that messages change.
type sceneObject struct {
	id        string
	at        document.Value       // the message
	pose      geom.Pose            // in the snapshot's frame, or in the link that carries it
	fault     error                // why the pose is not known, nil if it is
	shapes    []posedShape         // in the object
	subframes map[string]geom.Pose // in the object
	on        *carrier             // nil for an object of the world
	octree    bool
	gone      bool // removed or replaced
	warnings  []string
	gaps      []premise.Premise

	unposed bool // the message gives no pose of the object
}

// carrier is the link that an attached object is attached to.
type carrier struct {
	link       string
	touchLinks []string
}

var objectKeys = []string{
	"header", "pose", "id", "type", "primitives", "primitive_poses", "meshes", "mesh_poses", "planes", "plane_poses",
	"subframe_names", "subframe_poses", "operation",
}

// readObject reads the id, the shapes and the subframes of a moveit_msgs/CollisionObject. Its
// pose is in the header's frame.
func (p *planningScene) readObject(v document.Value) (*sceneObject, document.Fields, error) {
	f, err := v.Fields("collision object", objectKeys...)
	if err != nil {
		return nil, f, err
	}
	id, err := needStr(f, "id")
	if err != nil {
		return nil, f, err
	}
	f = f.Of("object " + id)
	if id == octomapID {
		return nil, f, f.Errorf("has the name of the octomap: rename it")
	}
	o := &sceneObject{id: id, at: f.Value, pose: geom.IdentityPose(), unposed: true}
	if pose, ok := f.Get("pose"); ok {
		if o.pose, err = rosPose(pose); err != nil {
			return nil, f, err
		}
		o.unposed = o.pose == geom.IdentityPose()
	}
	if err := p.shapes(f, o); err != nil {
		return nil, f, err
	}
	if len(o.shapes) == 1 && o.unposed { // as in MoveIt, the shape's pose is the object's
		o.pose, o.shapes[0].poseOS = o.shapes[0].poseOS, geom.IdentityPose()
	}
	return o, f, o.readSubframes(f)
}

func (o *sceneObject) readSubframes(f document.Fields) error {
	names, err := document.Optional(f, "subframe_names", document.Value.Strs)
	if err != nil {
		return err
	}
	poses, err := document.Optional(f, "subframe_poses", document.Value.List)
	if err != nil {
		return err
	}
	if len(names) != len(poses) {
		return f.Errorf("has %d subframe_names and %d subframe_poses: give one each", len(names), len(poses))
	}
	o.subframes = map[string]geom.Pose{}
	for i, name := range names {
		if o.subframes[name], err = rosPose(poses[i]); err != nil {
			return err
		}
	}
	return nil
}

// needsShapes notes that nothing is checked against an object without shapes.
func (o *sceneObject) needsShapes() {
	if len(o.shapes) == 0 {
		none := o.at.Errorf("has no shapes: nothing is checked against it")
		o.warnings = append(o.warnings, none.Error())
		o.gaps = append(o.gaps, shapeless(o.id, none))
	}
}

// shapeless is the gap of an object without shapes.
func shapeless(id string, detail error) premise.Premise {
	return premise.Premise{
		Kind: premise.NotUnderstood, Names: []string{id}, Detail: detail.Error(),
		Remedy: "give the object its shapes, or leave it out",
	}
}

// unclear notes that what a change means is not certain.
func (o *sceneObject) unclear(detail error, remedy string) {
	o.warnings = append(o.warnings, detail.Error())
	o.gaps = append(o.gaps, premise.Premise{Kind: premise.NotUnderstood, Names: []string{o.id}, Detail: detail.Error(), Remedy: remedy})
}

// posedShape is a shape and its pose in its object.
type posedShape struct {
	shape  *Shape
	poseOS geom.Pose
}

func (p *planningScene) shapes(f document.Fields, o *sceneObject) error {
	for _, kind := range []struct {
		shapes, poses string
		read          func(document.Value) (*Shape, error)
	}{
		{"primitives", "primitive_poses", primitive},
		{"meshes", "mesh_poses", inlineMesh},
		{"planes", "plane_poses", plane},
	} {
		if err := o.posedShapes(f, kind.shapes, kind.poses, kind.read); err != nil {
			return err
		}
	}
	return nil
}

func (o *sceneObject) posedShapes(f document.Fields, shapes, poses string, read func(document.Value) (*Shape, error)) error {
	items, err := document.Optional(f, shapes, document.Value.List)
	if err != nil {
		return err
	}
	places, err := document.Optional(f, poses, document.Value.List)
	if err != nil {
		return err
	}
	if len(places) > len(items) {
		return f.Errorf("has %d %s for %d %s: give one pose per shape", len(places), poses, len(items), shapes)
	}
	if len(places) < len(items) {
		o.warnings = append(o.warnings, f.Errorf("has %d %s for %d %s: the last are at the object's pose, as in MoveIt", len(places), poses, len(items), shapes).Error())
	}
	if len(items) > 0 && shapes == "planes" {
		o.warnings = append(o.warnings, f.Errorf("%s", planeWords()).Error())
	}
	for i, item := range items {
		s := posedShape{poseOS: geom.IdentityPose()}
		if i < len(places) {
			if s.poseOS, err = rosPose(places[i]); err != nil {
				return err
			}
		}
		if s.shape, err = read(item); err != nil {
			return err
		}
		o.shapes = append(o.shapes, s)
	}
	return nil
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
