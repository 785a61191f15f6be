// Package oracletest starts FCL's oracle for tests, and puts the robot in it that a checker has.
package oracletest

import (
	"errors"
	"math"
	"testing"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/lab/oracle"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Build returns the path of the oracle's program. It skips the test where a tool or a library that the program needs is not
// installed; any other failure to build it is the test's.
func Build(t testing.TB) string {
	t.Helper()
	program, err := oracle.Build()
	if errors.Is(err, oracle.ErrMissing) {
		t.Skip(err)
	}
	must(t, err)
	return program
}

// Start starts an oracle that ends with the test. It skips the test as Build does.
func Start(t testing.TB) *oracle.Oracle {
	t.Helper()
	return Run(t, Build(t))
}

// Run starts the program that Build returned, and ends it with the test.
func Run(t testing.TB, program string) *oracle.Oracle {
	t.Helper()
	o, err := oracle.Start(program)
	must(t, err)
	t.Cleanup(func() {
		if err := o.Close(); err != nil {
			t.Error(err)
		}
	})
	return o
}

// Load puts the robot of a file into an oracle, which then checks the pairs that the checker does, at positions of its active
// joints. Closed meshes are solids or, if not, their surfaces alone.
func Load(t testing.TB, o *oracle.Oracle, file string, c *ccd.Checker, solid bool) {
	t.Helper()
	_, err := o.Robot(file, "")
	must(t, err)
	for _, p := range c.Pairs().Assumed {
		must(t, o.Disable(p.A, p.B))
	}
	must(t, o.Joints(c.ActiveJoints()...))
	must(t, o.Solid(solid))
}

// Ranges returns between what a robot's joints move, rad or m: their limits, a turn where there are none.
func Ranges(robot *urdf.Robot, joints []string) (lo, hi []float64) {
	for _, name := range joints {
		l := robot.Joints[robot.Joint(name)].Limit
		if !l.Bounded {
			l.Lower, l.Upper = -math.Pi, math.Pi
		}
		lo, hi = append(lo, l.Lower), append(hi, l.Upper)
	}
	return lo, hi
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
