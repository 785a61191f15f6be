package world

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/geometrymsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/moveitmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/shapemsgs"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

func robot(t testing.TB) *urdf.Robot {
	t.Helper()
	r, err := urdf.Parse([]byte(`<robot name="arm"><link name="base"/><link name="hand"/>
<joint name="j" type="revolute"><parent link="base"/><child link="hand"/><origin xyz="0 0 1"/><axis xyz="0 0 1"/><limit lower="-3" upper="3" effort="1" velocity="1"/></joint></robot>`), urdf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func boxAt(id string, x float64) *moveitmsgs.CollisionObject {
	m := moveitmsgs.NewCollisionObject()
	m.Header.FrameID, m.ID, m.Pose.Position.X = "base", id, x
	m.Primitives = []shapemsgs.SolidPrimitive{{Type: shapemsgs.SolidPrimitiveBox, Dimensions: []float64{1, 1, 1}}}
	m.PrimitivePoses = []geometrymsgs.Pose{geometrymsgs.NewPose()}
	return &m
}

func moved(id string, x float64) *moveitmsgs.CollisionObject {
	m := boxAt(id, x)
	m.Operation, m.Primitives, m.PrimitivePoses = moveitmsgs.CollisionObjectMove, nil, nil
	return m
}

func sceneWith(diff bool, objects ...*moveitmsgs.CollisionObject) *moveitmsgs.PlanningScene {
	m := &moveitmsgs.PlanningScene{IsDiff: diff}
	m.RobotState.IsDiff = diff
	for _, o := range objects {
		m.World.CollisionObjects = append(m.World.CollisionObjects, *o)
	}
	return m
}

// fixture is a Listener with what it says.
type fixture struct {
	*Listener
	t     testing.TB
	robot *urdf.Robot
	mu    sync.Mutex
	lines []string
}

func newFixture(t testing.TB, topics ...string) *fixture {
	f := &fixture{t: t, robot: robot(t)}
	say := func(format string, args ...any) {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.lines = append(f.lines, fmt.Sprintf(format, args...))
	}
	f.Listener = New(Options{Topics: topics, Changed: func() {}, Warnf: say, Infof: say, Service: "get_planning_scene"})
	return f
}

func (f *fixture) content() string { return f.around(f.robot) }

// around lists the objects as id@x and the gaps as !kind:name.
func (f *fixture) around(r *urdf.Robot) string {
	f.t.Helper()
	below, err := scene.New("")
	if err != nil {
		f.t.Fatal(err)
	}
	s, err := f.Layer(context.Background(), r, below)
	if err != nil {
		f.t.Fatal(err)
	}
	var words []string
	for i := range s.Objects {
		words = append(words, fmt.Sprintf("%s@%g", s.Objects[i].ID, s.Objects[i].PoseWS.P.X))
	}
	for i := range s.Gaps {
		words = append(words, "!"+s.Gaps[i].Entry())
	}
	return strings.Join(words, " ")
}

func (f *fixture) want(what, content string) {
	f.t.Helper()
	for range 200 { // for a loaded machine
		if f.content() == content {
			return
		}
		if f.timing == usual {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	if got := f.content(); got != content {
		f.t.Errorf("%s: %q, want %q", what, got, content)
	}
}

func TestChangesBeforeAWholeScene(t *testing.T) {
	f := newFixture(t, Monitored)
	f.want("nothing", "!scene-source:scene")
	f.HearScene(Monitored, sceneWith(true, boxAt("a", 1)), 100)
	f.want("a change", "a@1 !scene-source:scene")
	f.HearScene(Monitored, sceneWith(false, boxAt("b", 2)), 100)
	f.want("a whole scene", "b@2")
	f.HearObject(Objects, moved("b", 3), 100)
	f.want("a change after it", "b@3")
	f.Lost(Monitored, "test")
	f.want("a loss", "b@3 !scene-source:scene")
	f.HearScene(Monitored, sceneWith(true, boxAt("c", 4)), 100)
	f.want("a change after a loss", "b@3 c@4 !scene-source:scene")
	f.HearScene(Monitored, sceneWith(false), 100)
	f.want("an empty whole scene", "")
	broken := sceneWith(true)
	broken.FixedFrameTransforms = make([]geometrymsgs.TransformStamped, 1)
	broken.FixedFrameTransforms[0].Transform.Rotation.X = 5
	f.HearScene(Monitored, broken, 100)
	f.want("a message that cannot be read", "!scene-source:scene")
}

// Without a topic of whole scenes the world begins with nothing.
func TestObjectsAlone(t *testing.T) {
	f := newFixture(t, Objects, Attached)
	f.want("nothing", "")
	f.HearObject(Objects, boxAt("a", 1), 100)
	f.HearAttached(Attached, &moveitmsgs.AttachedCollisionObject{LinkName: "hand", Object: *moved("a", 1)}, 100)
	f.want("an object that cannot be attached", "a@1 !not-understood:a")
}

// A change that leaves robot_state as it is made, with is_diff false, says nothing of the robot.
func TestChangeWithoutARobotState(t *testing.T) {
	f := newFixture(t, Planning)
	whole := sceneWith(false)
	crate := boxAt("crate", 0)
	crate.Header.FrameID = "hand"
	whole.RobotState.AttachedCollisionObjects = []moveitmsgs.AttachedCollisionObject{{LinkName: "hand", Object: *crate}}
	f.HearScene(Planning, whole, 100)
	f.want("carried", "crate@0")
	change := sceneWith(true, boxAt("table", 5))
	change.RobotState.IsDiff = false
	f.HearScene(Planning, change, 100)
	f.want("a change of the world", "crate@0 table@5")
	change.RobotState.JointState.Name, change.RobotState.JointState.Position = []string{"j"}, []float64{0}
	f.HearScene(Planning, change, 100)
	f.want("a whole state of the robot, which carries nothing", "table@5")
}

// graph is a graph whose answers tests set.
type graph struct {
	mu         sync.Mutex
	publishers int
	name       string // of the first
	lost       uint64
	calls      int
	answer     func() (*moveitmsgs.PlanningScene, error)
	delay      time.Duration
}

func (g *graph) set(change func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	change()
}

func (g *graph) called() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.calls
}

func (g *graph) of() Graph {
	return Graph{
		Publishers: func(string) ([]string, uint64) {
			g.mu.Lock()
			defer g.mu.Unlock()
			names := []string{"move_group" + g.name}
			for i := range 2 {
				names = append(names, fmt.Sprint("other", i))
			}
			return names[:g.publishers], g.lost
		},
		Ask: func(ctx context.Context) (*moveitmsgs.PlanningScene, error) {
			g.mu.Lock()
			g.calls++
			answer, delay := g.answer, g.delay
			g.mu.Unlock()
			m, err := answer()
			time.Sleep(delay / faster)
			return m, err
		},
	}
}

// faster is how many times faster than usual a Listener runs here.
const faster = 20

// runs runs a Listener.
func runs(t *testing.T, f *fixture, g *graph, test func(wait func(time.Duration))) {
	for _, d := range []*time.Duration{&f.timing.period, &f.timing.pause, &f.timing.grace, &f.timing.settled} {
		*d /= faster
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- f.Run(ctx, g.of()) }()
	test(func(d time.Duration) {
		time.Sleep(d / faster)
	})
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestSourcesComeAndGo(t *testing.T) {
	f := newFixture(t, Monitored)
	g := &graph{answer: func() (*moveitmsgs.PlanningScene, error) { return nil, errors.New("no server") }}
	runs(t, f, g, func(wait func(time.Duration)) {
		wait(time.Second)
		f.want("nobody", "!scene-source:monitored_planning_scene !scene-source:scene")
		g.set(func() {
			g.publishers = 1
			g.answer = func() (*moveitmsgs.PlanningScene, error) { return sceneWith(true, boxAt("a", 1)), nil }
		})
		wait(3 * time.Second)
		f.want("a server", "a@1")
		calls := g.called()
		wait(10 * time.Second)
		if now := g.called(); now != calls {
			t.Errorf("%d calls without need", now-calls)
		}
		g.set(func() { g.publishers = 0 })
		wait(time.Second)
		f.want("the publisher has gone", "a@1 !scene-source:monitored_planning_scene")
		g.set(func() { g.publishers = 2 })
		wait(time.Second)
		f.want("two publishers", "a@1 !scene-source:monitored_planning_scene")
		g.set(func() {
			g.publishers = 1
			g.answer = func() (*moveitmsgs.PlanningScene, error) { return sceneWith(false, boxAt("b", 2)), nil }
		})
		wait(3 * time.Second)
		f.want("another publisher", "b@2")
		g.set(func() {
			g.name = "a third, at once"
			g.answer = func() (*moveitmsgs.PlanningScene, error) { return sceneWith(false, boxAt("d", 2)), nil }
		})
		wait(3 * time.Second)
		f.want("a third publisher", "d@2")
		g.set(func() {
			g.lost++
			g.answer = func() (*moveitmsgs.PlanningScene, error) { return nil, errors.New("gone") }
		})
		wait(time.Second)
		f.want("a loss", "d@2 !scene-source:scene")
		g.set(func() {
			g.answer = func() (*moveitmsgs.PlanningScene, error) { return sceneWith(false, boxAt("c", 3)), nil }
		})
		wait(3 * time.Second)
		f.want("mended", "c@3")
	})
}

// A reply is about the time when the server made it: changes that came later stand.
func TestChangesOvertakeTheReply(t *testing.T) {
	f := newFixture(t, Monitored)
	g := &graph{publishers: 1, delay: time.Second, answer: func() (*moveitmsgs.PlanningScene, error) { return sceneWith(false, boxAt("a", 1)), nil }}
	runs(t, f, g, func(wait func(time.Duration)) {
		wait(500 * time.Millisecond)
		f.HearScene(Monitored, sceneWith(true, boxAt("b", 2), moved("a", 5)), 100)
		wait(2 * time.Second)
		f.want("the reply", "a@5 b@2")
		g.set(func() { g.lost++ })
		wait(500 * time.Millisecond)
		f.Lost(Monitored, "while the service is called")
		wait(600 * time.Millisecond)
		f.want("a reply that a loss overtook", "a@5 b@2 !scene-source:scene")
		wait(3 * time.Second)
		f.want("the next reply", "a@1")
	})
}

// A scene that is heard before the robot is known, or around another robot, is the same.
func TestAnotherRobot(t *testing.T) {
	f := newFixture(t, Monitored)
	f.HearScene(Monitored, sceneWith(false, boxAt("a", 1)), 100)
	f.HearScene(Monitored, sceneWith(true, moved("a", 2)), 100)
	other := robot(t)
	for i := range 2 {
		if one, two := f.content(), f.around(other); one != "a@2" || two != one {
			t.Errorf("%d: %q and %q", i, one, two)
		}
	}
	f.HearObject(Objects, moved("a", 3), 60<<20)
	f.HearObject(Objects, moved("a", 4), 60<<20)
	f.want("the same robot, after more than is kept", "a@4")
	if got := f.around(robot(t)); got != "!scene-source:scene" {
		t.Errorf("another robot, after more than is kept: %q", got)
	}
}

func TestWarningsAreFew(t *testing.T) {
	f := newFixture(t, Objects)
	f.content()
	for range 1000 {
		f.HearObject(Objects, &moveitmsgs.CollisionObject{ID: "x", Operation: moveitmsgs.CollisionObjectRemove}, 10)
	}
	if n := len(f.lines); n == 0 || n > 2*linesPerSecond {
		t.Errorf("%d lines", n)
	}
}
