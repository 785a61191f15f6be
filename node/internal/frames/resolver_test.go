package frames

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/premise"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// An arm that turns about z on a base; its camera is fixed 1 m along the arm.
const arm = `<robot name="arm">
<link name="base"/><link name="plate"/><link name="arm"/><link name="camera"/>
<joint name="bolt" type="fixed"><parent link="base"/><child link="plate"/><origin xyz="0 0 0.5"/></joint>
<joint name="shoulder" type="revolute"><parent link="plate"/><child link="arm"/><axis xyz="0 0 1"/><limit lower="-3" upper="3" velocity="1" effort="1"/></joint>
<joint name="mount" type="fixed"><parent link="arm"/><child link="camera"/><origin xyz="1 0 0"/></joint>
</robot>`

const armSemantic = `<robot name="arm"><virtual_joint name="world_joint" type="fixed" parent_frame="hall" child_link="base"/></robot>`

// resolver returns a resolver of the arm, whose shoulder turns by a right angle in 100 ms.
func resolver(t *testing.T, b *Buffer) *Resolver {
	t.Helper()
	model, err := urdf.Parse([]byte(arm), urdf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if model, err = urdf.ParseSRDF(model, []byte(armSemantic)); err != nil {
		t.Fatal(err)
	}
	poses := func(at time.Time) (map[string]geom.Pose, time.Time, error) {
		if at.IsZero() {
			at = after(100)
		}
		share := at.Sub(begin).Seconds() / 0.1
		if share < 0 || share > 1 {
			return nil, at, errors.New("nothing was measured at that stamp")
		}
		turned := geom.Pose{R: geom.AxisAngle(geom.Vec{Z: 1}, share*math.Pi/2), P: geom.Vec{Z: 0.5}}
		return map[string]geom.Pose{
			"base": geom.IdentityPose(), "plate": geom.Translation(geom.Vec{Z: 0.5}),
			"arm": turned, "camera": turned.Mul(geom.Translation(geom.Vec{X: 1})),
		}, at, nil
	}
	return &Resolver{Buffer: b, Robot: Robot{Model: model, Poses: poses}}
}

// The robot's links are where its joints say, whatever tf says.
func TestResolveLinks(t *testing.T) {
	b := New(Options{})
	say(t, b, one, false, tf("arm", "camera", after(0), 9, 9, 9, 0), tf("arm", "camera", after(100), 9, 9, 9, 0))
	r := resolver(t, b)
	for _, tt := range []struct {
		frame string
		at    time.Time
		p     geom.Vec
		yaw   float64
		fixed bool
	}{
		{"", after(0), geom.Vec{}, 0, true},
		{"/base", time.Time{}, geom.Vec{}, 0, true},
		{"hall", after(0), geom.Vec{}, 0, true},
		{"plate", after(777), geom.Vec{Z: 0.5}, 0, true}, // whatever the joints do
		{"camera", after(0), geom.Vec{X: 1, Z: 0.5}, 0, false},
		{"camera", after(100), geom.Vec{Y: 1, Z: 0.5}, math.Pi / 2, false},
		{"camera", time.Time{}, geom.Vec{Y: 1, Z: 0.5}, math.Pi / 2, false},
	} {
		p, err := r.Resolve(tt.frame, tt.at)
		if err != nil {
			t.Fatal(err)
		}
		near(t, p.Pose, tt.p, tt.yaw)
		if p.Fixed != tt.fixed || p.Joints == tt.fixed || p.Moving != nil || p.Premises("box", tt.frame) != nil {
			t.Errorf("%s: %+v", tt.frame, p)
		}
	}
	if _, err := r.Resolve("camera", after(200)); err == nil || !strings.Contains(err.Error(), "camera moves with the robot's joints: nothing was measured") {
		t.Error(err)
	}
	r.Robot.Poses = nil
	if _, err := r.Resolve("camera", after(0)); err == nil {
		t.Error("a link is placed without joints")
	}
	if p, err := r.In("arm", "camera", after(0)); err != nil || !p.Fixed || p.Pose.P != (geom.Vec{X: 1}) {
		t.Errorf("%+v, %v", p, err)
	}
	if p, err := r.In("camera", "arm", after(0)); err != nil || !p.Fixed || p.Pose.P != (geom.Vec{X: -1}) {
		t.Errorf("%+v, %v", p, err)
	}
	if _, err := r.In("hand", "arm", after(0)); err == nil {
		t.Error("a link is there that is not")
	}
}

// Other frames hang on the nearest link above them, at the stamp.
func TestResolveFramesOfTF(t *testing.T) {
	b := New(Options{})
	say(t, b, one, true, tf("camera", "optical", time.Time{}, 0, 0, 0.1, 0), tf("base", "table", time.Time{}, 2, 0, 0, 0))
	say(t, b, one, true, tf("map", "dock", time.Time{}, 4, 0, 0, 0))
	say(t, b, two, false, tf("optical", "tag", after(0), 1, 0, 0, 0), tf("optical", "tag", after(100), 1, 0, 0, 0))
	say(t, b, two, false, tf("map", "base", after(0), 0, 0, 0, 0), tf("map", "base", after(100), 2, 0, 0, 0))
	r := resolver(t, b)
	for _, tt := range []struct {
		frame  string
		at     time.Time
		p      geom.Vec
		yaw    float64
		fixed  bool
		joints bool
		moving string
	}{
		{"table", after(5000), geom.Vec{X: 2}, 0, true, false, ""},
		{"optical", after(0), geom.Vec{X: 1, Z: 0.6}, 0, false, true, ""},
		{"tag", after(0), geom.Vec{X: 2, Z: 0.6}, 0, false, true, "tag"},
		{"tag", after(100), geom.Vec{Y: 2, Z: 0.6}, math.Pi / 2, false, true, "tag"},
		{"dock", after(50), geom.Vec{X: 3}, 0, false, false, "base"}, // the base has moved by 1 m
		{"dock", time.Time{}, geom.Vec{X: 2}, 0, false, false, "base"},
		{"map", after(100), geom.Vec{X: -2}, 0, false, false, "base"},
	} {
		p, err := r.Resolve(tt.frame, tt.at)
		if err != nil {
			t.Fatalf("%s: %v", tt.frame, err)
		}
		near(t, p.Pose, tt.p, tt.yaw)
		gaps := p.Premises("box", tt.frame)
		if p.Fixed != tt.fixed || p.Joints != tt.joints || strings.Join(p.Moving, " ") != tt.moving || (len(gaps) == 1) != (tt.moving != "") {
			t.Errorf("%s: %+v, %v", tt.frame, p, gaps)
		}
		if len(gaps) == 1 && (!gaps[0].Open() || gaps[0].Kind != premise.MovingFrame || !strings.Contains(gaps[0].Why(), "tf_static")) {
			t.Errorf("%s: %s", tt.frame, gaps[0].Why())
		}
	}
	_, err := r.Resolve("tabel", after(0))
	kind(t, err, Unknown, "table")
	_, err = r.Resolve("dock", after(150))
	kind(t, err, Future, "50ms")
	// In another link than the root: the dock in the camera, which has turned by 45 degrees.
	p, err := r.In("camera", "dock", after(50))
	if err != nil {
		t.Fatal(err)
	}
	near(t, p.Pose, geom.Vec{X: 3/math.Sqrt2 - 1, Y: -3 / math.Sqrt2, Z: -0.5}, -math.Pi/4)
}
