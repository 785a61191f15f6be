package jointstates

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/node/internal/frames"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Halfway between two configurations each joint is halfway; a continuous joint goes the short
// way: from 3 to -3 rad through pi.
func TestPast(t *testing.T) {
	robot := robots.Of(nil, robots.Hinge{Axis: geom.Vec{Z: 1}}, robots.Hinge{Axis: geom.Vec{Z: 1}, Kind: urdf.Continuous})
	names := []string{robot.Joints[0].Name, robot.Joints[1].Name}
	at := func(ms int) time.Time { return time.Unix(1000, int64(ms)*1e6) }
	var p Past
	p.Begin(names, 100*time.Millisecond)
	fails := func(ms int, kind frames.Kind) {
		t.Helper()
		var e *frames.Error
		if _, _, err := p.At(at(ms), robot); !errors.As(err, &e) || e.Kind != kind {
			t.Errorf("%d ms: %v", ms, err)
		}
	}
	add := func(ms int, positions ...float64) {
		var joints []Measurement
		for _, x := range positions {
			joints = append(joints, Measurement{Stamp: at(ms), Position: x})
		}
		p.measured(joints)
	}
	fails(0, frames.Unmeasured)
	add(0, 3, 3)
	add(100, -3, -3)
	add(201, 0, 0)
	for ms, want := range map[int][2]float64{0: {3, 3}, 50: {0, math.Pi}, 100: {-3, -3}, 201: {0, 0}} {
		got, stamp, err := p.At(at(ms), robot)
		if err != nil || !stamp.Equal(at(ms)) || math.Abs(got[names[0]]-want[0]) > 1e-12 || math.Abs(math.Remainder(got[names[1]]-want[1], 2*math.Pi)) > 1e-12 {
			t.Errorf("%d ms: %v, %v", ms, got, err)
		}
	}
	fails(-1, frames.Past)
	fails(150, frames.Gap)
	fails(202, frames.Future)
	if got, stamp, err := p.At(time.Time{}, robot); err != nil || !stamp.Equal(at(201)) || got[names[0]] != 0 {
		t.Errorf("%v, %v, %v", got, stamp, err)
	}
	add(150, 7, 7) // time went back
	fails(100, frames.Past)
	for i := range 3 * pastSamples {
		add(150+i, 0, 0)
	}
	if n := len(p.ways[0]); n > pastSamples {
		t.Errorf("%d measurements are kept", n)
	}
	if _, _, err := p.At(at(150+3*pastSamples-3000), robot); err != nil {
		t.Error(err)
	}
	p.Begin(nil, 0)
	if got, _, err := p.At(at(5), robot); err != nil || len(got) != 0 {
		t.Errorf("a robot without joints: %v, %v", got, err)
	}
}
