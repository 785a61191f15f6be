package scene

import (
	"strconv"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/base/document"
)

var objectKeys = []string{
	"header", "pose", "id", "type", "primitives", "primitive_poses", "meshes", "mesh_poses", "planes", "plane_poses",
	"subframe_names", "subframe_poses", "operation",
}

// operation reads the operation of a message. It is a byte, which ROS 2 prints as a text of one
// character.
func operation(f document.Fields) (Operation, error) {
	v, ok := f.Get("operation")
	if !ok {
		return OpAdd, nil
	}
	if s, err := v.Str("operation"); err == nil && len(s) == 1 && s[0] <= byte(OpMove) {
		return Operation(s[0]), nil
	}
	op, err := v.Int("operation")
	if err != nil {
		return 0, err
	}
	return Operation(op), checkOperation(v, Operation(op))
}

func checkOperation(at Place, op Operation) error {
	if op < OpAdd || op > OpMove {
		return at.Errorf("has the operation %d: give ADD (0), REMOVE (1), APPEND (2) or MOVE (3)", int(op))
	}
	return nil
}

// objectMessage reads a moveit_msgs/CollisionObject. Of one that removes, only the id is read.
func objectMessage(v document.Value) (m ObjectMessage, err error) {
	f, err := v.Fields("collision object", objectKeys...)
	if err != nil {
		return m, err
	}
	if id, err := document.Optional(f, "id", document.Value.Str); err == nil && id != "" {
		f = f.Of("object " + id)
	}
	m = ObjectMessage{From: f.Value, Pose: geom.IdentityPose()}
	if m.Operation, err = operation(f); err != nil {
		return m, err
	}
	if m.Operation == OpRemove {
		m.ID, err = document.Optional(f, "id", document.Value.Str)
		return m, err
	}
	if m.ID, err = needStr(f, "id"); err != nil {
		return m, err
	}
	if pose, ok := f.Get("pose"); ok {
		if m.Pose, err = rosPose(pose); err != nil {
			return m, err
		}
	}
	if err := m.readShapes(f); err != nil {
		return m, err
	}
	if m.Frame, err = headerFrame(f); err != nil {
		return m, err
	}
	return m, m.readSubframes(f)
}

func (m *ObjectMessage) readSubframes(f document.Fields) error {
	names, err := document.Optional(f, "subframe_names", document.Value.Strs)
	if err != nil {
		return err
	}
	values, err := document.Optional(f, "subframe_poses", document.Value.List)
	if err != nil {
		return err
	}
	poses := make([]geom.Pose, len(values))
	for i, v := range values {
		if poses[i], err = rosPose(v); err != nil {
			return err
		}
	}
	return m.SetSubframes(names, poses)
}

// SetSubframes sets the subframes. It fails if there are not as many names as poses.
func (m *ObjectMessage) SetSubframes(names []string, poses []geom.Pose) error {
	if len(names) != len(poses) {
		return m.From.Errorf("has %d subframe_names and %d subframe_poses: give one each", len(names), len(poses))
	}
	m.Subframes = map[string]geom.Pose{}
	for i, name := range names {
		m.Subframes[name] = poses[i]
	}
	return nil
}

func (m *ObjectMessage) readShapes(f document.Fields) error {
	for _, kind := range []struct {
		shapes, poses string
		read          func(document.Value) (*Shape, error)
	}{
		{"primitives", "primitive_poses", primitive},
		{"meshes", "mesh_poses", inlineMesh},
		{"planes", "plane_poses", plane},
	} {
		if err := m.readShapesOf(f, kind.shapes, kind.poses, kind.read); err != nil {
			return err
		}
	}
	return nil
}

func (m *ObjectMessage) readShapesOf(f document.Fields, shapes, poses string, read func(document.Value) (*Shape, error)) error {
	items, err := document.Optional(f, shapes, document.Value.List)
	if err != nil {
		return err
	}
	values, err := document.Optional(f, poses, document.Value.List)
	if err != nil {
		return err
	}
	if err := m.tooManyPoses(shapes, poses, len(items), len(values)); err != nil {
		return err
	}
	places := make([]geom.Pose, len(values))
	for i, v := range values {
		if places[i], err = rosPose(v); err != nil {
			return err
		}
	}
	found := make([]*Shape, len(items))
	for i, item := range items {
		if found[i], err = read(item); err != nil {
			return err
		}
	}
	return m.AddShapes(shapes, poses, found, places)
}

func (m *ObjectMessage) tooManyPoses(kind, poses string, shapes, places int) error {
	if places > shapes {
		return m.From.Errorf("has %d %s for %d %s: give one pose per shape", places, poses, shapes, kind)
	}
	return nil
}

// AddShapes adds the shapes of one of the fields primitives, meshes and planes, which kind
// names, and their poses in the object, of which the field poses may have fewer. It fails if
// there are more poses than shapes.
func (m *ObjectMessage) AddShapes(kind, poses string, shapes []*Shape, places []geom.Pose) error {
	if err := m.tooManyPoses(kind, poses, len(shapes), len(places)); err != nil {
		return err
	}
	if len(places) < len(shapes) {
		m.Notes = append(m.Notes, m.From.Errorf("has %d %s for %d %s: the last are at the object's pose, as in MoveIt", len(places), poses, len(shapes), kind).Error())
	}
	if len(shapes) > 0 && kind == "planes" {
		m.Notes = append(m.Notes, m.From.Errorf("%s", planeWords()).Error())
	}
	for i, s := range shapes {
		posed := PosedShape{Shape: s, PoseOS: geom.IdentityPose()}
		if i < len(places) {
			posed.PoseOS = places[i]
		}
		m.Shapes = append(m.Shapes, posed)
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
	for i, p := range primitives {
		if kind != strconv.Itoa(i+1) && kind != p.name {
			continue
		}
		d, err := dims.Floats("dimensions", p.dimensions)
		if err != nil {
			return nil, err
		}
		s, err := NewPrimitive(i+1, d)
		if err != nil {
			return nil, dims.Errorf("%w", err)
		}
		return s, nil
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
