package world

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/firstcontact-ros/firstcontact/msgs/geometrymsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/moveitmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/shapemsgs"
	"github.com/firstcontact-ros/firstcontact/scene"
)

// recorded is what ros2 topic echo prints of the messages of live.
const recorded = `
robot_state: {joint_state: {name: [j], position: [0]}, attached_collision_objects: [{link_name: hand, touch_links: [base], object: {header: {frame_id: hand}, id: tool, primitives: [{type: 3, dimensions: [0.2, 0.01]}, {type: 2, dimensions: [0.03]}], primitive_poses: [{position: [0, 0, 0.1]}, {position: [0, 0, 0.2]}]}}]}
fixed_frame_transforms: [{header: {frame_id: base}, child_frame_id: cell, transform: {translation: [10, 0, 0]}}]
allowed_collision_matrix: {entry_names: [hand, table], entry_values: [[false, true], [true, false]], default_entry_names: [rug], default_entry_values: [true]}
link_padding: [{link_name: hand, padding: 0.01}]
world:
  collision_objects:
  - {header: {frame_id: cell}, id: table, pose: {position: [1, 2, 3], orientation: [0, 0, 0.7071067811865476, 0.7071067811865476]}, primitives: [{type: 1, dimensions: [1, 2, 0.1]}], primitive_poses: [{position: [0.5, 0, 0]}]}
  - {header: {frame_id: hand}, id: rug, meshes: [{triangles: [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]], vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}], mesh_poses: [{position: [0, 1, 0]}]}
  - {header: {frame_id: base}, id: floor, planes: [{coef: [0, 0, 1, 2]}], plane_poses: [{}], subframe_names: [hole], subframe_poses: [{position: [3, 0, 0]}]}
  octomap: {header: {frame_id: base}, origin: {position: [4, 0, 0]}, octomap: {binary: true, id: OcTree, resolution: 0.1, data: [2, 0]}}
is_diff: false
---
{id: table, header: {frame_id: floor/hole}, pose: {position: [1, 0, 0]}, operation: 3}
---
{id: box, header: {frame_id: table}, primitives: [{type: 4, dimensions: [0.4, 0.1]}], primitive_poses: [{}], operation: 0}
---
{id: box, header: {frame_id: table}, primitives: [{type: 2, dimensions: [0.4]}], primitive_poses: [{}], operation: 2}
---
{link_name: hand, object: {id: rug, operation: 1}}
---
{id: floor, operation: 1}
---
`

func shifted(x, y, z float64) geometrymsgs.Pose {
	p := geometrymsgs.NewPose()
	p.Position = geometrymsgs.Point{X: x, Y: y, Z: z}
	return p
}

func solid(kind uint8, dimensions ...float64) shapemsgs.SolidPrimitive {
	return shapemsgs.SolidPrimitive{Type: kind, Dimensions: dimensions}
}

// object returns an object in a frame, at its origin.
func object(id, frame string, operation uint8) moveitmsgs.CollisionObject {
	o := moveitmsgs.NewCollisionObject()
	o.ID, o.Header.FrameID, o.Operation = id, frame, operation
	return o
}

func wholeMessage() *moveitmsgs.PlanningScene {
	m := &moveitmsgs.PlanningScene{}
	m.RobotState.JointState.Name, m.RobotState.JointState.Position = []string{"j"}, []float64{0}
	tool := object("tool", "hand", 0)
	tool.Primitives = []shapemsgs.SolidPrimitive{solid(3, 0.2, 0.01), solid(2, 0.03)}
	tool.PrimitivePoses = []geometrymsgs.Pose{shifted(0, 0, 0.1), shifted(0, 0, 0.2)}
	m.RobotState.AttachedCollisionObjects = []moveitmsgs.AttachedCollisionObject{{LinkName: "hand", TouchLinks: []string{"base"}, Object: tool}}
	cell := geometrymsgs.NewTransformStamped()
	cell.Header.FrameID, cell.ChildFrameID, cell.Transform.Translation.X = "/base", "cell", 10
	m.FixedFrameTransforms = []geometrymsgs.TransformStamped{cell}
	m.AllowedCollisionMatrix = moveitmsgs.AllowedCollisionMatrix{
		EntryNames:        []string{"hand", "table"},
		EntryValues:       []moveitmsgs.AllowedCollisionEntry{{Enabled: []bool{false, true}}, {Enabled: []bool{true, false}}},
		DefaultEntryNames: []string{"rug"}, DefaultEntryValues: []bool{true},
	}
	m.LinkPadding = []moveitmsgs.LinkPadding{{LinkName: "hand", Padding: 0.01}}
	table := object("table", "cell", 0)
	table.Pose = shifted(1, 2, 3)
	table.Pose.Orientation = geometrymsgs.Quaternion{Z: 0.7071067811865476, W: 0.7071067811865476}
	table.Primitives, table.PrimitivePoses = []shapemsgs.SolidPrimitive{solid(1, 1, 2, 0.1)}, []geometrymsgs.Pose{shifted(0.5, 0, 0)}
	rug := object("rug", "hand", 0)
	rug.Meshes = []shapemsgs.Mesh{{
		Triangles: []shapemsgs.MeshTriangle{{VertexIndices: [3]uint32{0, 2, 1}}, {VertexIndices: [3]uint32{0, 1, 3}}, {VertexIndices: [3]uint32{0, 3, 2}}, {VertexIndices: [3]uint32{1, 2, 3}}},
		Vertices:  []geometrymsgs.Point{{}, {X: 1}, {Y: 1}, {Z: 1}},
	}}
	rug.MeshPoses = []geometrymsgs.Pose{shifted(0, 1, 0)}
	floor := object("floor", "base", 0)
	floor.Planes, floor.PlanePoses = []shapemsgs.Plane{{Coef: [4]float64{0, 0, 1, 2}}}, []geometrymsgs.Pose{{}}
	floor.SubframeNames, floor.SubframePoses = []string{"hole"}, []geometrymsgs.Pose{shifted(3, 0, 0)}
	m.World.CollisionObjects = []moveitmsgs.CollisionObject{table, rug, floor}
	o := &m.World.Octomap
	o.Header.FrameID, o.Origin = "base", shifted(4, 0, 0)
	o.Octomap.Binary, o.Octomap.ID, o.Octomap.Resolution, o.Octomap.Data = true, "OcTree", 0.1, []int8{2, 0}
	return m
}

func hearChanges(f *fixture) {
	table := object("table", "floor/hole", moveitmsgs.CollisionObjectMove)
	table.Pose = shifted(1, 0, 0)
	box, more := object("box", "table", 0), object("box", "table", moveitmsgs.CollisionObjectAppend)
	box.Primitives, box.PrimitivePoses = []shapemsgs.SolidPrimitive{solid(4, 0.4, 0.1)}, []geometrymsgs.Pose{{}}
	more.Primitives, more.PrimitivePoses = []shapemsgs.SolidPrimitive{solid(2, 0.4)}, []geometrymsgs.Pose{{}}
	f.HearObject(Objects, &table, 1)
	f.HearObject(Objects, &box, 1)
	f.HearObject(Objects, &more, 1)
	f.HearAttached(Attached, &moveitmsgs.AttachedCollisionObject{LinkName: "hand", Object: object("rug", "", moveitmsgs.CollisionObjectRemove)}, 1)
	floor := object("floor", "", moveitmsgs.CollisionObjectRemove)
	f.HearObject(Objects, &floor, 1)
}

// Messages make the scene that Load reads from a recording of them.
func TestLiveIsRecorded(t *testing.T) {
	for _, messages := range []int{1, 6} {
		text := strings.Join(strings.SplitAfter(recorded, "---\n")[:messages], "")
		want, err := scene.Parse("recorded", []byte(text), scene.Options{Robot: robot(t)})
		if err != nil {
			t.Fatal(err)
		}
		f := newFixture(t, Monitored, Objects, Attached)
		f.HearScene(Monitored, wholeMessage(), 1)
		if messages > 1 {
			hearChanges(f)
		}
		below, err := scene.New(want.Frame)
		if err != nil {
			t.Fatal(err)
		}
		got, err := f.Layer(context.Background(), f.robot, below)
		if err != nil {
			t.Fatal(err)
		}
		if got.Hash != want.Hash {
			t.Errorf("%d messages: other scenes:\n%s", messages, cmp.Diff(want.Objects, got.Objects)+cmp.Diff(want.Allowed, got.Allowed)+cmp.Diff(want.LinkPadding, got.LinkPadding))
		}
		if len(got.Gaps) != len(want.Gaps) || len(got.Gaps) != 1 {
			t.Errorf("%d messages: gaps %v, want %v", messages, got.Gaps, want.Gaps)
		}
	}
}
