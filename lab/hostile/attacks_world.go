//go:build linux

package main

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/geometrymsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/moveitmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/shapemsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/stdmsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// Parameters that open the inputs of the live world.
const (
	objectTopics = "world.topics:=[collision_object, attached_collision_object]"
	sceneTopics  = "world.topics:=[monitored_planning_scene]"
	diffTopics   = "world.topics:=[planning_scene]"
)

func worldAttacks() []*attack {
	return []*attack{
		{
			name: "odd-objects", about: "a wall touches carriage b; objects and attached objects of sizes, shapes, frames, links, ids and operations that cannot be", short: true,
			parameters: []string{objectTopics}, lossy: true, ready: walled, flood: oddObjects,
		},
		{
			name: "appended-object", about: "a wall touches carriage b; shapes of 1,000 triangles are appended to one object without end",
			memory:     5_000_000, // what as many triangles as a scene may have take, twice
			parameters: []string{objectTopics}, lossy: true, ready: walled, flood: appendForever,
		},
		{
			name: "many-objects", about: "100,000 objects far away in four changes, then a scene without them, again and again; its matrix allows every pair", short: true,
			memory:     1_500_000, // what as many objects as a scene may have take
			parameters: []string{diffTopics}, unknown: true, doubtful: true,
			setup: func(f *field) error { return f.keepScene("planning_scene", &moveitmsgs.PlanningScene{}, 1) },
			flood: manyObjects,
		},
		{
			name: "second-scene", about: "MoveIt's scene has a wall that touches carriage b; another publisher's has none, allows every pair, shrinks every link and says that the robot is elsewhere", short: true,
			parameters: []string{sceneTopics}, lossy: true, doubtful: true,
			setup: func(f *field) error {
				wall := moveitmsgs.PlanningScene{World: moveitmsgs.PlanningSceneWorld{CollisionObjects: []moveitmsgs.CollisionObject{wallObject()}}}
				return f.keepScene("monitored_planning_scene", &wall, 20)
			},
			ready: func(f *field) error { return f.touched() },
			flood: secondScene,
		},
	}
}

// wallName is the object that the honest scene has. It touches carriage b wherever truth and
// the other paths put it.
const wallName = "wall"

func wallObject() moveitmsgs.CollisionObject { return box(wallName, "", 0.15, 5, 0, 0.3) }

// box is a cube of an edge.
func box(id, frame string, x, y, z, edge float64) moveitmsgs.CollisionObject {
	return moveitmsgs.CollisionObject{
		Header: stdmsgs.Header{FrameID: frame}, ID: id, Pose: pose(x, y, z),
		Primitives:     []shapemsgs.SolidPrimitive{{Type: shapemsgs.SolidPrimitiveBox, Dimensions: []float64{edge, edge, edge}}},
		PrimitivePoses: []geometrymsgs.Pose{pose(0, 0, 0)},
	}
}

func pose(x, y, z float64) geometrymsgs.Pose {
	return geometrymsgs.Pose{Position: geometrymsgs.Point{X: x, Y: y, Z: z}, Orientation: geometrymsgs.Quaternion{W: 1}}
}

// walled puts the wall into the world, and waits until a state says that it is touched.
func walled(f *field) error {
	p, err := ros.Advertise[moveitmsgs.CollisionObject](f.me, "collision_object", ros.QoS{})
	if err != nil {
		return err
	}
	wall := wallObject()
	return f.until(func() error { return p.Publish(&wall) }, f.watch.walled)
}

// touched waits until a state says that the wall is touched.
func (f *field) touched() error {
	return f.until(func() error { return nil }, f.watch.walled)
}

// until does something again and again until something else has happened. From then on nothing
// is free: the judge and the probe are told.
func (f *field) until(do func() error, happened <-chan struct{}) error {
	for end := time.Now().Add(patience); time.Now().Before(end); {
		if err := do(); err != nil {
			return err
		}
		select {
		case <-happened:
			f.judge.wall()
			f.probe.wall()
			return nil
		case <-time.After(50 * time.Millisecond):
		}
	}
	return errors.New("the node does not say that the wall is touched")
}

// keepScene publishes a scene at a rate until the field closes.
func (f *field) keepScene(topic string, m *moveitmsgs.PlanningScene, rate float64) error {
	p, err := ros.Advertise[moveitmsgs.PlanningScene](f.me, topic, ros.QoS{})
	if err != nil {
		return err
	}
	go func() {
		for !f.node.ended() {
			if p.Publish(m) != nil {
				return
			}
			time.Sleep(time.Duration(float64(time.Second) / rate))
		}
	}()
	return nil
}

// oddNumbers are what no length and no coordinate should be.
var oddNumbers = []float64{math.NaN(), math.Inf(1), math.Inf(-1), -1, 0, 1e300, -1e300, 5e-324, math.MaxFloat64, 1e9}

func (f *flood) number() float64 { return oddNumbers[f.dice.IntN(len(oddNumbers))] }

// oddObject is an object that cannot be understood, or hardly. It never says anything about the
// wall.
func (f *flood) oddObject(i int) moveitmsgs.CollisionObject {
	o := box(fmt.Sprint("odd_", i%50), "", 50, 50, 50, 0.1)
	switch f.dice.IntN(14) {
	case 0:
		o.Primitives[0].Dimensions[f.dice.IntN(3)] = f.number()
	case 1:
		o.Pose.Position.X = f.number()
	case 2:
		o.Pose.Orientation = geometrymsgs.Quaternion{X: f.number(), W: f.number()}
	case 3:
		o.Primitives[0].Dimensions = make([]float64, f.dice.IntN(20_000))
	case 4:
		o.Primitives[0].Type = uint8(f.dice.Uint32())
	case 5:
		o.PrimitivePoses = make([]geometrymsgs.Pose, f.dice.IntN(3))
	case 6:
		o.Header.FrameID = []string{"nowhere", strings.Repeat("f", 60_000), "\n" + forgery + "\x1b[2J", o.ID, wallName, "carriage_a/x"}[f.dice.IntN(6)]
	case 7:
		o.Operation = uint8(f.dice.Uint32())
	case 8:
		o.ID = []string{"", "carriage_b", "post_b", "<octomap>", "base", strings.Repeat("i", 60_000), "x\n" + forgery + "\x1b[31m"}[f.dice.IntN(7)]
	case 9:
		o.Meshes, o.MeshPoses = []shapemsgs.Mesh{f.mesh(10, 4_000_000_000)}, []geometrymsgs.Pose{pose(0, 0, 0)}
	case 10:
		o.Planes = []shapemsgs.Plane{{Coef: [4]float64{f.number(), 0, 0, f.number()}}}
	case 11:
		o.SubframeNames = []string{"s", "s", "\x00"}
		o.SubframePoses = make([]geometrymsgs.Pose, f.dice.IntN(5))
	case 12:
		o.Operation = moveitmsgs.CollisionObjectMove
	default:
		o.Header.FrameID, o.ID = fmt.Sprint("odd_", (i+1)%50), fmt.Sprint("odd_", i%50) // a loop of objects
	}
	return o
}

// mesh is a mesh far away of so many triangles, whose vertices are below a bound.
func (f *flood) mesh(triangles int, bound uint32) shapemsgs.Mesh {
	var m shapemsgs.Mesh
	for range triangles {
		m.Vertices = append(m.Vertices, geometrymsgs.Point{X: f.dice.Float64(), Y: f.dice.Float64(), Z: f.dice.Float64()})
		m.Triangles = append(m.Triangles, shapemsgs.MeshTriangle{VertexIndices: [3]uint32{f.dice.Uint32N(bound), f.dice.Uint32N(bound), f.dice.Uint32N(bound)}})
	}
	return m
}

func oddObjects(f *flood) error {
	objects, err := ros.Advertise[moveitmsgs.CollisionObject](f.node, "collision_object", ros.QoS{})
	if err != nil {
		return err
	}
	attached, err := ros.Advertise[moveitmsgs.AttachedCollisionObject](f.node, "attached_collision_object", ros.QoS{})
	if err != nil {
		return err
	}
	links := []string{"", "carriage_a", "nowhere", "post_b", "odd_1", wallName, "\n" + forgery}
	sent := 0
	for ; f.ctx.Err() == nil; sent++ {
		o := f.oddObject(sent)
		if sent%3 == 0 {
			a := moveitmsgs.AttachedCollisionObject{LinkName: links[f.dice.IntN(len(links))], Object: o, TouchLinks: links}
			_ = attached.Publish(&a)
		} else {
			_ = objects.Publish(&o)
		}
		if sent%20 == 0 {
			sleep(f.ctx, 30*time.Millisecond) // below the rate beyond which nothing is read
		}
	}
	f.tell("%d objects", sent)
	return nil
}

func appendForever(f *flood) error {
	objects, err := ros.Advertise[moveitmsgs.CollisionObject](f.node, "collision_object", ros.QoS{})
	if err != nil {
		return err
	}
	sent := 0
	for ; f.ctx.Err() == nil; sent++ {
		o := moveitmsgs.CollisionObject{ID: "grows", Pose: pose(50, 50, 50), Meshes: []shapemsgs.Mesh{f.mesh(1000, 1000)}, MeshPoses: []geometrymsgs.Pose{pose(0, 0, float64(sent))}}
		if sent > 0 {
			o.Operation = moveitmsgs.CollisionObjectAppend
		}
		_ = objects.Publish(&o)
		sleep(f.ctx, 2*time.Millisecond)
	}
	f.tell("%d times 1,000 triangles", sent)
	return nil
}

func manyObjects(f *flood) error {
	scenes, err := ros.Advertise[moveitmsgs.PlanningScene](f.node, "planning_scene", ros.QoS{})
	if err != nil {
		return err
	}
	const messages, objects = 4, 25_000
	diffs := make([]moveitmsgs.PlanningScene, messages)
	for k := range diffs {
		diffs[k] = moveitmsgs.PlanningScene{IsDiff: true, RobotState: moveitmsgs.RobotState{IsDiff: true}}
		for i := range objects {
			diffs[k].World.CollisionObjects = append(diffs[k].World.CollisionObjects, box(fmt.Sprintf("o%d_%d", k, i), "", 6+float64(i%100), 6+float64(i/100), float64(k), 0.5))
		}
	}
	sent := 0
	for ; f.ctx.Err() == nil; sent++ {
		if sent%(messages+1) == messages {
			_ = scenes.Publish(&moveitmsgs.PlanningScene{AllowedCollisionMatrix: allowAll()})
		} else {
			_ = scenes.Publish(&diffs[sent%(messages+1)])
		}
		sleep(f.ctx, 50*time.Millisecond)
	}
	f.tell("%d messages", sent)
	return nil
}

// allowAll is a matrix that allows every pair.
func allowAll() moveitmsgs.AllowedCollisionMatrix {
	m := moveitmsgs.AllowedCollisionMatrix{EntryNames: []string{"base", "carriage_a", "carriage_b", "post_a", "post_b", wallName}}
	for range m.EntryNames {
		row := moveitmsgs.AllowedCollisionEntry{}
		for range m.EntryNames {
			row.Enabled = append(row.Enabled, true)
		}
		m.EntryValues = append(m.EntryValues, row)
	}
	m.DefaultEntryNames, m.DefaultEntryValues = m.EntryNames, m.EntryValues[0].Enabled
	return m
}

func secondScene(f *flood) error {
	scenes, err := ros.Advertise[moveitmsgs.PlanningScene](f.node, "monitored_planning_scene", ros.QoS{})
	if err != nil {
		return err
	}
	sent := 0
	for ; f.ctx.Err() == nil; sent++ {
		m := moveitmsgs.PlanningScene{AllowedCollisionMatrix: allowAll(), IsDiff: sent%2 == 1}
		m.RobotState.JointState.Name, m.RobotState.JointState.Position = []string{"a", "b"}, []float64{-1, -1}
		for _, link := range m.AllowedCollisionMatrix.EntryNames {
			m.LinkScale = append(m.LinkScale, moveitmsgs.LinkScale{LinkName: link, Scale: f.number()})
			m.LinkPadding = append(m.LinkPadding, moveitmsgs.LinkPadding{LinkName: link, Padding: f.number()})
		}
		if m.IsDiff {
			m.World.CollisionObjects = []moveitmsgs.CollisionObject{{ID: wallName, Operation: moveitmsgs.CollisionObjectRemove}}
		}
		_ = scenes.Publish(&m)
		sleep(f.ctx, 5*time.Millisecond)
	}
	f.tell("%d scenes", sent)
	return nil
}
