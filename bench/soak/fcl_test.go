//go:build cyclone

package soak

import (
	"math"
	"testing"

	"github.com/firstcontact-ros/firstcontact/bench/oracle"
	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Every so many states FCL is asked which pairs touch, and, more rarely as that
// takes it long, how close the closest is.
const (
	touchEvery    = 30
	distanceEvery = 600
	// tie is how close to touching FCL and the node may differ, in metres.
	tie = 1e-5
)

// compareWithFCL holds levels and distances against an oracle that reads the
// robot by itself. It is told which pairs to leave out: those that the node
// assumes.
func compareWithFCL(t *testing.T, joints []string, rows [][]float64, got []answer) {
	t.Helper()
	binary, err := oracle.Build()
	if err != nil {
		t.Log("not compared with FCL, which cannot be built here: ", err)
		return
	}
	o, err := oracle.Start(binary)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	prepare(t, o, joints)
	asked, touching, ties, measured := 0, 0, 0, 0
	for i := 0; i < len(got); i += touchEvery {
		a := got[i]
		q := rows[a.row]
		pairs, err := o.Pose(oracle.Self, q)
		if err != nil {
			t.Fatal(err)
		}
		asked++
		if len(pairs) > 0 {
			touching++
		}
		if touches := a.DistanceLower <= 0; touches != (len(pairs) > 0) {
			if nearly(t, o, a, q) {
				ties++
			} else {
				t.Errorf("row %d: level %d, %g to %g m apart, but for FCL %v touch", a.row, a.Level, a.DistanceLower, a.DistanceUpper, pairs)
			}
		}
		if i%distanceEvery == 0 && len(pairs) == 0 {
			measured++
			checkDistance(t, o, a, q)
		}
	}
	t.Logf("FCL asked about %d states: %d touch, %d ties; %d distances compared", asked, touching, ties, measured)
}

func prepare(t *testing.T, o *oracle.Oracle, joints []string) {
	t.Helper()
	r, err := urdf.Load(robot, urdf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := ccd.New(r, nil, ccd.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := o.Robot(robot, ""); err != nil {
		t.Fatal(err)
	}
	for _, p := range c.AssumedPairs() {
		if err := o.Disable(p.A, p.B); err != nil {
			t.Fatal(err)
		}
	}
	if err := o.Joints(joints...); err != nil {
		t.Fatal(err)
	}
	if err := o.Solid(true); err != nil {
		t.Fatal(err)
	}
}

// nearly reports whether FCL finds the closest pair within a tie of touching.
func nearly(t *testing.T, o *oracle.Oracle, a answer, q []float64) bool {
	t.Helper()
	d, err := o.PairDistance(oracle.Pair{A: a.Pair.A.Name, B: a.Pair.B.Name}, q)
	if err != nil {
		t.Fatal(err)
	}
	return math.Abs(d) <= tie && a.DistanceUpper <= tie
}

// checkDistance holds the bounds of the closest distance against FCL's, and the
// level against the limits that the node's parameters have by default.
func checkDistance(t *testing.T, o *oracle.Oracle, a answer, q []float64) {
	t.Helper()
	closest, ok, err := o.Distance(oracle.Self, q)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	d := closest.Distance
	if d < a.DistanceLower-1e-6 || d > a.DistanceUpper+1e-6 {
		t.Errorf("row %d: %g to %g m apart, but for FCL %v are %g m apart", a.row, a.DistanceLower, a.DistanceUpper, closest.Pair, d)
	}
	want := uint8(fcmsgs.CollisionStateFree)
	switch {
	case d < 0.01:
		want = fcmsgs.CollisionStateStop
	case d < 0.05:
		want = fcmsgs.CollisionStateWarn
	}
	// The lower bound decides, and a motion that touched is told too.
	if a.Level < want || a.Level > want && a.DistanceLower > limitAbove(want) && a.Level != fcmsgs.CollisionStateCollision {
		t.Errorf("row %d: level %d at %g m", a.row, a.Level, d)
	}
}

// limitAbove is the distance from which a level is no longer justified by the
// lower bound of the distance.
func limitAbove(level uint8) float64 {
	if level == fcmsgs.CollisionStateWarn {
		return 0.01
	}
	return 0.05
}
