package motion

import (
	"errors"
	"fmt"
	"slices"
)

// Spline returns the motion that the ROS 2 joint_trajectory_controller makes of the points of
// a JointTrajectory with its default interpolation method (splines), from the first point's
// time on.
//
// Between two points that both have velocities and accelerations each joint follows the
// quintic that matches all of them, between two that both have velocities the cubic, otherwise
// the straight line. Accelerations without velocities at both ends are an error: the
// controller has no rule for them and commands position zero. A point without positions is
// reached as the controller integrates it: with the mean of the velocities at both ends, and
// if it has no velocities either, these with the mean of the accelerations. Times are those of
// Path; a point that repeats the previous one completely is skipped, and one that repeats only
// its time is an error, as for the controller. If the points place the root link, it moves
// between them as in RootThrough.
//
// Control points are float64. With P, V and A the largest position, velocity and
// acceleration at the ends of a piece that is T long and ends at time t, each is
// within 2^-50 (P + V T + A T²) + 2^-52 t (V + A T) of that of the spline through
// the same points at whole nanoseconds, of which Time is the nearest float64; so
// the two are nowhere farther apart. (Each is a sum of at most three products of
// at most four factors; the last term is the rounding of T, the difference of two
// rounded times.) Points without positions add up the errors of those before.
//
// Source: the controller's trajectory.cpp (sample, interpolate_between_points,
// deduce_from_derivatives) and its document on trajectory representation, the
// same in Humble and in Jazzy.
func Spline(joints []string, points []Waypoint) (*Motion, error) {
	if err := checkRows(joints, points); err != nil {
		return nil, err
	}
	points, kinds, err := deduce(points)
	if err != nil {
		return nil, err
	}
	s := samplesOf(points)
	kept, err := s.keep(joints)
	if err != nil {
		return nil, err
	}
	if len(kept) == 1 {
		return Linear(joints, points[:1])
	}
	m := &Motion{Joints: slices.Clone(joints), Pieces: make([]Piece, len(kept)-1)}
	for k := range m.Pieces {
		b := kept[k+1]
		a := b - 1 // repeats kept[k], and has the derivatives that the way to b needed
		m.Pieces[k] = hermite(len(joints), &points[a], &points[b], kinds[b])
	}
	m.noteStart()
	if err := s.moveRoot(m, kept); err != nil {
		return nil, err
	}
	// Large velocities over long times exceed the range of float64.
	return m, m.Validate()
}

// degree of the polynomial between two points.
type degree uint8

const (
	straight degree = 1
	cubic    degree = 3
	quintic  degree = 5
)

// deduce returns the points with the positions that the controller computes for those without,
// and for each the degree of the piece that leads to it. It proceeds from point to point like
// the controller: a point without velocities gets some only when the next one needs them,
// after the piece to it has been executed.
func deduce(given []Waypoint) ([]Waypoint, []degree, error) {
	points, kinds := given, make([]degree, len(given))
	for i := range points {
		if len(points[i].Positions) == 0 && len(points[i].Velocities)+len(points[i].Accelerations) > 0 {
			if i == 0 {
				return nil, nil, errors.New("waypoint 0 has no positions: give the start of the motion")
			}
			if &points[0] == &given[0] {
				points = slices.Clone(given)
			}
			integrate(&points[i-1], &points[i])
		}
		if i == 0 {
			continue
		}
		var err error
		if kinds[i], err = kindOf(i, &points[i-1], &points[i]); err != nil {
			return nil, nil, err
		}
	}
	return points, kinds, nil
}

// integrate computes the positions of b from those of a.
func integrate(a, b *Waypoint) {
	n := len(a.Positions)
	zeros := make([]float64, n)
	dt := b.Time - a.Time
	if len(a.Velocities) == 0 {
		a.Velocities = zeros
	}
	if len(b.Velocities) == 0 {
		if len(a.Accelerations) == 0 {
			a.Accelerations = zeros
		}
		b.Velocities = trapezoid(a.Velocities, a.Accelerations, b.Accelerations, dt)
	}
	b.Positions = trapezoid(a.Positions, a.Velocities, b.Velocities, dt)
}

// trapezoid returns x + (v + w)/2 dt.
func trapezoid(x, v, w []float64, dt float64) []float64 {
	y := make([]float64, len(x))
	for j := range y {
		y[j] = x[j] + (v[j]+w[j])*0.5*dt
	}
	return y
}

// kindOf returns the degree of the piece from a to waypoint i, b.
func kindOf(i int, a, b *Waypoint) (degree, error) {
	velocities := len(a.Velocities) > 0 && len(b.Velocities) > 0
	accelerations := len(a.Accelerations) > 0 && len(b.Accelerations) > 0
	switch {
	case velocities && accelerations:
		return quintic, nil
	case velocities:
		return cubic, nil
	case accelerations && a.Time < b.Time:
		return 0, fmt.Errorf("waypoints %d and %d have accelerations but not both have velocities, which a joint_trajectory_controller does not support: give the velocities too, or no accelerations", i-1, i)
	}
	return straight, nil
}

// hermite returns the piece from a to b. Its control points follow from the
// derivatives of a Bernstein polynomial of degree n at its ends,
// n (c1 - c0) / T and n (n-1) (c2 - 2 c1 + c0) / T², and the same mirrored.
func hermite(joints int, a, b *Waypoint, d degree) Piece {
	p := Piece{Start: a.Time, End: b.Time, Ctrl: make([][]float64, joints)}
	n := int(d) + 1
	flat, dt := make([]float64, joints*n), b.Time-a.Time
	for j := range p.Ctrl {
		c := flat[j*n : (j+1)*n : (j+1)*n]
		c[0], c[n-1] = a.Positions[j], b.Positions[j]
		switch d {
		case cubic:
			c[1] = c[0] + a.Velocities[j]*dt/3
			c[2] = c[3] - b.Velocities[j]*dt/3
		case quintic:
			va, vb := a.Velocities[j]*dt/5, b.Velocities[j]*dt/5
			c[1], c[4] = c[0]+va, c[5]-vb
			c[2] = c[0] + 2*va + a.Accelerations[j]*dt*dt/20
			c[3] = c[5] - 2*vb + b.Accelerations[j]*dt*dt/20
		}
		p.Ctrl[j] = c
	}
	return p
}

// checkRows fails on rows that are not one number per joint, on velocities and
// accelerations that are not finite, and on a repeated time at which they change.
func checkRows(joints []string, points []Waypoint) error {
	for i := range points {
		p := &points[i]
		if n := len(p.Positions); n != len(joints) && (n != 0 || len(p.Velocities)+len(p.Accelerations) == 0) {
			return fmt.Errorf("waypoint %d has %d positions for %d joints: give one per joint, in the order of the joint names", i, n, len(joints))
		}
		if err := checkDerivative(joints, i, "velocities", p.Velocities); err != nil {
			return err
		}
		if err := checkDerivative(joints, i, "accelerations", p.Accelerations); err != nil {
			return err
		}
		if i == 0 || points[i-1].Time != p.Time {
			continue
		}
		if q := &points[i-1]; !slices.Equal(q.Velocities, p.Velocities) || !slices.Equal(q.Accelerations, p.Accelerations) {
			return fmt.Errorf("waypoints %d and %d are both at %g s but differ in velocity or acceleration, which a controller refuses: give them different times", i-1, i, p.Time)
		}
	}
	return nil
}

func checkDerivative(joints []string, i int, what string, row []float64) error {
	if n := len(row); n != 0 && n != len(joints) {
		return fmt.Errorf("waypoint %d has %d %s for %d joints: give one per joint, in the order of the joint names, or none", i, n, what, len(joints))
	}
	for j, x := range row {
		if !finite(x) {
			return fmt.Errorf("waypoint %d: among the %s, that of joint %s is %g: give a finite number", i, what, joints[j], x)
		}
	}
	return nil
}
