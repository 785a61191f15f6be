package world

import (
	"fmt"
	"strings"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/geometrymsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/moveitmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/octomapmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/shapemsgs"
	"github.com/firstcontact-ros/firstcontact/scene"
)

// sceneOf converts a planning scene that came from a topic or service. What it cannot convert of
// an object is the object's fault; what it cannot convert of the rest is the error.
func sceneOf(from string, m *moveitmsgs.PlanningScene) (*scene.PlanningMessage, error) {
	at := scene.Named(from)
	out := &scene.PlanningMessage{
		From: at, Diff: m.IsDiff, Robot: m.RobotModelName,
		World: &scene.WorldMessage{From: at, Octomap: nil},
	}
	var err error
	if out.State, err = stateOf(from, &m.RobotState); err != nil {
		return nil, err
	}
	for i := range m.FixedFrameTransforms {
		t := &m.FixedFrameTransforms[i]
		pose, err := poseOf(geometrymsgs.Point(t.Transform.Translation), t.Transform.Rotation)
		if err != nil {
			return nil, fmt.Errorf("%s: the transform of frame %s: %w", from, t.ChildFrameID, err)
		}
		out.Transforms = append(out.Transforms, scene.FrameTransform{From: at, Frame: frame(t.Header.FrameID), Child: frame(t.ChildFrameID), Pose: pose})
	}
	for i := range m.LinkPadding {
		out.Paddings = append(out.Paddings, scene.LinkNumber{From: at, Link: m.LinkPadding[i].LinkName, Value: m.LinkPadding[i].Padding})
	}
	for i := range m.LinkScale {
		out.Scales = append(out.Scales, scene.LinkNumber{From: at, Link: m.LinkScale[i].LinkName, Value: m.LinkScale[i].Scale})
	}
	for i := range m.World.CollisionObjects {
		out.World.Objects = append(out.World.Objects, objectOf(from, &m.World.CollisionObjects[i]))
	}
	if out.World.Octomap, err = octomapOf(from, &m.World.Octomap); err != nil {
		return nil, err
	}
	out.Allowed = allowedOf(at, &m.AllowedCollisionMatrix)
	return out, nil
}

func allowedOf(at scene.Place, m *moveitmsgs.AllowedCollisionMatrix) *scene.AllowedMessage {
	out := &scene.AllowedMessage{From: at, Names: m.EntryNames, Defaults: m.DefaultEntryNames, Values: m.DefaultEntryValues}
	for i := range m.EntryValues {
		out.Rows = append(out.Rows, m.EntryValues[i].Enabled)
	}
	return out
}

func stateOf(from string, m *moveitmsgs.RobotState) (*scene.StateMessage, error) {
	at := scene.Named(from)
	out := &scene.StateMessage{From: at, Diff: m.IsDiff, MultiIn: frame(m.MultiDofJointState.Header.FrameID), MultiAt: at}
	if len(m.JointState.Name) == len(m.JointState.Position) {
		out.Joints = make(map[string]float64, len(m.JointState.Name))
		for i, name := range m.JointState.Name {
			out.Joints[name] = m.JointState.Position[i]
		}
	}
	multi := &m.MultiDofJointState
	if len(multi.JointNames) != len(multi.Transforms) {
		return nil, at.Errorf("multi_dof_joint_state has %d joint_names and %d transforms", len(multi.JointNames), len(multi.Transforms))
	}
	for i, name := range multi.JointNames {
		pose, err := poseOf(geometrymsgs.Point(multi.Transforms[i].Translation), multi.Transforms[i].Rotation)
		if err != nil {
			return nil, at.Errorf("multi_dof_joint_state, joint %s: %w", name, err)
		}
		out.Multi = append(out.Multi, scene.JointPose{Joint: name, Pose: pose})
	}
	for i := range m.AttachedCollisionObjects {
		out.Attached = append(out.Attached, attachedOf(from, &m.AttachedCollisionObjects[i]))
	}
	return out, nil
}

func attachedOf(from string, m *moveitmsgs.AttachedCollisionObject) scene.AttachMessage {
	return scene.AttachMessage{Link: m.LinkName, TouchLinks: m.TouchLinks, Object: objectOf(from, &m.Object)}
}

func octomapOf(from string, m *octomapmsgs.OctomapWithPose) (*scene.OctomapMessage, error) {
	if len(m.Octomap.Data) == 0 && m.Octomap.ID == "" {
		return nil, nil // as every message has one; with an id it clears the octomap
	}
	at := scene.Named(from + ": octomap")
	pose, err := poseOf(m.Origin.Position, m.Origin.Orientation)
	if err != nil {
		return nil, at.Errorf("origin: %w", err)
	}
	data := make([]byte, len(m.Octomap.Data))
	for i, b := range m.Octomap.Data {
		data[i] = byte(b)
	}
	return &scene.OctomapMessage{
		From: at, Frame: frame(m.Header.FrameID), Stamp: nanoseconds(m.Header.Stamp), Pose: pose,
		Tree: scene.Octree{Binary: m.Octomap.Binary, ID: m.Octomap.ID, Resolution: m.Octomap.Resolution, Data: data},
	}, nil
}

// objectOf converts an object. What cannot be converted is its Fault.
func objectOf(from string, m *moveitmsgs.CollisionObject) scene.ObjectMessage {
	out := scene.ObjectMessage{
		From: scene.Named(from + ": object " + m.ID), ID: m.ID, Operation: scene.Operation(m.Operation),
		Frame: frame(m.Header.FrameID), Stamp: nanoseconds(m.Header.Stamp), Pose: geom.IdentityPose(),
	}
	if out.Operation != scene.OpRemove {
		out.Fault = convertObject(m, &out)
	}
	return out
}

func convertObject(m *moveitmsgs.CollisionObject, out *scene.ObjectMessage) (err error) {
	if out.Pose, err = poseOf(m.Pose.Position, m.Pose.Orientation); err != nil {
		return out.From.Errorf("pose: %w", err)
	}
	for _, kind := range []struct {
		name, poses string
		shapes      int
		shape       func(i int) (*scene.Shape, error)
		places      []geometrymsgs.Pose
	}{
		{"primitives", "primitive_poses", len(m.Primitives), func(i int) (*scene.Shape, error) {
			return scene.NewPrimitive(int(m.Primitives[i].Type), m.Primitives[i].Dimensions)
		}, m.PrimitivePoses},
		{"meshes", "mesh_poses", len(m.Meshes), func(i int) (*scene.Shape, error) { return meshOf(&m.Meshes[i]) }, m.MeshPoses},
		{"planes", "plane_poses", len(m.Planes), func(i int) (*scene.Shape, error) { return scene.NewPlane(m.Planes[i].Coef) }, m.PlanePoses},
	} {
		shapes := make([]*scene.Shape, kind.shapes)
		for i := range shapes {
			if shapes[i], err = kind.shape(i); err != nil {
				return out.From.Errorf("%s[%d]: %w", kind.name, i, err)
			}
		}
		places, err := posesOf(kind.places)
		if err != nil {
			return out.From.Errorf("%s%w", kind.poses, err)
		}
		if err := out.AddShapes(kind.name, kind.poses, shapes, places); err != nil {
			return err
		}
	}
	subframes, err := posesOf(m.SubframePoses)
	if err != nil {
		return out.From.Errorf("subframe_poses%w", err)
	}
	return out.SetSubframes(m.SubframeNames, subframes)
}

func meshOf(m *shapemsgs.Mesh) (*scene.Shape, error) {
	vertices := make([]geom.Vec, len(m.Vertices))
	for i, v := range m.Vertices {
		vertices[i] = geom.Vec(v)
	}
	triangles := make([][3]int32, len(m.Triangles))
	for i := range m.Triangles {
		for c, k := range m.Triangles[i].VertexIndices {
			if uint64(k) >= uint64(len(vertices)) {
				return nil, fmt.Errorf("triangle %d refers to vertex %d of %d", i, k, len(vertices))
			}
			triangles[i][c] = int32(k)
		}
	}
	s := scene.NewMesh("", geom.IdentityPose(), vertices, triangles).Shape
	return s, s.Validate()
}

func posesOf(list []geometrymsgs.Pose) ([]geom.Pose, error) {
	out := make([]geom.Pose, len(list))
	for i := range list {
		var err error
		if out[i], err = poseOf(list[i].Position, list[i].Orientation); err != nil {
			return nil, fmt.Errorf("[%d]: %w", i, err)
		}
	}
	return out, nil
}

func poseOf(p geometrymsgs.Point, q geometrymsgs.Quaternion) (geom.Pose, error) {
	position := geom.Vec(p)
	if !geom.Bounded(position) {
		return geom.Pose{}, fmt.Errorf("position (%g, %g, %g) is not within %g m: check the unit", p.X, p.Y, p.Z, float64(geom.MaxLength))
	}
	return scene.ROSPose(position, [4]float64{q.X, q.Y, q.Z, q.W})
}

// frame returns a frame's name without the leading slash of ROS 1.
func frame(name string) string { return strings.TrimPrefix(name, "/") }

func nanoseconds(t builtininterfaces.Time) int64 { return int64(t.Sec)*1e9 + int64(t.Nanosec) }
