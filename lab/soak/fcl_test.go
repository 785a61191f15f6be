//go:build cyclone

package soak

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/lab/oracle"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/selfcollision/pairproof"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Every so many states FCL is asked which pairs touch, and, more rarely as that
// takes it long, how close the closest is.
const (
	touchEvery    = 30
	distanceEvery = 150
	// tie is how close to touching FCL and the node may differ, in metres.
	tie = 1e-5
)

// judges is FCL, an oracle that reads the robot by itself, and how often it was
// asked.
type judges struct {
	fcl *oracle.Oracle // nil where it cannot be built
	// near is asked for distances: it leaves out the pairs that are proved never to
	// touch, as the node does.
	near   *oracle.Oracle
	robot  *urdf.Robot
	atRest map[oracle.Pair]float64 // the distances of close pairs at the default state

	asked, touching, onTheWay, ties, measured int
}

func (j *judges) String() string {
	if j.fcl == nil {
		return "not compared with FCL, which cannot be built here"
	}
	return fmt.Sprintf("FCL asked about %d states: %d touch, %d touched on the way there, %d ties within %g m; %d distances compared",
		j.asked, j.touching, j.onTheWay, j.ties, tie, j.measured)
}

// startOracle gives FCL the same robot, without the pairs that the node assumes.
func (s *soak) startOracle(t *testing.T, joints []string) {
	t.Helper()
	binary, err := oracle.Build()
	if errors.Is(err, oracle.ErrMissing) {
		t.Log(err)
		return
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(err)
	s.robot, err = urdf.Load(robot, urdf.Options{})
	must(err)
	c, err := ccd.New(s.robot, nil, ccd.Options{})
	must(err)
	start := func() *oracle.Oracle {
		o, err := oracle.Start(binary)
		must(err)
		t.Cleanup(func() { o.Close() })
		_, err = o.Robot(robot, "")
		must(err)
		for _, p := range c.Pairs().Assumed {
			must(o.Disable(p.A, p.B))
		}
		must(o.Joints(joints...))
		must(o.Solid(true))
		return o
	}
	s.fcl, s.near = start(), start()
	rest, err := c.Distance(context.Background(), nil, motion.DistanceQuery{K: -1, DistanceRanges: motion.DistanceRanges{Max: warnDistance}})
	must(err)
	s.atRest = map[oracle.Pair]float64{}
	for _, p := range rest.Pairs {
		a, b := p.Pair.A.Name, p.Pair.B.Name
		s.atRest[oracle.Pair{A: min(a, b), B: max(a, b)}] = p.Bounds.Lo
	}
}

// never reports whether two links are proved never to touch.
func (s *soak) never(t *testing.T, p oracle.Pair) bool {
	t.Helper()
	a, b := s.robot.Link(p.A), s.robot.Link(p.B)
	r, err := pairproof.All(context.Background(), s.robot, pairproof.Options{Only: map[[2]int]bool{{min(a, b), max(a, b)}: true}})
	if err != nil {
		t.Fatal(err)
	}
	return r.Of(a, b).Meets == pairproof.Never
}

// compare holds levels and distances of some of the states against FCL.
func (s *soak) compare(t *testing.T, rows [][]float64, got []answer) {
	t.Helper()
	for i := touchEvery; s.fcl != nil && i < len(got); i += touchEvery {
		a := got[i]
		q := rows[a.row]
		pairs, err := s.fcl.Pose(oracle.Self, q)
		if err != nil {
			t.Fatal(err)
		}
		s.asked++
		collision := a.Level == fcmsgs.CollisionStateCollision
		switch {
		case len(pairs) > 0 && collision:
			s.touching++
		case len(pairs) > 0 && a.DistanceUpper <= tie:
			s.ties++
		case len(pairs) > 0:
			t.Errorf("row %d: for FCL %v touch, but the node says: %s", a.row, pairs, a.Reason)
		case collision:
			s.confirm(t, rows, got[i-1].row, a)
		case i%distanceEvery == 0:
			s.measured++
			s.checkDistance(t, a, q)
		}
	}
}

// confirm looks for the contact that the node saw on the way to a row that is
// free.
func (s *soak) confirm(t *testing.T, rows [][]float64, from int, a answer) {
	t.Helper()
	least := math.Inf(1)
	for i := from; i < a.row; i++ {
		d, _, err := s.fcl.PairNear(oracle.Pair{A: a.Pair.A.Name, B: a.Pair.B.Name}, 200, 0, 1, rows[i], rows[i+1])
		if err != nil {
			t.Fatal(err)
		}
		least = math.Min(least, d)
	}
	switch {
	case least <= 0:
		s.onTheWay++
	case least <= tie:
		s.ties++
	default:
		t.Errorf("row %d: %s; for FCL they are at least %g m apart", a.row, a.Reason, least)
	}
}

// checkDistance holds the bounds of the closest distance against FCL's, and the
// level against the limits that the node's parameters have by default, or are for a
// pair that is close at rest. The lower bound decides; it may be 1 % too low.
func (s *soak) checkDistance(t *testing.T, a answer, q []float64) {
	t.Helper()
	closest, ok, err := s.near.Distance(oracle.Self, q)
	for err == nil && ok && closest.Distance < a.DistanceLower-1e-6 && s.never(t, closest.Pair) {
		if err = s.near.Disable(closest.Pair.A, closest.Pair.B); err == nil {
			closest, ok, err = s.near.Distance(oracle.Self, q)
		}
	}
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	d := closest.Distance
	if d < a.DistanceLower-1e-6 || d > a.DistanceUpper+1e-6 {
		t.Errorf("row %d: %g to %g m apart, but for FCL %v are %g m apart", a.row, a.DistanceLower, a.DistanceUpper, closest.Pair, d)
	}
	stop, warn := stopDistance, warnDistance
	p := closest.Pair
	if rest, ok := s.atRest[oracle.Pair{A: min(p.A, p.B), B: max(p.A, p.B)}]; ok {
		stop, warn = min(stop, rest/2), min(warn, 0.75*rest)
	}
	if a.Level < levelOf(d+1e-6, stop, warn) || a.Level > levelOf(0.99*d-1e-6, stopDistance, warnDistance) {
		t.Errorf("row %d: level %d at %g m of %v", a.row, a.Level, d, p)
	}
}

// The limits that the node's parameters have by default, in metres.
const (
	stopDistance = 0.01
	warnDistance = 0.05
)

func levelOf(distance, stop, warn float64) uint8 {
	switch {
	case distance < stop:
		return fcmsgs.CollisionStateStop
	case distance < warn:
		return fcmsgs.CollisionStateWarn
	}
	return fcmsgs.CollisionStateFree
}
