//go:build cyclone

package node

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// A cloud of 640 x 480 points, 3.7 MB, comes through DDS as sensors send it: best effort.
func TestLargeCloudOverDDS(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	g := overDDS()
	r := g.newRobot(t, railArgs(t, "-p", "points.topics:=[points]", "-p", "points.timeout:=5.0", "-p", "points.voxel:=0.05")...)
	r.rest()
	var points []geom.Vec
	for i := range 640 * 480 {
		points = append(points, geom.Vec{X: 0.52, Y: 0.5 + float64(i%640)/640, Z: float64(i/640) / 480})
	}
	points = append(points, geom.Vec{X: 0.52})
	pub, err := ros.Advertise[sensormsgs.PointCloud2](r.node, "points", ros.SensorQoS)
	if err != nil {
		t.Fatal(err)
	}
	if err := pub.WaitSubscribers(r.soon(), 1); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	go func() {
		for ctx.Err() == nil {
			_ = pub.Publish(cloudOf("rail", points...))
			time.Sleep(200 * time.Millisecond)
		}
	}()
	free, _ := r.states.wait(0, "FREE with the cloud", func(s *fcmsgs.CollisionState) bool { return s.Level == fcmsgs.CollisionStateFree })
	if math.Abs(free.DistanceLower-0.35) > 0.005 {
		t.Errorf("%g m to the cloud, want 0.35", free.DistanceLower)
	}
}
