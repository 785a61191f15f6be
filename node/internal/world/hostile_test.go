package world

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/msgs/cdr"
	"github.com/firstcontact-ros/firstcontact/msgs/geometrymsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/moveitmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/octomapmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/shapemsgs"
)

// Absurd sizes: each message is as large as one may be. It takes seconds at most, its answer says
// what is not checked, and the next whole scene mends everything.
func TestAbsurdSizes(t *testing.T) {
	race.LeaveOut(t)
	many := func(n int, change func(i int, o *moveitmsgs.CollisionObject)) *moveitmsgs.PlanningScene {
		m := sceneWith(true)
		for i := range n {
			o := object(fmt.Sprint("o", i), "base", 0)
			change(i, &o)
			m.World.CollisionObjects = append(m.World.CollisionObjects, o)
		}
		return m
	}
	for _, c := range []struct {
		name string
		m    *moveitmsgs.PlanningScene
		want string // part of the gaps; empty: none
	}{
		{"objects", many(60_000, func(_ int, o *moveitmsgs.CollisionObject) {
			o.Primitives = []shapemsgs.SolidPrimitive{solid(2, 1)}
		}), ""},
		{"shapes", many(1, func(_ int, o *moveitmsgs.CollisionObject) {
			o.Primitives = make([]shapemsgs.SolidPrimitive, 150_000)
			for i := range o.Primitives {
				o.Primitives[i] = solid(2, 1)
			}
		}), "scene-source:size"},
		{"a name", many(60_000, func(_ int, o *moveitmsgs.CollisionObject) { o.ID = "same" }), "not-understood:same"},
		{"frames", many(60_000, func(i int, o *moveitmsgs.CollisionObject) {
			o.Header.FrameID = fmt.Sprint("o", i-1)
			o.Primitives = []shapemsgs.SolidPrimitive{solid(2, 1)}
		}), "unplaced-object"},
		{"moves", many(60_000, func(_ int, o *moveitmsgs.CollisionObject) { o.Operation = moveitmsgs.CollisionObjectMove }), "not-understood"},
		{"triangles", many(1, func(_ int, o *moveitmsgs.CollisionObject) {
			o.Meshes = []shapemsgs.Mesh{{Vertices: []geometrymsgs.Point{{}, {X: 1}, {Y: 1}}, Triangles: make([]shapemsgs.MeshTriangle, 1_300_000)}}
			for i := range o.Meshes[0].Triangles {
				o.Meshes[0].Triangles[i].VertexIndices = [3]uint32{0, 1, 2}
			}
		}), ""},
		{"octomap", &moveitmsgs.PlanningScene{IsDiff: true, World: moveitmsgs.PlanningSceneWorld{Octomap: octomapmsgs.OctomapWithPose{
			Octomap: octomapmsgs.Octomap{Binary: true, ID: "OcTree", Resolution: 1e-9, Data: make([]int8, 15<<20)},
		}}}, "not-understood:<octomap>"},
		{"matrix", &moveitmsgs.PlanningScene{IsDiff: true, AllowedCollisionMatrix: matrix(3500)}, ""},
		{"defaults", withDefaults(many(30_000, func(_ int, o *moveitmsgs.CollisionObject) {
			o.Primitives = []shapemsgs.SolidPrimitive{solid(2, 1)}
		})), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if n := len(cdr.Marshal(c.m)); n > limit.SceneMessageBytes {
				t.Fatalf("%d bytes are more than a message may have", n)
			}
			f := newFixture(t, Monitored)
			f.HearScene(Monitored, sceneWith(false, boxAt("a", 1)), 1)
			f.content()
			begin := time.Now()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			f.HearScene(Monitored, c.m, 1)
			got := f.content()
			runtime.ReadMemStats(&after)
			t.Logf("%v, %d MiB allocated", time.Since(begin), (after.TotalAlloc-before.TotalAlloc)>>20)
			if took := time.Since(begin); took > 30*time.Second {
				t.Errorf("took %v", took)
			}
			if gaps := strings.Contains(got, "!"); gaps != (c.want != "") || !strings.Contains(got, c.want) {
				t.Errorf("gaps: %v, want %q", gaps, c.want)
			}
			f.HearScene(Monitored, sceneWith(false, boxAt("a", 1)), 1)
			f.want("after a whole scene", "a@1")
		})
	}
}

func matrix(n int) (m moveitmsgs.AllowedCollisionMatrix) {
	m.EntryValues = make([]moveitmsgs.AllowedCollisionEntry, n)
	for i := range n {
		m.EntryNames = append(m.EntryNames, fmt.Sprint("l", i))
		m.EntryValues[i].Enabled = make([]bool, n)
		for k := range n {
			m.EntryValues[i].Enabled[k] = true
		}
	}
	return m
}

// withDefaults makes a whole scene of a change, in which half of the objects may touch everything
// and half nothing.
func withDefaults(m *moveitmsgs.PlanningScene) *moveitmsgs.PlanningScene {
	m.IsDiff, m.RobotState.IsDiff = false, false
	a := &m.AllowedCollisionMatrix
	for i := range m.World.CollisionObjects {
		a.DefaultEntryNames, a.DefaultEntryValues = append(a.DefaultEntryNames, m.World.CollisionObjects[i].ID), append(a.DefaultEntryValues, i%2 == 0)
	}
	return m
}
