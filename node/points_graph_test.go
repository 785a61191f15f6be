package node

import (
	"context"
	"encoding/binary"
	"math"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/geometrymsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/stdmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/tf2msgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

func TestPointClouds(t *testing.T) {
	t.Parallel()
	testPointClouds(t, inMemory())
}

// A time that stands still makes no cloud fresh: a question that rests on no measured joint is not FREE
// by the last cloud before it.
func TestCloudsOfATimeThatStandsStill(t *testing.T) {
	r := inMemory().newRobot(t, railArgs(t, "-p", "clock:=message", "-p", "points.topics:=[camera/points]", "-p", "points.timeout:=1.0")...)
	began := time.Now()
	stamp := func() builtininterfaces.Time { return simStamp(time.Minute + time.Since(began)) }
	r.play(func() *sensormsgs.JointState {
		m := carts2(0, 0)
		m.Header.Stamp = stamp()
		return m
	})
	ask := func() fcmsgs.Verdict {
		way := path(bothCarts, []float64{0, 0, 0}, []float64{1, 0, 0.1})
		return call[fcmsgs.CheckTrajectoryRequest, fcmsgs.CheckTrajectoryResponse](r, "check_trajectory", &fcmsgs.CheckTrajectoryRequest{
			Trajectory: *way, StartJointNames: way.JointNames, StartPositions: way.Points[0].Positions,
		}).Verdict
	}
	until := func(what string, ok func(*fcmsgs.Verdict) bool, meanwhile func()) {
		t.Helper()
		end := time.Now().Add(patience)
		for v := ask(); !ok(&v); v = ask() {
			if time.Now().After(end) {
				t.Fatalf("no verdict %s: the last is %d: %s", what, v.Status, v.Message)
			}
			meanwhile()
			time.Sleep(10 * time.Millisecond)
		}
	}
	pub := advertise[sensormsgs.PointCloud2](r, "camera/points")
	until("FREE with a cloud", func(v *fcmsgs.Verdict) bool { return v.Status == fcmsgs.VerdictFree }, func() {
		m := cloudOf("rail", geom.Vec{X: 5})
		m.Header.Stamp = stamp()
		r.publish(pub.Publish(m))
	})
	r.hush()
	until("UNDECIDED for want of a cloud", func(v *fcmsgs.Verdict) bool {
		return v.Status == fcmsgs.VerdictUndecided && strings.Contains(v.Message, "missing-points")
	}, func() {})
}

// cloudOf returns points of a frame, seen now.
func cloudOf(frame string, points ...geom.Vec) *sensormsgs.PointCloud2 {
	m := &sensormsgs.PointCloud2{
		Header: stdmsgs.Header{Stamp: builtininterfaces.TimeOf(time.Now()), FrameID: frame},
		Height: 1, Width: uint32(len(points)), PointStep: 12, RowStep: uint32(12 * len(points)),
	}
	for i, name := range []string{"x", "y", "z"} {
		m.Fields = append(m.Fields, sensormsgs.PointField{Name: name, Offset: uint32(4 * i), Datatype: sensormsgs.PointFieldFloat32, Count: 1})
	}
	for _, p := range points {
		for _, v := range []float64{p.X, p.Y, p.Z} {
			m.Data = binary.LittleEndian.AppendUint32(m.Data, math.Float32bits(float32(v)))
		}
	}
	return m
}

// testPointClouds plays a camera above the carts: it sees both carts, and between them a thing
// that becomes the box from x = 0.5 to 0.55.
func testPointClouds(t *testing.T, g *graph) {
	r := g.newRobot(t, railArgs(t, "-p", "points.topics:=[camera/points]", "-p", "points.voxel:=0.05", "-p", "points.timeout:=1.0", "-p", "points.rate:=20.0")...)
	topic := r.namespace + "/camera/points"
	left := atomic.Int64{} // mm
	r.play(func() *sensormsgs.JointState { return carts2(float64(left.Load())/1000, 0) })
	_, next := r.states.wait(0, "UNKNOWN for want of points", func(s *fcmsgs.CollisionState) bool {
		return s.Level == fcmsgs.CollisionStateUnknown && strings.Contains(s.Reason, "no point cloud has come on "+topic) && strings.Contains(s.Reason, "missing-points:"+topic)
	})

	tf, err := ros.Advertise[tf2msgs.TFMessage](r.node, "/tf_static", ros.LatchedQoS)
	if err != nil {
		t.Fatal(err)
	}
	mount := geometrymsgs.TransformStamped{
		Header: stdmsgs.Header{FrameID: "rail"}, ChildFrameID: r.namespace[1:] + "_camera",
		Transform: geometrymsgs.Transform{Translation: geometrymsgs.Vector3{X: 0.5, Z: 1}, Rotation: geometrymsgs.Quaternion{X: 1}}, // looks down
	}
	if err := tf.Publish(&tf2msgs.TFMessage{Transforms: []geometrymsgs.TransformStamped{mount}}); err != nil {
		t.Fatal(err)
	}
	pub := advertise[sensormsgs.PointCloud2](r, "camera/points")
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	go func() { // y and z of the camera are the other way round
		for ctx.Err() == nil {
			x := float64(left.Load()) / 1000
			_ = pub.Publish(cloudOf(mount.ChildFrameID,
				geom.Vec{X: x - 0.5, Z: 0.9}, geom.Vec{X: x - 0.4, Y: 0.05, Z: 1}, geom.Vec{X: 0.4, Y: -0.05, Z: 1}, geom.Vec{X: 0.5, Z: 0.9}, // the carts
				geom.Vec{X: 0.02, Y: -0.03, Z: 1.02}, // the thing
				geom.Vec{X: math.NaN()}, geom.Vec{Z: 100}))
			time.Sleep(50 * time.Millisecond)
		}
	}()
	free, next := r.states.wait(next, "FREE with the thing", func(s *fcmsgs.CollisionState) bool { return s.Level == fcmsgs.CollisionStateFree })
	if math.Abs(free.DistanceLower-0.35) > 0.005 || free.Pair.A.Name != topic && free.Pair.B.Name != topic {
		t.Errorf("%g m between %s and %s, want 0.35 to %s", free.DistanceLower, free.Pair.A.Name, free.Pair.B.Name, topic)
	}
	left.Store(450)
	_, next = r.states.wait(next, "COLLISION with the thing", func(s *fcmsgs.CollisionState) bool {
		return s.Level == fcmsgs.CollisionStateCollision && (s.Pair.A.Name == topic || s.Pair.B.Name == topic)
	})
	left.Store(0)
	_, next = r.states.wait(next, "FREE again", func(s *fcmsgs.CollisionState) bool { return s.Level == fcmsgs.CollisionStateFree })
	other, err := ros.Advertise[sensormsgs.PointCloud2](r.node, "camera/points", ros.QoS{})
	if err != nil {
		t.Fatal(err)
	}
	_, next = r.states.wait(next, "UNKNOWN with two cameras on one topic", func(s *fcmsgs.CollisionState) bool {
		return s.Level == fcmsgs.CollisionStateUnknown && strings.Contains(s.Reason, "has 2 publishers")
	})
	other.Close()
	_, next = r.states.wait(next, "FREE with one", func(s *fcmsgs.CollisionState) bool { return s.Level == fcmsgs.CollisionStateFree })
	stop()
	r.states.wait(next, "UNKNOWN when the camera is silent", func(s *fcmsgs.CollisionState) bool {
		return s.Level == fcmsgs.CollisionStateUnknown && strings.Contains(s.Reason, "younger than 1s")
	})
}
