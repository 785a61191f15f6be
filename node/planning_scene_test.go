package node

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/geometrymsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/moveitmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/shapemsgs"
	"github.com/firstcontact-ros/firstcontact/node/internal/world"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

func TestPlanningScene(t *testing.T) {
	t.Parallel()
	testPlanningScene(t, inMemory())
}

// moveGroup stands in for MoveIt's move_group: it has a scene, publishes its changes, and answers
// get_planning_scene.
type moveGroup struct {
	t    *testing.T
	node *ros.Node
	pub  *ros.Publisher[moveitmsgs.PlanningScene]

	mu    sync.Mutex
	scene moveitmsgs.PlanningScene
	calls int
}

// startMoveGroup starts one in the namespace of a robot; end withdraws it.
func (r *robot) startMoveGroup(objects ...moveitmsgs.CollisionObject) (g *moveGroup, end func()) {
	r.Helper()
	node, err := ros.NewNode(r.graph.transport, ros.Options{Name: "move_group", Namespace: r.namespace, Env: r.graph.env, Logger: quiet()})
	if err != nil {
		r.Fatal(err)
	}
	g = &moveGroup{t: r.T, node: node}
	g.scene.World.CollisionObjects = objects
	if g.pub, err = ros.Advertise[moveitmsgs.PlanningScene](node, world.Monitored, sceneQoS); err != nil {
		r.Fatal(err)
	}
	_, err = ros.ServeEach(node, "get_planning_scene", ros.ServiceQoS, func(_ *moveitmsgs.GetPlanningSceneRequest, _ ros.RequestInfo, reply func(*moveitmsgs.GetPlanningSceneResponse)) {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.calls++
		reply(&moveitmsgs.GetPlanningSceneResponse{Scene: g.scene})
	})
	if err != nil {
		r.Fatal(err)
	}
	var once sync.Once
	end = func() { once.Do(func() { node.Close() }) }
	r.Cleanup(end)
	return g, end
}

// change publishes a change of the scene.
func (g *moveGroup) change(change func(m *moveitmsgs.PlanningScene)) {
	g.t.Helper()
	m := moveitmsgs.PlanningScene{IsDiff: true}
	m.RobotState.IsDiff = true
	change(&m)
	if err := g.pub.Publish(&m); err != nil {
		g.t.Fatal(err)
	}
}

// crate is an obstacle of MoveIt's on the carts' rail.
func crate(id string, x float64, operation uint8) moveitmsgs.CollisionObject {
	o := moveitmsgs.NewCollisionObject()
	o.Header.FrameID, o.ID, o.Pose.Position.X, o.Operation = "rail", id, x, operation
	if operation == moveitmsgs.CollisionObjectAdd {
		o.Primitives = []shapemsgs.SolidPrimitive{{Type: shapemsgs.SolidPrimitiveBox, Dimensions: []float64{0.2, 0.2, 0.2}}}
		o.PrimitivePoses = []geometrymsgs.Pose{geometrymsgs.NewPose()}
	}
	return o
}

func changeOf(objects ...moveitmsgs.CollisionObject) func(*moveitmsgs.PlanningScene) {
	return func(m *moveitmsgs.PlanningScene) { m.World.CollisionObjects = objects }
}

// testPlanningScene is a day of a planning scene: none at first, then one by the service, changes
// on the topic, an object in the hand, a publisher that goes and comes back with another scene.
func testPlanningScene(t *testing.T, g *graph) {
	r := g.newRobot(t, railArgs(t, "-p", "world.topics:=[monitored_planning_scene]", "-p", "check_rate:=50.0")...)
	r.rest()
	r.waitModel()
	_, n := r.waitLevel(0, fcmsgs.CollisionStateUnknown, "scene-source:")
	move, end := r.startMoveGroup(crate("far", -5, moveitmsgs.CollisionObjectAdd))
	free, n := r.waitLevel(n, fcmsgs.CollisionStateFree, "")
	if free.SceneVersion < 2 || free.SceneHash == "" {
		t.Errorf("scene version %d, hash %q", free.SceneVersion, free.SceneHash)
	}
	move.change(changeOf(crate("box", 0, moveitmsgs.CollisionObjectAdd)))
	hit, n := r.waitLevel(n, fcmsgs.CollisionStateCollision, "box")
	if hit.SceneVersion <= free.SceneVersion || hit.SceneHash == free.SceneHash {
		t.Errorf("versions %d and %d, the same hash: %v", free.SceneVersion, hit.SceneVersion, hit.SceneHash == free.SceneHash)
	}
	move.change(changeOf(crate("box", -5, moveitmsgs.CollisionObjectMove)))
	_, n = r.waitLevel(n, fcmsgs.CollisionStateFree, "")
	held := moveitmsgs.AttachedCollisionObject{LinkName: "left", Object: crate("tool", 0.5, moveitmsgs.CollisionObjectAdd)}
	held.Object.Header.FrameID = "left"
	move.change(func(m *moveitmsgs.PlanningScene) {
		held.Object.Pose.Position.X, held.Object.Primitives[0].Dimensions[0] = 0.6, 1
		m.RobotState.AttachedCollisionObjects = []moveitmsgs.AttachedCollisionObject{held}
	})
	_, n = r.waitLevel(n, fcmsgs.CollisionStateCollision, "tool")
	move.change(func(m *moveitmsgs.PlanningScene) {
		gone := crate("tool", 0, moveitmsgs.CollisionObjectRemove)
		m.RobotState.AttachedCollisionObjects = []moveitmsgs.AttachedCollisionObject{{LinkName: "left", Object: gone}}
		m.World.CollisionObjects = []moveitmsgs.CollisionObject{gone}
	})
	_, n = r.waitLevel(n, fcmsgs.CollisionStateFree, "")
	move.change(changeOf(crate("lost", 0, 9)))
	_, n = r.waitLevel(n, fcmsgs.CollisionStateUnknown, "not-understood:lost")
	move.change(changeOf(crate("lost", 0, moveitmsgs.CollisionObjectRemove)))
	_, n = r.waitLevel(n, fcmsgs.CollisionStateFree, "")
	end()
	s, n := r.waitLevel(n, fcmsgs.CollisionStateUnknown, "scene-source:monitored_planning_scene")
	if !strings.Contains(s.Reason, "nobody publishes") {
		t.Errorf("reason %q", s.Reason)
	}
	time.Sleep(time.Second) // longer than a scene counts as that of a publisher that comes now
	r.startMoveGroup(crate("other", 0, moveitmsgs.CollisionObjectAdd))
	r.waitLevel(n, fcmsgs.CollisionStateCollision, "other")
}

// MoveIt's allowed pairs count if acm.source says so, and end with the object.
func TestPlanningSceneAllows(t *testing.T) {
	t.Parallel()
	for source, level := range map[string]uint8{"srdf+scene": fcmsgs.CollisionStateFree, "srdf": fcmsgs.CollisionStateCollision} {
		t.Run(source, func(t *testing.T) {
			t.Parallel()
			r := inMemory().newRobot(t, railArgs(t, "-p", "world.topics:=[monitored_planning_scene]", "-p", "acm.source:="+source)...)
			r.rest()
			move, _ := r.startMoveGroup(crate("far", -5, moveitmsgs.CollisionObjectAdd))
			far, n := r.waitLevel(0, fcmsgs.CollisionStateFree, "")
			before := r.states.count()
			move.change(func(m *moveitmsgs.PlanningScene) {
				m.World.CollisionObjects = []moveitmsgs.CollisionObject{crate("box", 0, moveitmsgs.CollisionObjectAdd)}
				m.AllowedCollisionMatrix.EntryNames = []string{"box", "left"}
				m.AllowedCollisionMatrix.EntryValues = []moveitmsgs.AllowedCollisionEntry{{Enabled: []bool{false, true}}, {Enabled: []bool{true, false}}}
			})
			s, n := r.states.wait(max(n, before-1), "in the world with the box", func(s *fcmsgs.CollisionState) bool {
				return s.SceneHash != far.SceneHash && s.Level != fcmsgs.CollisionStateUnknown
			})
			if s.Level != level {
				t.Errorf("level %d, want %d: %s", s.Level, level, s.Reason)
			}
			move.change(changeOf(crate("box", -5, moveitmsgs.CollisionObjectMove)))
			move.change(changeOf(crate("box 2", 0, moveitmsgs.CollisionObjectAdd)))
			r.waitLevel(n, fcmsgs.CollisionStateCollision, "box 2")
		})
	}
}
