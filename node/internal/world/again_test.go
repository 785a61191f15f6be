package world

import (
	"errors"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/msgs/moveitmsgs"
	"github.com/firstcontact-ros/firstcontact/premise"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// mover is a robot whose hand is at x = 1, 2, 3 and so on after so many seconds. It remembers the last
// seconds only.
type mover struct {
	second   int64
	kept     int64
	timeline uint64
}

func (m *mover) now() (time.Time, uint64) { return time.Unix(m.second, 0), m.timeline }

func (m *mover) frames(*urdf.Robot) scene.Frames {
	return func(_, frame string, stamp int64) (geom.Pose, []premise.Premise, error) {
		at := stamp / 1e9
		if stamp == 0 {
			at = m.second
		}
		if frame != "hand" || stamp < 0 || at > m.second || at <= m.second-m.kept {
			return geom.Pose{}, nil, errors.New("not known then")
		}
		return geom.Pose{R: geom.Identity(), P: geom.Vec{X: float64(at)}}, nil, nil
	}
}

func (m *mover) fixture(t *testing.T, topics ...string) *fixture {
	f := newFixture(t, topics...)
	f.o.Now, f.o.Frames = m.now, m.frames
	return f
}

// putDown has the robot pick a crate up and put it down, and names another object in its hand's frame.
func putDown(f *fixture) {
	in := boxAt("held before it", 0)
	in.Header.FrameID = "hand"
	f.HearObject(Objects, in, 100)
	crate := boxAt("crate", 0)
	crate.Header.FrameID = "hand"
	f.HearAttached(Attached, &moveitmsgs.AttachedCollisionObject{LinkName: "hand", Object: *crate}, 100)
	off := &moveitmsgs.AttachedCollisionObject{LinkName: "hand"}
	off.Object.ID, off.Object.Operation = "crate", moveitmsgs.CollisionObjectRemove
	f.HearAttached(Attached, off, 100)
}

const (
	putDownAt1 = "held before it@1 crate@1"
	notKnown   = "!unplaced-object:held before it !unplaced-object:crate"
)

// Messages that are heard again, around another description of the robot, place objects where the
// robot was when they came. Where that is not known any more, the objects are not placed.
func TestAnotherDescriptionAfterTheRobotHasMoved(t *testing.T) {
	m := &mover{second: 1, kept: 5}
	f := m.fixture(t, Objects, Attached)
	f.want("nothing", "")
	putDown(f)
	f.want("put down", putDownAt1)
	m.second = 4
	if got := f.around(robot(t)); got != putDownAt1 {
		t.Errorf("around another description: %q", got)
	}
	m.second = 9
	if got := f.around(robot(t)); got != notKnown {
		t.Errorf("around another description, later: %q", got)
	}
}

// So do messages that come before there is a robot.
func TestObjectsBeforeTheFirstDescription(t *testing.T) {
	for second, want := range map[int64]string{4: putDownAt1, 9: notKnown} {
		m := &mover{second: 1, kept: 5}
		f := m.fixture(t, Objects, Attached)
		putDown(f)
		m.second = second
		f.want("the first description", want)
	}
}

// An object whose frame is known late is placed where that was when the object came.
func TestFrameThatIsKnownLate(t *testing.T) {
	m := &mover{second: 1}
	f := m.fixture(t, Objects, Attached)
	f.want("nothing", "")
	in := boxAt("a", 0)
	in.Header.FrameID = "hand"
	f.HearObject(Objects, in, 100)
	m.second = 3
	f.resolve()
	f.want("nothing is known", "!unplaced-object:a")
	m.kept = 5
	f.resolve()
	f.want("the frame is known", "a@1")
}

// A time before the clock jumped says nothing of now.
func TestObjectsBeforeAJump(t *testing.T) {
	m := &mover{second: 1}
	f := m.fixture(t, Objects, Attached)
	f.want("nothing", "")
	putDown(f)
	m.timeline, m.kept = 1, 5
	f.resolve()
	f.want("the same time again", notKnown)
	if got := f.around(robot(t)); got != notKnown {
		t.Errorf("around another description: %q", got)
	}
}

// A change that came before the reply of the service is not made anew where the robot is by now.
func TestChangesAgainAfterTheReply(t *testing.T) {
	m := &mover{second: 1, kept: 5}
	f := m.fixture(t, Monitored)
	f.want("nothing", "!scene-source:scene")
	f.meanwhile = &meanwhile{}
	in := boxAt("a", 0)
	in.Header.FrameID = "hand"
	f.HearScene(Monitored, sceneWith(true, in), 100)
	m.second = 3
	f.answer(reply{scene: sceneWith(false, boxAt("b", 7))})
	f.want("the reply", "b@7 a@1")
}
