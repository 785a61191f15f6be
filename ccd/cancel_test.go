package ccd

import (
	"context"
	"errors"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Whoever loads a robot or a world may end that: what is loaded is an error then, never
// a checker of a part.
func TestLoadingIsCancelled(t *testing.T) {
	robot := chainOf(chainJoint{name: "turn", kind: urdf.Revolute, axis: geom.Vec{Z: 1}, origin: geom.IdentityPose(), shape: lMesh(), at: geom.IdentityPose()})
	world := worldOf(object("ball", ball(0.1), pose(3, 0, 0)))
	ctx, cancel := context.WithCancel(context.Background())
	shapes := 0
	opts := Options{Progress: func(int, int, string) {
		shapes++
		cancel()
	}}
	if c, err := NewContext(ctx, robot, world, opts); !errors.Is(err, context.Canceled) || c != nil {
		t.Errorf("ended in the middle: %v", err)
	}
	if shapes != 1 {
		t.Errorf("%d shapes were compiled, of which the first ended the loading", shapes)
	}
	c, err := NewContext(context.Background(), robot, nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.WithWorldContext(ctx, world); !errors.Is(err, context.Canceled) {
		t.Errorf("a world after the end: %v", err)
	}
	if _, err := c.WithWorldContext(context.Background(), world); err != nil {
		t.Error(err)
	}
}
