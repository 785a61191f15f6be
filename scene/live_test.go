package scene_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/premise"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// liveRobot is an arm with one moving joint, whose root link stands still in the frame map.
func liveRobot(t testing.TB) *urdf.Robot {
	t.Helper()
	robot, err := urdf.Parse([]byte(`<robot name="arm"><link name="base"/><link name="hand"/><link name="finger"/>
<joint name="j" type="revolute"><parent link="base"/><child link="hand"/><origin xyz="0 0 1"/><axis xyz="0 0 1"/><limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
<joint name="f" type="fixed"><parent link="hand"/><child link="finger"/><origin xyz="0.1 0 0"/></joint></robot>`), urdf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if robot, err = urdf.ParseSRDFOf(robot, "s", []byte(`<robot name="arm"><virtual_joint name="v" type="fixed" parent_frame="map" child_link="base"/></robot>`)); err != nil {
		t.Fatal(err)
	}
	return robot
}

func box(id, frame string, op scene.Operation, x float64) *scene.ObjectMessage {
	m := &scene.ObjectMessage{From: scene.Named("object " + id), ID: id, Operation: op, Frame: frame, Pose: at(x, 0, 0)}
	if op == scene.OpAdd || op == scene.OpAppend {
		s, err := scene.NewPrimitive(1, []float64{1, 1, 1})
		if err != nil {
			panic(err)
		}
		m.Shapes = []scene.PosedShape{{Shape: s, PoseOS: geom.IdentityPose()}}
	}
	return m
}

func whole(objects ...*scene.ObjectMessage) *scene.PlanningMessage {
	m := &scene.PlanningMessage{From: scene.Named("scene"), State: &scene.StateMessage{From: scene.Named("scene")}, World: &scene.WorldMessage{}}
	for _, o := range objects {
		m.World.Objects = append(m.World.Objects, *o)
	}
	return m
}

func emptyWorld(t testing.TB) *scene.Snapshot {
	t.Helper()
	s, err := scene.New("")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func over(t testing.TB, l *scene.Live, below *scene.Snapshot) *scene.Snapshot {
	t.Helper()
	s, err := l.Over(below)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// content lists objects as id@x and gaps as !kind:name.
func content(s *scene.Snapshot) string {
	var words []string
	for i := range s.Objects {
		o := &s.Objects[i]
		word := fmt.Sprintf("%s@%.4g", o.ID, o.PoseWS.P.X)
		if o.AttachedTo != "" {
			word += "/" + o.AttachedTo + strings.Join(o.TouchLinks, "+")
		}
		words = append(words, word)
	}
	for i := range s.Gaps {
		words = append(words, "!"+s.Gaps[i].Entry())
	}
	return strings.Join(words, " ")
}

func attach(link string, o *scene.ObjectMessage, touch ...string) *scene.AttachMessage {
	return &scene.AttachMessage{Link: link, TouchLinks: touch, Object: *o}
}

func TestLiveChanges(t *testing.T) {
	type step = func(l *scene.Live)
	object := func(m *scene.ObjectMessage) step { return func(l *scene.Live) { l.Object(m) } }
	attached := func(m *scene.AttachMessage) step { return func(l *scene.Live) { l.Attached(m) } }
	first := func(l *scene.Live) { l.Scene(whole(box("a", "map", scene.OpAdd, 1), box("b", "base", scene.OpAdd, 2))) }
	bad := box("a", "map", scene.OpAdd, 5)
	bad.Fault = errors.New("a prism")
	none := box("a", "map", scene.OpAdd, 5)
	none.Shapes = nil
	for _, c := range []struct {
		name  string
		steps []step
		want  string
	}{
		{"whole", []step{first}, "a@1 b@2"},
		{"replaced", []step{first, object(box("a", "map", scene.OpAdd, 3))}, "b@2 a@3"},
		{"twice the same", []step{first, object(box("a", "map", scene.OpAdd, 3)), object(box("a", "map", scene.OpAdd, 3))}, "b@2 a@3"},
		{"moved", []step{first, object(box("a", "map", scene.OpMove, 3))}, "a@3 b@2"},
		{"appended", []step{first, object(box("a", "map", scene.OpAppend, 1))}, "a#1@1 a#2@1 b@2"},
		{"appended elsewhere", []step{first, object(box("a", "map", scene.OpAppend, 4))}, "a#1@1 a#2@1 b@2 !not-understood:a"},
		{"removed", []step{first, object(box("a", "", scene.OpRemove, 0))}, "b@2"},
		{"removed twice", []step{first, object(box("a", "", scene.OpRemove, 0)), object(box("a", "", scene.OpRemove, 0))}, "b@2"},
		{"all removed", []step{first, object(box("", "", scene.OpRemove, 0))}, ""},
		{"moved before it is there", []step{first, object(box("c", "map", scene.OpMove, 3))}, "a@1 b@2 !not-understood:c"},
		{"moved, then added", []step{first, object(box("c", "map", scene.OpMove, 3)), object(box("c", "map", scene.OpAdd, 4))}, "a@1 b@2 c@4"},
		{"replaced by a whole scene", []step{first, object(box("c", "nowhere", scene.OpAdd, 3)), func(l *scene.Live) { l.Scene(whole(box("d", "map", scene.OpAdd, 4))) }}, "d@4"},
		{"unknown frame", []step{first, object(box("c", "nowhere", scene.OpAdd, 3))}, "a@1 b@2 !unplaced-object:c"},
		{"unknown frame, then known", []step{first, object(box("c", "nowhere", scene.OpAdd, 3)), object(box("c", "map", scene.OpMove, 3))}, "a@1 b@2 c@3"},
		{"moving link", []step{first, object(box("c", "hand", scene.OpAdd, 3))}, "a@1 b@2 !unplaced-object:c"},
		{"not understood", []step{first, object(bad)}, "b@2 !not-understood:a"},
		{"not understood, then moved", []step{first, object(bad), object(box("a", "map", scene.OpMove, 3))}, "b@2 !not-understood:a"},
		{"not understood, then removed", []step{first, object(bad), object(box("a", "map", scene.OpRemove, 0))}, "b@2"},
		{"without shapes", []step{first, object(none)}, "b@2 !not-understood:a"},
		{"without a name", []step{first, object(box("", "map", scene.OpAdd, 3))}, "a@1 b@2 !not-understood:object without a name"},
		{"unknown operation", []step{first, object(box("a", "map", 7, 3))}, "b@2 !not-understood:a"},
		{"the octomap's name", []step{first, object(box("<octomap>", "map", scene.OpAdd, 3))}, "a@1 b@2 !not-understood:object without a name"},
		{"twice in one message", []step{func(l *scene.Live) { l.Scene(whole(box("a", "map", scene.OpAdd, 1), box("a", "map", scene.OpAdd, 2))) }}, "!not-understood:a"},
		{"attached", []step{first, attached(attach("hand", box("a", "hand", scene.OpAdd, 0.5), "finger"))}, "a@0.5/handfinger b@2"},
		{"attached to a link that is not there", []step{first, attached(attach("claw", box("a", "claw", scene.OpAdd, 0.5)))}, "b@2 !not-understood:a"},
		{"attached in another link's frame", []step{first, attached(attach("hand", box("a", "finger", scene.OpAdd, 0.5)))}, "a@0.6/hand b@2"},
		{"attached in a frame that moves", []step{first, attached(attach("hand", box("a", "base", scene.OpAdd, 0.5)))}, "b@2 !unplaced-object:a"},
		{"touch links that are not there", []step{first, attached(attach("hand", box("a", "hand", scene.OpAdd, 0.5), "finger", "thumb"))}, "a@0.5/handfinger b@2"},
		{"detached where the link is not known", []step{first, attached(attach("hand", box("a", "hand", scene.OpAdd, 0.5))), attached(attach("", box("a", "", scene.OpRemove, 0)))}, "b@2 !unplaced-object:a"},
		{"detached from another link", []step{first, attached(attach("hand", box("a", "hand", scene.OpAdd, 0.5))), attached(attach("finger", box("a", "", scene.OpRemove, 0)))}, "a@0.5/hand b@2"},
		{"detached and placed", []step{first, attached(attach("hand", box("a", "hand", scene.OpAdd, 0.5))), attached(attach("hand", box("a", "", scene.OpRemove, 0))), object(box("a", "map", scene.OpAdd, 7))}, "b@2 a@7"},
		{"attached and in the world", []step{first, attached(attach("hand", box("c", "hand", scene.OpAdd, 0.5))), object(box("c", "map", scene.OpAdd, 7))}, "c@0.5/hand a@1 b@2 !not-understood:c"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := scene.NewLive(liveRobot(t), nil)
			for _, step := range c.steps {
				step(l)
				over(t, l, emptyWorld(t))
			}
			if got := content(over(t, l, emptyWorld(t))); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// A snapshot is that of the messages, whatever was drawn between them, and equal shapes keep
// their pointers.
func TestLiveKeepsWhatIsUnchanged(t *testing.T) {
	fresh, kept := scene.NewLive(liveRobot(t), nil), scene.NewLive(liveRobot(t), nil)
	var last *scene.Snapshot
	for i := range 20 {
		m := box(fmt.Sprint("o", i%7), "map", []scene.Operation{scene.OpAdd, scene.OpMove}[i/7%2], float64(i))
		if i == 10 {
			again := whole()
			for k := range 7 {
				again.World.Objects = append(again.World.Objects, *box(fmt.Sprint("o", k), "map", scene.OpAdd, float64(k)))
			}
			fresh.Scene(again)
			kept.Scene(again)
		}
		fresh.Object(m)
		kept.Object(m)
		next := over(t, kept, emptyWorld(t))
		for k := range next.Objects {
			if last == nil {
				break
			}
			if was := last.Object(next.Objects[k].ID); was >= 0 && last.Objects[was].Shape != next.Objects[k].Shape {
				t.Errorf("step %d: the shape of %s is another", i, next.Objects[k].ID)
			}
		}
		last = next
	}
	if once := over(t, fresh, emptyWorld(t)); once.Hash != last.Hash {
		t.Errorf("hashes %x and %x", once.Hash, last.Hash)
	}
}

// What lies below stays, and the live scene's allowed pairs are not about it.
func TestLiveOverOthers(t *testing.T) {
	below, err := scene.New("", scene.NewSphere("a", at(9, 0, 0), 1), scene.NewSphere("fence", at(8, 0, 0), 1))
	if err != nil {
		t.Fatal(err)
	}
	if below, err = below.WithLinkPadding(map[string]float64{"hand": 0.02, "base": 0.1}); err != nil {
		t.Fatal(err)
	}
	l := scene.NewLive(liveRobot(t), nil)
	m := whole(box("a", "map", scene.OpAdd, 1))
	m.Allowed = &scene.AllowedMessage{From: scene.Named("m"), Names: []string{"a", "fence", "gone", "hand"}}
	for range m.Allowed.Names {
		m.Allowed.Rows = append(m.Allowed.Rows, []bool{true, true, true, true})
	}
	m.Paddings = []scene.LinkNumber{{Link: "hand", Value: 0.05}, {Link: "base", Value: 0.01}, {Link: "claw", Value: 1}}
	l.Scene(m)
	s := over(t, l, below)
	if got, want := content(s), "a@9 fence@8 a (2)@1"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := fmt.Sprint(s.Allowed), "[[a (2) hand]]"; got != want {
		t.Errorf("allowed pairs %s, want %s", got, want)
	}
	if got, want := fmt.Sprint(s.LinkPadding), "map[base:0.1 hand:0.05]"; got != want {
		t.Errorf("padding %s, want %s", got, want)
	}
}

func TestLiveParts(t *testing.T) {
	named := scene.Named("m")
	for _, c := range []struct {
		name string
		with func(m *scene.PlanningMessage)
		want string
	}{
		{"scaled out of reason", func(m *scene.PlanningMessage) {
			m.Scales = []scene.LinkNumber{{From: named, Link: "hand", Value: math.NaN()}}
		}, "a@1 !not-understood:link_scale"},
		{"negative padding", func(m *scene.PlanningMessage) {
			m.Paddings = []scene.LinkNumber{{From: named, Link: "hand", Value: -1}}
		}, "a@1 !not-understood:link_padding"},
		{"lopsided matrix", func(m *scene.PlanningMessage) {
			m.Allowed = &scene.AllowedMessage{From: named, Names: []string{"a", "hand"}, Rows: [][]bool{{true, true}, {false, true}}}
		}, "a@1"},
		{"two planning frames", func(m *scene.PlanningMessage) {
			m.Transforms = []scene.FrameTransform{{From: named, Frame: "x", Child: "c", Pose: at(1, 0, 0)}, {From: named, Frame: "y", Child: "d", Pose: at(1, 0, 0)}}
		}, "!unplaced-object:a !not-understood:fixed_frame_transforms"},
		{"a robot that moves", func(m *scene.PlanningMessage) {
			m.State.Multi, m.State.MultiAt = []scene.JointPose{{Joint: "v", Pose: at(10, 0, 0)}}, named
		}, "!unplaced-object:map"},
		{"octomap", func(m *scene.PlanningMessage) {
			m.World.Octomap = &scene.OctomapMessage{From: named, Pose: at(4, 0, 0), Tree: scene.Octree{Binary: true, ID: "OcTree", Resolution: 0.1, Data: []byte{2, 0}}}
		}, "<octomap>@4 a@1 !unknown-space:<octomap>"},
		{"damaged octomap", func(m *scene.PlanningMessage) {
			m.World.Octomap = &scene.OctomapMessage{From: named, Pose: at(4, 0, 0), Tree: scene.Octree{Binary: true, ID: "OcTree", Resolution: 0.1, Data: []byte{3}}}
		}, "a@1 !not-understood:<octomap>"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := scene.NewLive(liveRobot(t), nil)
			m := whole(box("a", "map", scene.OpAdd, 1))
			c.with(m)
			l.Scene(m)
			s := over(t, l, emptyWorld(t))
			if got := content(s); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if len(s.Allowed) > 0 {
				t.Errorf("allowed pairs %v", s.Allowed)
			}
			l.Scene(whole())
			if got := content(over(t, l, emptyWorld(t))); got != "" {
				t.Errorf("after the next whole scene: %q", got)
			}
		})
	}
}

// A scaled link is in the padded one, and a padded one in its padding; a smaller one stays.
func TestLiveScale(t *testing.T) {
	robot, err := urdf.Parse([]byte(`<robot name="arm"><link name="base"/><link name="hand"><collision><geometry><box size="2 4 4"/></geometry></collision><collision><geometry><sphere radius="1"/></geometry></collision></link>
<joint name="f" type="fixed"><parent link="base"/><child link="hand"/></joint></robot>`), urdf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	l := scene.NewLive(robot, nil)
	scale := func(diff bool, link string, by float64) string {
		m := whole()
		m.Diff, m.State.Diff = diff, diff
		m.Scales = []scene.LinkNumber{{From: scene.Named("m"), Link: link, Value: by}}
		if !diff {
			m.Paddings = []scene.LinkNumber{{From: scene.Named("m"), Link: "hand", Value: 0.25}}
		}
		l.Scene(m)
		return fmt.Sprint(over(t, l, emptyWorld(t)).LinkPadding)
	}
	for _, c := range []struct {
		diff bool
		link string
		by   float64
		want string
	}{{false, "hand", 1.5, "map[hand:1.75]"}, {true, "claw", 2, "map[hand:1.75]"}, {true, "hand", 0.5, "map[hand:0.25]"}, {true, "hand", 2, "map[hand:3.25]"}, {true, "hand", 1, "map[hand:0.25]"}} {
		if got := scale(c.diff, c.link, c.by); got != c.want {
			t.Errorf("%s by %g: %s, want %s", c.link, c.by, got, c.want)
		}
	}
}

// An object of a link's name, of which nobody can tell which is meant.
func TestLiveNamedLikeALink(t *testing.T) {
	l := scene.NewLive(liveRobot(t), nil)
	m := whole(box("hand", "map", scene.OpAdd, 1), box("b", "map", scene.OpAdd, 2))
	m.Allowed = &scene.AllowedMessage{From: scene.Named("m"), Names: []string{"hand", "b"}, Rows: [][]bool{{true, true}, {true, true}}}
	l.Scene(m)
	s := over(t, l, emptyWorld(t))
	if got := content(s); got != "hand (2)@1 b@2" || len(s.Allowed) > 0 {
		t.Errorf("%s, allowed pairs %v", got, s.Allowed)
	}
}

// The robot moves against the obstacles, and nothing says where it is now.
func TestLiveMovingRoot(t *testing.T) {
	robot, err := urdf.ParseSRDFOf(liveRobot(t), "s", []byte(`<robot name="arm"><virtual_joint name="v" type="planar" parent_frame="odom" child_link="base"/></robot>`))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ frame, want string }{{"odom", "a@-9 !scene-source:v"}, {"base", "a@1 !scene-source:v"}} {
		l := scene.NewLive(robot, nil)
		m := whole(box("a", c.frame, scene.OpAdd, 1))
		m.State.Multi, m.State.MultiAt = []scene.JointPose{{Joint: "v", Pose: at(10, 0, 0)}}, scene.Named("m")
		l.Scene(m)
		if got := content(over(t, l, emptyWorld(t))); got != c.want {
			t.Errorf("%s: got %q, want %q", c.frame, got, c.want)
		}
	}
}

// Frames from outside place objects, at once or later.
func TestLiveFrames(t *testing.T) {
	known := false
	l := scene.NewLive(liveRobot(t), func(object, frame string, stamp int64) (geom.Pose, []premise.Premise, error) {
		if !known || frame != "camera" || object != "c" || stamp != 7 {
			return geom.Pose{}, nil, errors.New("not known")
		}
		return at(100, 0, 0), []premise.Premise{{Kind: premise.MovingFrame, Names: []string{object}}}, nil
	})
	m := box("c", "camera", scene.OpAdd, 1)
	m.Stamp = 7
	l.Object(m)
	steps := []struct {
		do   func()
		want string
	}{
		{func() {}, "!unplaced-object:c"},
		{func() { l.Resolve() }, "!unplaced-object:c"},
		{func() { known = true; l.Resolve() }, "c@101 !moving-frame:c"},
		{func() { l.Object(box("d", "c", scene.OpAdd, 1)) }, "c@101 d@102 !moving-frame:c !moving-frame:c"},
		{func() { l.Object(box("c", "map", scene.OpMove, 3)) }, "c@3 d@102 !moving-frame:c"},
		{func() { l.Object(box("d", "map", scene.OpAdd, 3)) }, "c@3 d@3"},
	}
	for i, step := range steps {
		step.do()
		if got := content(over(t, l, emptyWorld(t))); got != step.want {
			t.Errorf("step %d: %q, want %q", i, got, step.want)
		}
	}
}

// Frames of messages without a stamp are asked for as the newest, and later as they were then.
func TestLiveReceive(t *testing.T) {
	var asked []int64
	known := false
	l := scene.NewLive(liveRobot(t), func(_, _ string, stamp int64) (geom.Pose, []premise.Premise, error) {
		asked = append(asked, stamp)
		if !known {
			return geom.Pose{}, nil, errors.New("not known")
		}
		return geom.IdentityPose(), nil, nil
	})
	l.Receive(5, false)
	l.Object(box("a", "camera", scene.OpAdd, 1))
	l.Receive(6, true)
	l.Object(box("b", "camera", scene.OpAdd, 1))
	stamped := box("c", "camera", scene.OpAdd, 1)
	stamped.Stamp = 7
	l.Object(stamped)
	l.Resolve()
	l.Lapse()
	known = true
	l.Resolve()
	if want := []int64{0, 6, 7, 5, 6, 7, scene.LongAgo, scene.LongAgo, 7}; !slices.Equal(asked, want) {
		t.Errorf("asked for %v, want %v", asked, want)
	}
	l.Lapse()
	if l.Unplaced() != 0 {
		t.Error("what is placed waits again")
	}
}

// Gaps and shapes do not pile up.
func TestLiveIsBounded(t *testing.T) {
	l := scene.NewLive(liveRobot(t), nil)
	l.Object(box("a", "map", scene.OpAdd, 1))
	moved := box("a", "map", scene.OpAdd, 1)
	moved.Operation = scene.OpMove
	for range 1000 {
		l.Object(moved)
		l.Object(box("x", "map", scene.OpMove, 1))
	}
	s := over(t, l, emptyWorld(t))
	if len(s.Gaps) > 2 || len(s.Warnings) > 10 {
		t.Errorf("%d gaps and %d warnings", len(s.Gaps), len(s.Warnings))
	}
	for i := range 250 {
		l.Object(box(fmt.Sprint("u", i), "nowhere", scene.OpAdd, 1))
	}
	s = over(t, l, emptyWorld(t))
	unplaced := 0
	for i := range s.Gaps {
		if s.Gaps[i].Kind == premise.Unplaced {
			unplaced++
		}
	}
	if last := s.Gaps[len(s.Gaps)-1]; unplaced != 101 || last.Entry() != "unplaced-object:others" || !strings.Contains(last.Detail, "150 more") {
		t.Errorf("%d gaps of objects without a place, the last %v", unplaced, last)
	}
	l.Scene(whole())
	for i := range 120 {
		m := whole()
		m.Diff, m.State.Diff = true, true
		for k := range 1000 {
			m.World.Objects = append(m.World.Objects, *box(fmt.Sprint(i, "-", k), "map", scene.OpAdd, 1))
		}
		l.Scene(m)
	}
	s = over(t, l, emptyWorld(t))
	if !slices.ContainsFunc(s.Gaps, func(g premise.Premise) bool { return g.Entry() == "scene-source:size" }) || len(s.Objects) > 100_000 {
		t.Errorf("%d objects, gaps %v", len(s.Objects), s.Gaps)
	}
}

// Messages bring fewer triangles than files may: the newest objects beyond are left out, and a gap says so.
func TestLiveTrianglesAreBounded(t *testing.T) {
	l := scene.NewLive(liveRobot(t), nil)
	l.Scene(whole())
	size := func(g premise.Premise) bool { return g.Entry() == "scene-source:size" }
	for i, beyond := range []bool{false, true} {
		m := &shape.TriangleMesh{Vertices: []geom.Vec{{}, {X: 1}, {Y: 1}}, Triangles: make([][3]int32, limit.LiveTriangles/2+1)}
		for k := range m.Triangles {
			m.Triangles[k] = [3]int32{0, 1, 2}
		}
		o := box(fmt.Sprint("mesh", i), "map", scene.OpAdd, 1)
		o.Shapes[0].Shape = &scene.Shape{Kind: shape.Mesh, Mesh: m}
		l.Object(o)
		s := over(t, l, emptyWorld(t))
		if slices.ContainsFunc(s.Gaps, size) != beyond || len(s.Objects) != 1 {
			t.Errorf("after %d meshes %d objects, gaps %v", i+1, len(s.Objects), s.Gaps)
		}
	}
}

// BenchmarkLive measures the change of one object among 200.
func BenchmarkLive(b *testing.B) {
	l := scene.NewLive(liveRobot(b), nil)
	m := whole()
	m.Allowed = &scene.AllowedMessage{From: scene.Named("m")}
	for i := range 100 {
		m.Allowed.Names = append(m.Allowed.Names, fmt.Sprint("link", i))
		m.Allowed.Rows = append(m.Allowed.Rows, make([]bool, 100))
	}
	for i := range 200 {
		m.World.Objects = append(m.World.Objects, *box(fmt.Sprint("o", i), "map", scene.OpAdd, float64(i)))
	}
	l.Scene(m)
	empty := emptyWorld(b)
	for i := 0; b.Loop(); i++ {
		l.Object(box(fmt.Sprint("o", i%200), "map", scene.OpMove, float64(i)))
		over(b, l, empty)
	}
}
