package frames

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/geometrymsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/stdmsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

var begin = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

// after returns the moment so many milliseconds after begin.
func after(ms int) time.Time { return begin.Add(time.Duration(ms) * time.Millisecond) }

var one, two = ros.GUID{1}, ros.GUID{2}

// tf returns a transform that moves by x y z and turns by yaw about z.
func tf(parent, child string, at time.Time, x, y, z, yaw float64) geometrymsgs.TransformStamped {
	return geometrymsgs.TransformStamped{
		Header:       stdmsgs.Header{Stamp: builtininterfaces.TimeOf(at), FrameID: parent},
		ChildFrameID: child,
		Transform: geometrymsgs.Transform{
			Translation: geometrymsgs.Vector3{X: x, Y: y, Z: z},
			Rotation:    geometrymsgs.Quaternion{Z: math.Sin(yaw / 2), W: math.Cos(yaw / 2)},
		},
	}
}

// say adds transforms of a publisher, and fails on any fault.
func say(t *testing.T, b *Buffer, from ros.GUID, static bool, list ...geometrymsgs.TransformStamped) {
	t.Helper()
	for _, err := range b.Add(Message{Transforms: list, Static: static, From: from, Now: begin}) {
		t.Fatal(err)
	}
}

func near(t *testing.T, got geom.Pose, p geom.Vec, yaw float64) {
	t.Helper()
	want := geom.AxisAngle(geom.Vec{Z: 1}, yaw)
	x, y := got.R.Apply(geom.Vec{X: 1}), want.Apply(geom.Vec{X: 1})
	if r3.Norm(r3.Sub(got.P, p)) > 1e-12 || r3.Norm(r3.Sub(x, y)) > 1e-12 {
		t.Errorf("at %v, x axis along %v; want %v, %v", got.P, x, p, y)
	}
}

// kind fails unless the error is of that kind, and says all of the words.
func kind(t *testing.T, err error, want Kind, words ...string) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) || e.Kind != want {
		t.Fatalf("%v, want kind %d", err, want)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%q lacks %q", err, w)
		}
	}
}

// A frame is halfway between two samples at half the time: from (0, 0, 0) and yaw 0 to
// (1, 2, 0) and yaw 90 degrees; after a quarter at (0.25, 0.5, 0) and 22.5 degrees.
func TestInterpolation(t *testing.T) {
	b := New(Options{})
	say(t, b, one, false, tf("map", "base", after(0), 0, 0, 0, 0), tf("map", "base", after(200), 1, 2, 0, math.Pi/2))
	for _, tt := range []struct {
		ms        int
		x, y, yaw float64
	}{{0, 0, 0, 0}, {50, 0.25, 0.5, math.Pi / 8}, {100, 0.5, 1, math.Pi / 4}, {200, 1, 2, math.Pi / 2}} {
		got, err := b.Lookup("map", "base", after(tt.ms))
		if err != nil {
			t.Fatal(err)
		}
		near(t, got.Pose, geom.Vec{X: tt.x, Y: tt.y}, tt.yaw)
		wantGap := 200 * time.Millisecond
		if tt.ms == 0 || tt.ms == 200 {
			wantGap = 0
		}
		if got.Static || got.Gap != wantGap || !got.Stamp.Equal(after(tt.ms)) || len(got.Moving) != 1 {
			t.Errorf("%d ms: %+v", tt.ms, got)
		}
	}
}

// A quaternion and its negative are one rotation: from yaw 170 to yaw -170 degrees the short
// way leads through 180, and not through 0.
func TestInterpolationTakesTheShortWay(t *testing.T) {
	deg := math.Pi / 180
	for _, sign := range []float64{1, -1} {
		b := New(Options{})
		to := tf("map", "base", after(100), 0, 0, 0, -170*deg)
		to.Transform.Rotation.Z *= sign
		to.Transform.Rotation.W *= sign
		say(t, b, one, false, tf("map", "base", after(0), 0, 0, 0, 170*deg), to)
		got, err := b.Lookup("map", "base", after(25))
		if err != nil {
			t.Fatal(err)
		}
		near(t, got.Pose, geom.Vec{}, 175*deg)
	}
}

// map -> odom -> base and map -> shelf: the shelf stands at (5, 1) in the map, the base at
// (2, 1) and turned left by 90 degrees, so that the shelf is 3 m to its right: (0, -3).
func TestChainsThroughACommonFrame(t *testing.T) {
	b := New(Options{})
	say(t, b, one, true, tf("/map", "/shelf", time.Time{}, 5, 1, 0, 0))
	say(t, b, two, false, tf("map", "odom", after(0), 1, 0, 0, 0), tf("odom", "base", after(0), 1, 1, 0, math.Pi/2))
	got, err := b.Lookup("base", "/shelf", after(0))
	if err != nil {
		t.Fatal(err)
	}
	near(t, got.Pose, geom.Vec{Y: -3}, -math.Pi/2)
	back, err := b.Lookup("shelf", "base", after(0))
	if err != nil {
		t.Fatal(err)
	}
	near(t, back.Pose, geom.Vec{X: -3}, math.Pi/2)
	if same, err := b.Lookup("shelf", "shelf", after(0)); err != nil || !same.Static || same.Pose != geom.IdentityPose() {
		t.Errorf("%+v, %v", same, err)
	}
	if up, err := b.Lookup("map", "shelf", after(5e6)); err != nil || !up.Static || !up.Stamp.IsZero() {
		t.Errorf("a static way depends on the stamp: %+v, %v", up, err)
	}
}

func TestNothingIsExtrapolated(t *testing.T) {
	b := New(Options{})
	say(t, b, one, false, tf("map", "base", after(0), 0, 0, 0, 0), tf("map", "base", after(100), 0, 0, 0, 0))
	_, err := b.Lookup("map", "base", after(130))
	kind(t, err, Future, "base", "30ms later")
	_, err = b.Lookup("map", "base", after(-20))
	kind(t, err, Past, "base", "20ms earlier")
	_, err = b.Lookup("map", "base", time.Time{})
	kind(t, err, Past)
	say(t, b, one, false, tf("map", "base", after(1101), 0, 0, 0, 0))
	_, err = b.Lookup("map", "base", after(600))
	kind(t, err, Gap, "1.001s apart")
}

func TestUnknownAndDisconnectedFrames(t *testing.T) {
	b := New(Options{})
	say(t, b, one, true, tf("map", "camera_link", begin, 0, 0, 0, 0), tf("base", "tool", begin, 0, 0, 0, 0))
	_, err := b.Lookup("map", "camera_lin", begin)
	kind(t, err, Unknown, "camera_lin", "did you mean \"camera_link\"")
	_, err = b.Lookup("world", "tool", begin)
	kind(t, err, Unknown, "world")
	_, err = b.Lookup("map", "tool", begin)
	kind(t, err, Disconnected, "below base", "map")
}

func TestLoops(t *testing.T) {
	b := New(Options{})
	say(t, b, one, true, tf("a", "b", begin, 1, 0, 0, 0), tf("b", "c", begin, 1, 0, 0, 0), tf("c", "a", begin, 1, 0, 0, 0), tf("map", "base", begin, 0, 0, 0, 0))
	_, err := b.Lookup("base", "a", begin)
	kind(t, err, Loop, "a in c in b in a")
	for _, way := range [][2]string{{"a", "b"}, {"b", "a"}} { // two ways lead from one to the other
		_, err = b.Lookup(way[0], way[1], begin)
		kind(t, err, Loop)
	}
}

// No publisher's samples are joined with another's, and none is believed over another.
func TestPublishersThatContradictEachOther(t *testing.T) {
	pose := func(x float64, ms ...int) (list []geometrymsgs.TransformStamped) {
		for _, m := range ms {
			list = append(list, tf("map", "base", after(m), x, 0, 0, 0))
		}
		return list
	}
	for _, tt := range []struct {
		name string
		said func(b *Buffer)
		want Kind
		word string
	}{
		{"elsewhere", func(b *Buffer) {
			say(t, b, one, false, pose(0, 0, 100)...)
			say(t, b, two, false, pose(0.01, 20, 120)...)
		}, Contradiction, "0.01 m"},
		{"two parents", func(b *Buffer) {
			say(t, b, one, false, pose(0, 0, 100)...)
			say(t, b, two, false, tf("odom", "base", after(0), 0, 0, 0, 0), tf("odom", "base", after(100), 0, 0, 0, 0))
		}, Contradiction, "its parent is map, the other odom"},
		{"two parents, static", func(b *Buffer) {
			say(t, b, one, true, pose(0, 0)...)
			say(t, b, two, true, tf("odom", "base", after(0), 0, 0, 0, 0))
		}, Contradiction, "odom"},
		{"two static ones", func(b *Buffer) {
			say(t, b, one, true, pose(0, 0)...)
			say(t, b, two, true, pose(1, 0)...)
		}, Contradiction, "1 m"},
		{"static and not", func(b *Buffer) {
			say(t, b, one, true, pose(0, 0)...)
			say(t, b, two, false, pose(0, 0, 100)...)
		}, Contradiction, "tf_static"},
		{"static, and not later", func(b *Buffer) {
			say(t, b, one, true, pose(0, 0)...)
			say(t, b, two, false, pose(0, 300)...)
		}, Contradiction, "tf_static"},
		{"the other has not spoken yet", func(b *Buffer) {
			say(t, b, one, false, pose(0, 0, 100)...)
			say(t, b, two, false, pose(0, 0, 40)...)
		}, Future, "10ms later"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := New(Options{})
			tt.said(b)
			_, err := b.Lookup("map", "base", after(50))
			kind(t, err, tt.want, tt.word)
		})
	}
	b := New(Options{})
	say(t, b, one, false, pose(0.5, 0, 100)...)
	say(t, b, two, false, pose(0.5, 20, 120)...)
	if got, err := b.Lookup("map", "base", after(50)); err != nil || got.Pose.P.X != 0.5 {
		t.Errorf("publishers that agree: %+v, %v", got, err)
	}
}

// A publisher follows another that has ended: each answers for its own time.
func TestHandover(t *testing.T) {
	b := New(Options{})
	for ms := 0; ms <= 1000; ms += 100 {
		say(t, b, one, false, tf("map", "base", after(ms), 0, 0, 0, 0))
	}
	for ms := 1500; ms <= 3000; ms += 100 {
		say(t, b, two, false, tf("map", "base", after(ms), 1, 0, 0, 0))
	}
	for ms, want := range map[int]float64{950: 0, 2150: 1} {
		if got, err := b.Lookup("map", "base", after(ms)); err != nil || got.Pose.P.X != want {
			t.Errorf("%d ms: %+v, %v", ms, got, err)
		}
	}
	_, err := b.Lookup("map", "base", after(1250)) // neither knows
	kind(t, err, Future)
	_, err = b.Lookup("map", "base", after(1750)) // the first might have gone on
	kind(t, err, Future)
}

func TestAChangeOfParentIsNotInterpolated(t *testing.T) {
	b := New(Options{})
	say(t, b, one, false, tf("table", "cup", after(0), 0, 0, 0, 0), tf("hand", "cup", after(100), 0, 0, 0, 0))
	say(t, b, two, true, tf("map", "table", begin, 0, 0, 0, 0), tf("map", "hand", begin, 9, 0, 0, 0))
	_, err := b.Lookup("map", "cup", after(50))
	kind(t, err, Contradiction, "from table to hand")
	for ms, x := range map[int]float64{0: 0, 100: 9} {
		if got, err := b.Lookup("map", "cup", after(ms)); err != nil || got.Pose.P.X != x {
			t.Errorf("%d ms: %+v, %v", ms, got, err)
		}
	}
}

func TestStampsThatGoBack(t *testing.T) {
	b := New(Options{})
	say(t, b, one, false, tf("map", "base", after(0), 0, 0, 0, 0), tf("map", "base", after(500), 1, 0, 0, 0))
	faults := b.Add(Message{Transforms: []geometrymsgs.TransformStamped{tf("map", "base", after(200), 7, 0, 0, 0)}, From: one, Now: begin})
	if len(faults) != 1 || !strings.Contains(faults[0].Error(), "went back by 300ms") {
		t.Fatal(faults)
	}
	_, err := b.Lookup("map", "base", after(100)) // (0.2, 0, 0) before the jump, (7, 0, 0) now
	kind(t, err, Past)
	if got, err := b.Latest("map", "base"); err != nil || got.Pose.P.X != 7 {
		t.Errorf("%+v, %v", got, err)
	}
}

// A publisher that says two things of one moment is not believed until it says another.
func TestTwoTransformsOfOneStamp(t *testing.T) {
	b := New(Options{})
	say(t, b, one, false, tf("map", "base", after(0), 0, 0, 0, 0), tf("map", "base", after(0), 0, 0, 0, 0))
	faults := b.Add(Message{Transforms: []geometrymsgs.TransformStamped{tf("map", "base", after(0), 1, 0, 0, 0)}, From: one, Now: begin})
	if len(faults) != 1 || !strings.Contains(faults[0].Error(), "two transforms of one stamp") {
		t.Fatal(faults)
	}
	for _, x := range []float64{0, 1} {
		b.Add(Message{Transforms: []geometrymsgs.TransformStamped{tf("map", "base", after(0), x, 0, 0, 0)}, From: one, Now: begin})
		if _, err := b.Lookup("map", "base", after(0)); err == nil {
			t.Errorf("it is believed after %g", x)
		}
	}
	say(t, b, one, false, tf("map", "base", after(10), 2, 0, 0, 0))
	if _, err := b.Lookup("map", "base", after(10)); err != nil {
		t.Error(err)
	}
}

func TestWhatIsNoTransform(t *testing.T) {
	ok := tf("map", "base", begin, 0, 0, 0, 0)
	edit := func(change func(*geometrymsgs.TransformStamped)) geometrymsgs.TransformStamped {
		m := ok
		change(&m)
		return m
	}
	for _, tt := range []struct {
		name string
		m    geometrymsgs.TransformStamped
		want string
	}{
		{"no child", edit(func(m *geometrymsgs.TransformStamped) { m.ChildFrameID = "" }), "no name"},
		{"no parent", edit(func(m *geometrymsgs.TransformStamped) { m.Header.FrameID = "/" }), "no name"},
		{"in itself", edit(func(m *geometrymsgs.TransformStamped) { m.Header.FrameID = "/base" }), "in itself"},
		{"no rotation", edit(func(m *geometrymsgs.TransformStamped) { m.Transform.Rotation.W = 0 }), "length 0"},
		{"twice a rotation", edit(func(m *geometrymsgs.TransformStamped) { m.Transform.Rotation.W = 2 }), "normalize it"},
		{"just too long", edit(func(m *geometrymsgs.TransformStamped) { m.Transform.Rotation.W = 1.00501 }), "normalize it"},
		{"NaN turned", edit(func(m *geometrymsgs.TransformStamped) { m.Transform.Rotation.X = math.NaN() }), "normalize it"},
		{"NaN moved", edit(func(m *geometrymsgs.TransformStamped) { m.Transform.Translation.Y = math.NaN() }), "metres"},
		{"infinitely far", edit(func(m *geometrymsgs.TransformStamped) { m.Transform.Translation.Y = math.Inf(1) }), "metres"},
		{"too far", edit(func(m *geometrymsgs.TransformStamped) { m.Transform.Translation.Z = 2e6 }), "metres"},
		{"long ago", edit(func(m *geometrymsgs.TransformStamped) { m.Header.Stamp = builtininterfaces.TimeOf(after(-10001)) }), "10.001s ago"},
		{"far ahead", edit(func(m *geometrymsgs.TransformStamped) { m.Header.Stamp = builtininterfaces.TimeOf(after(11000)) }), "11s ahead"},
	} {
		b := New(Options{})
		faults := b.Add(Message{Transforms: []geometrymsgs.TransformStamped{tt.m}, From: one, Now: begin})
		if len(faults) != 1 || !strings.Contains(faults[0].Error(), tt.want) || b.samples != 0 {
			t.Errorf("%s: %v, %d samples", tt.name, faults, b.samples)
		}
	}
	b := New(Options{})
	say(t, b, one, false, edit(func(m *geometrymsgs.TransformStamped) { m.Transform.Rotation.W = 1.004 }))
	got, err := b.Lookup("map", "base", begin)
	if err != nil {
		t.Fatal(err)
	}
	near(t, got.Pose, geom.Vec{}, 0)
}

func TestStaticTransformsThatChange(t *testing.T) {
	b := New(Options{})
	say(t, b, one, true, tf("map", "shelf", begin, 1, 0, 0, 0))
	before := b.Changes()
	say(t, b, one, true, tf("map", "shelf", after(5000), 1, 0, 0, 0))
	if b.Changes() != before {
		t.Error("a transform that is said again counts as a change")
	}
	faults := b.Add(Message{Transforms: []geometrymsgs.TransformStamped{tf("map", "shelf", begin, 2, 0, 0, 0)}, Static: true, From: one, Now: begin})
	if got, err := b.Lookup("map", "shelf", begin); err != nil || got.Pose.P.X != 2 || b.Changes() == before || len(faults) != 1 {
		t.Errorf("%+v, %v, %v", got, err, faults)
	}
	// Started again, its publisher has another GUID and says something else.
	say(t, b, two, true, tf("map", "shelf", begin, 3, 0, 0, 0))
	_, err := b.Lookup("map", "shelf", begin)
	kind(t, err, Contradiction)
	b.Lost(one)
	if got, err := b.Lookup("map", "shelf", begin); err != nil || got.Pose.P.X != 3 {
		t.Errorf("%+v, %v", got, err)
	}
	b.Lost(two) // nobody else speaks of it
	if got, err := b.Lookup("map", "shelf", begin); err != nil || got.Pose.P.X != 3 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestClear(t *testing.T) {
	b := New(Options{})
	say(t, b, one, true, tf("map", "shelf", begin, 1, 0, 0, 0))
	say(t, b, one, false, tf("map", "base", begin, 1, 0, 0, 0))
	b.Clear()
	if _, err := b.Lookup("map", "shelf", begin); err != nil {
		t.Error(err)
	}
	_, err := b.Lookup("map", "base", begin)
	kind(t, err, Unknown)
	if b.samples != 1 {
		t.Errorf("%d samples are counted", b.samples)
	}
}

// The latest moment of a chain is that of the frame that was heard of longest ago.
func TestLatest(t *testing.T) {
	b := New(Options{})
	say(t, b, one, false, tf("map", "odom", after(0), 0, 0, 0, 0), tf("map", "odom", after(100), 1, 0, 0, 0))
	say(t, b, two, false, tf("odom", "base", after(0), 0, 0, 0, 0), tf("odom", "base", after(50), 0, 4, 0, 0), tf("odom", "base", after(150), 0, 8, 0, 0))
	got, err := b.Latest("map", "base")
	if err != nil || !got.Stamp.Equal(after(100)) {
		t.Fatalf("%+v, %v", got, err)
	}
	near(t, got.Pose, geom.Vec{X: 1, Y: 6}, 0)
	_, err = b.Latest("map", "tool")
	kind(t, err, Unknown)
}

func TestMemoryIsBounded(t *testing.T) {
	b := New(Options{})
	now := begin
	for i := range 30_000 { // 30 s at 1 kHz: ten seconds of them stay
		now = begin.Add(time.Duration(i) * time.Millisecond)
		for _, err := range b.Add(Message{Transforms: []geometrymsgs.TransformStamped{tf("map", "base", now, 0, 0, 0, 0)}, From: one, Now: now}) {
			t.Fatal(err)
		}
	}
	if b.samples < 10_000 || b.samples > 15_000 || len(b.frames["base"].tracks[0].samples) != b.samples {
		t.Errorf("%d samples are kept", b.samples)
	}
	if _, err := b.Lookup("map", "base", now.Add(-9*time.Second)); err != nil {
		t.Error(err)
	}
	refused := 0
	for i := range 2 * limit.Frames {
		refused += len(b.Add(Message{Transforms: []geometrymsgs.TransformStamped{tf("map", fmt.Sprint("f", i), now, 0, 0, 0, 0)}, From: two, Now: now}))
	}
	if len(b.frames) != limit.Frames || refused != limit.Frames+1 {
		t.Errorf("%d frames, %d refused", len(b.frames), refused)
	}
	later := now.Add(11 * time.Second) // those that are not heard of any more make room
	if faults := b.Add(Message{Transforms: []geometrymsgs.TransformStamped{tf("map", "new", later, 0, 0, 0, 0)}, From: two, Now: later}); faults != nil || len(b.frames) != 1 || b.samples != 1 {
		t.Errorf("%v; %d frames, %d samples", faults, len(b.frames), b.samples)
	}
	for i := range 2 * limit.FramePublishers {
		b.Add(Message{Transforms: []geometrymsgs.TransformStamped{tf("map", "new", later, 0, 0, 0, 0)}, From: ros.GUID{3, byte(i)}, Now: later})
	}
	if n := len(b.frames["new"].tracks); n != limit.FramePublishers {
		t.Errorf("%d publishers of one frame", n)
	}
}
