package motion

import (
	"errors"
	"fmt"
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// Waypoint is one point of a sampled trajectory, like a JointTrajectoryPoint. Velocities and
// Accelerations may be nil.
type Waypoint struct {
	Time          float64    // s from the motion's start
	Positions     []float64  // rad or m, one per joint
	Velocities    []float64  // rad/s or m/s
	Accelerations []float64  // rad/s² or m/s²
	Root          *geom.Pose // of the root link in W; nil in every waypoint if the root is fixed
}

// Between returns the motion of a joint-state pair: every joint moves from its position in
// from to that in to at constant speed, within duration seconds.
//
// Positions are in rad or m and correspond to joints. A name that is empty or repeated, a
// number that is not finite or beyond MaxPosition, a duration that is not positive and a count
// that differs from that of joints are errors.
func Between(joints []string, from, to []float64, duration float64) (*Motion, error) {
	if !(duration > 0) || math.IsInf(duration, 0) {
		return nil, fmt.Errorf("duration of the motion is %g s: give a positive number of seconds", duration)
	}
	return Path(joints, [][]float64{from, to}, []float64{0, duration})
}

// Path returns the motion that visits waypoints at the given times (s) and moves in straight
// lines in joint space between them; nil times mean 0, 1, 2, ...
//
// Times start at zero or later and increase strictly. If the first is later than zero the
// motion does not cover the time before the first waypoint: its pieces start at that time, and
// a premise.Start among its Gaps keeps a check from being Free. A caller who knows where the
// robot is at time zero prepends that as a waypoint. A waypoint that repeats the time and the
// positions of the previous one is skipped; one that repeats the time at other positions is a
// jump and an error, because no robot can follow it. A single waypoint is a rest of one
// second.
//
// Positions are in rad or m, at most MaxPosition, and correspond to joints. The slices are
// copied.
func Path(joints []string, waypoints [][]float64, times []float64) (*Motion, error) {
	if times != nil && len(times) != len(waypoints) {
		return nil, fmt.Errorf("motion has %d waypoints but %d times: give one time per waypoint, or none", len(waypoints), len(times))
	}
	at := func(i int) float64 {
		if times == nil {
			return float64(i)
		}
		return times[i]
	}
	return linear(joints, samples{
		n: len(waypoints), time: at,
		positions: func(i int) []float64 { return waypoints[i] },
		root:      func(int) *geom.Pose { return nil },
	})
}

// Linear is like Path for the points of a JointTrajectory: straight lines in joint space
// between the positions. It does not use velocities and accelerations; a controller that
// interpolates by splines deviates from these lines. If the points place the root link, it
// moves between them as in RootThrough.
func Linear(joints []string, points []Waypoint) (*Motion, error) {
	return linear(joints, samplesOf(points))
}

// samples are waypoints in either form.
type samples struct {
	n         int
	time      func(int) float64
	positions func(int) []float64
	root      func(int) *geom.Pose
}

func samplesOf(points []Waypoint) samples {
	return samples{
		n:         len(points),
		time:      func(i int) float64 { return points[i].Time },
		positions: func(i int) []float64 { return points[i].Positions },
		root:      func(i int) *geom.Pose { return points[i].Root },
	}
}

// linear keeps the positions joint by joint, so that consecutive pieces share
// the waypoint between them: n waypoints cost n numbers per joint, and the
// pieces meet exactly.
func linear(joints []string, s samples) (*Motion, error) {
	kept, err := s.keep(joints)
	if err != nil {
		return nil, err
	}
	times := make([]float64, len(kept))
	columns := newColumns(len(joints), len(kept))
	for k, i := range kept {
		times[k] = s.time(i)
		for j, p := range s.positions(i) {
			columns[j][k] = p
		}
	}
	m := &Motion{Joints: append([]string(nil), joints...)}
	if len(kept) == 1 {
		m.Pieces = []Piece{{Start: times[0], End: times[0] + 1, Ctrl: columns}}
	} else {
		m.Pieces = straightPieces(times, columns)
	}
	m.noteStart()
	return m, s.moveRoot(m, kept)
}

// keep lists the waypoints that do not repeat the previous one.
func (s samples) keep(joints []string) ([]int, error) {
	if s.n == 0 {
		return nil, errors.New("motion has no waypoints: give at least one")
	}
	if err := checkJoints(joints); err != nil {
		return nil, err
	}
	kept := make([]int, 0, s.n)
	for i := range s.n {
		if err := checkWaypoint(joints, i, s.time(i), s.positions(i)); err != nil {
			return nil, err
		}
		if i > 0 {
			last := kept[len(kept)-1]
			again, err := s.repeats(joints, last, i)
			if err != nil {
				return nil, err
			}
			if again {
				continue
			}
		}
		kept = append(kept, i)
	}
	return kept, nil
}

// repeats reports whether waypoint i repeats the one kept last.
func (s samples) repeats(joints []string, last, i int) (bool, error) {
	switch dt := s.time(i) - s.time(last); {
	case dt < 0:
		return false, fmt.Errorf("waypoint %d at %g s comes before the previous one at %g s: sort the points by time", i, s.time(i), s.time(last))
	case dt > 0:
		return false, nil
	}
	if j, same := samePositions(s.positions(last), s.positions(i)); !same {
		return false, fmt.Errorf("joint %s jumps from %g to %g between waypoints %d and %d, both at %g s: give them different times",
			joints[j], s.positions(last)[j], s.positions(i)[j], last, i, s.time(i))
	}
	if a, b := s.root(last), s.root(i); a != b && (a == nil || b == nil || *a != *b) {
		return false, fmt.Errorf("the root link jumps between waypoints %d and %d, both at %g s: give them different times", last, i, s.time(i))
	}
	return true, nil
}

// moveRoot makes the root link of m pass through the poses of the kept waypoints.
func (s samples) moveRoot(m *Motion, kept []int) error {
	var times []float64
	var poses []geom.Pose
	for _, i := range kept {
		if x := s.root(i); x != nil {
			times, poses = append(times, s.time(i)), append(poses, *x)
		}
	}
	switch {
	case len(poses) == 0:
		return nil
	case len(poses) < len(kept):
		return fmt.Errorf("%d of %d waypoints place the root link: give its pose in all of them, or in none", len(poses), len(kept))
	case len(poses) == 1:
		times, poses = append(times, m.Duration()), append(poses, poses[0])
	}
	var err error
	m.Root, err = RootThrough(times, poses)
	return err
}

// newColumns returns one slice of n numbers per joint over one array.
func newColumns(joints, n int) [][]float64 {
	flat := make([]float64, joints*n)
	columns := make([][]float64, joints)
	for j := range columns {
		columns[j] = flat[j*n : (j+1)*n : (j+1)*n]
	}
	return columns
}

func straightPieces(times []float64, columns [][]float64) []Piece {
	pieces := make([]Piece, len(times)-1)
	ctrl := make([][]float64, len(pieces)*len(columns))
	for i := range pieces {
		c := ctrl[i*len(columns) : (i+1)*len(columns) : (i+1)*len(columns)]
		for j := range c {
			c[j] = columns[j][i : i+2 : i+2]
		}
		pieces[i] = Piece{Start: times[i], End: times[i+1], Ctrl: c}
	}
	return pieces
}

func checkWaypoint(joints []string, i int, t float64, positions []float64) error {
	if !(t >= 0 && t <= MaxTime) {
		return fmt.Errorf("waypoint %d is at time %g s: times must lie between 0 and %g s", i, t, float64(MaxTime))
	}
	if len(positions) != len(joints) {
		return fmt.Errorf("waypoint %d has %d positions for %d joints: give one per joint, in the order of the joint names", i, len(positions), len(joints))
	}
	for j, p := range positions {
		if !inRange(p) {
			return fmt.Errorf("waypoint %d: the position of joint %s is %g: give a finite number, no larger than %g (rad or m)", i, joints[j], p, float64(MaxPosition))
		}
	}
	return nil
}

func samePositions(a, b []float64) (int, bool) {
	for j := range a {
		if a[j] != b[j] {
			return j, false
		}
	}
	return 0, true
}

// finite is false for NaN and both infinities: for those x-x is NaN.
func finite(x float64) bool { return x-x == 0 }
