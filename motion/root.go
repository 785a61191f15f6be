package motion

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// RootPiece moves the root link on one piece: a point with constant velocity,
// turning at a constant rate about a fixed axis through that point. W is the
// frame of the scene.
//
// Seconds u after the piece's start the root link is rotated by exp([Turn]u) Start.R and its
// origin is at
//
//	Point + u Velocity + exp([Turn]u) (Start.P - Point)
//
// Source: RKLM04, equations 2 to 6.
type RootPiece struct {
	Start    geom.Pose // of the root link in W at the piece's start
	Point    geom.Vec  // in W, at the piece's start
	Velocity geom.Vec  // of Point in W, m/s
	Turn     geom.Vec  // in W: the axis times the rate, rad/s
}

// at returns the pose of the root link in W, u seconds after the piece's start.
func (r *RootPiece) at(u float64) geom.Pose {
	origin := r3.Add(r.Point, r3.Scale(u, r.Velocity))
	arm := r3.Sub(r.Start.P, r.Point)
	rate := geom.Norm(r.Turn)
	if rate == 0 || u == 0 {
		return geom.Pose{R: r.Start.R, P: r3.Add(origin, arm)}
	}
	turn := geom.AxisAngle(r3.Scale(1/rate, r.Turn), rate*u)
	return geom.Pose{R: turn.Mul(r.Start.R), P: r3.Add(origin, turn.Apply(arm))}
}

// after returns the rest of the piece from u seconds after its start.
func (r *RootPiece) after(u float64) RootPiece {
	return RootPiece{Start: r.at(u), Point: r3.Add(r.Point, r3.Scale(u, r.Velocity)), Velocity: r.Velocity, Turn: r.Turn}
}

// backwards returns the piece, u seconds long, run from its end to its start.
func (r *RootPiece) backwards(u float64) RootPiece {
	b := r.after(u)
	b.Velocity, b.Turn = r3.Scale(-1, b.Velocity), r3.Scale(-1, b.Turn)
	return b
}

// RootAt returns the pose of the root link in W at time t (s): the identity if the root is
// fixed. Before the first piece and after the last it rests, as the joints do. m must be
// valid.
func (m *Motion) RootAt(t float64) geom.Pose {
	if len(m.Root) == 0 {
		return geom.IdentityPose()
	}
	i := m.PieceAt(t)
	p := &m.Pieces[i]
	return m.Root[i].at(math.Min(math.Max(t, p.Start), p.End) - p.Start)
}

// RootThrough returns the pieces of a root link that passes through poses in W at the given
// times (s, increasing strictly). Between two of them its origin moves in a straight line at
// constant speed, while it turns at a constant rate about a fixed axis, the short way round. n
// poses give n-1 pieces, for the field Root of a Motion whose pieces meet at these times.
//
// Errors are counts that differ, fewer than two poses, numbers that are not finite or beyond
// MaxPosition, matrices that are no rotations, and half a turn between two poses, whose
// direction is undefined.
func RootThrough(times []float64, poses []geom.Pose) ([]RootPiece, error) {
	if len(times) != len(poses) || len(poses) < 2 {
		return nil, fmt.Errorf("the root link has %d poses at %d times: give a time for each, and at least two", len(poses), len(times))
	}
	for i, x := range poses {
		if err := checkPose(x); err != nil {
			return nil, fmt.Errorf("pose %d of the root link: %w", i, err)
		}
	}
	pieces := make([]RootPiece, len(poses)-1)
	for i := range pieces {
		a, b := poses[i], poses[i+1]
		dt := times[i+1] - times[i]
		if !(dt > 0) || math.IsInf(dt, 0) {
			return nil, fmt.Errorf("pose %d of the root link at %g s is not later than the previous one at %g s: sort the poses by time", i+1, times[i+1], times[i])
		}
		turn := rotationVector(b.R.Mul(a.R.Inv()))
		if geom.Norm(turn) > math.Pi-halfTurn {
			return nil, fmt.Errorf("the root link turns by half a turn between poses %d and %d, and the direction is undefined: add a pose between them", i, i+1)
		}
		pieces[i] = RootPiece{
			Start: a, Point: a.P,
			Velocity: r3.Scale(1/dt, r3.Sub(b.P, a.P)),
			Turn:     r3.Scale(1/dt, turn),
		}
		if !geom.Finite(pieces[i].Velocity) || !geom.Finite(pieces[i].Turn) {
			return nil, fmt.Errorf("poses %d and %d of the root link are only %g s apart: give them times that are farther apart", i, i+1, dt)
		}
	}
	return pieces, nil
}

// halfTurn in rad: poses in files have six digits, so that closer to half a turn their
// rounding would decide the direction.
const halfTurn = 1e-5

// rotationVector returns the axis of r times its angle, in [0, pi].
//
// With u the unit axis and a the angle, r = cos a I + (1 - cos a) u u' + sin a
// [u]. The part that changes sign with u gives sin a u, which is exact enough
// except near half a turn, where it vanishes; there the symmetric part gives the
// axis and the other only its sign.
func rotationVector(r geom.Rot) geom.Vec {
	w := geom.Vec{X: (r.ZY - r.YZ) / 2, Y: (r.XZ - r.ZX) / 2, Z: (r.YX - r.XY) / 2}
	s, c := geom.Norm(w), (r.XX+r.YY+r.ZZ-1)/2
	angle := math.Atan2(s, c)
	if s == 0 && c > 0 {
		return geom.Vec{}
	}
	if c > -0.5 {
		return r3.Scale(angle/s, w)
	}
	// The column of u u' that belongs to the largest coordinate of u.
	xy, xz, yz := (r.XY+r.YX)/2, (r.XZ+r.ZX)/2, (r.YZ+r.ZY)/2
	u := geom.Vec{X: r.XX - c, Y: xy, Z: xz}
	if r.YY > r.XX && r.YY >= r.ZZ {
		u = geom.Vec{X: xy, Y: r.YY - c, Z: yz}
	} else if r.ZZ > r.XX {
		u = geom.Vec{X: xz, Y: yz, Z: r.ZZ - c}
	}
	if r3.Dot(u, w) < 0 {
		angle = -angle
	}
	return r3.Scale(angle/geom.Norm(u), u)
}

// poseTolerance in m, and without unit in the entries of a rotation matrix: how far a pose may
// be from a rotation and how large the gap between two pieces may be. Evaluating a piece of
// some turns within some kilometres has a smaller error.
const poseTolerance = 1e-9

func checkPose(x geom.Pose) error {
	if !vecInRange(x.P) {
		return fmt.Errorf("the position (%g, %g, %g) is not finite, or a coordinate is beyond %g m", x.P.X, x.P.Y, x.P.Z, float64(MaxPosition))
	}
	// The columns; a NaN in any of them fails the comparison.
	a, b, c := x.R.Apply(geom.Vec{X: 1}), x.R.Apply(geom.Vec{Y: 1}), x.R.Apply(geom.Vec{Z: 1})
	worst := geom.Norm(r3.Sub(r3.Cross(a, b), c))
	for _, d := range [...]float64{r3.Dot(a, a) - 1, r3.Dot(b, b) - 1, r3.Dot(a, b)} {
		worst += math.Abs(d)
	}
	if !(worst <= poseTolerance) {
		return errors.New("the orientation is no rotation matrix: its columns must be unit vectors at right angles, right-handed")
	}
	return nil
}

// validateRoot compares the pieces of the root with those of the joints and with each other.
func (m *Motion) validateRoot() error {
	if len(m.Root) == 0 {
		return nil
	}
	if len(m.Root) != len(m.Pieces) {
		return fmt.Errorf("the root link has %d pieces where the joints have %d: give one for each, or none for a fixed root", len(m.Root), len(m.Pieces))
	}
	for i := range m.Root {
		r := &m.Root[i]
		if err := checkPose(r.Start); err != nil {
			return fmt.Errorf("piece %d of the root link: %w", i, err)
		}
		for _, v := range [...]geom.Vec{r.Point, r.Velocity, r.Turn} {
			if !geom.Finite(v) {
				return fmt.Errorf("piece %d of the root link has a point, velocity or turn that is not finite: %v", i, v)
			}
		}
		lasts := m.Pieces[i].End - m.Pieces[i].Start
		end := r.at(lasts)
		far := r3.Add(r.Point, r3.Scale(lasts, r.Velocity)) // position of the point at the end
		if !vecInRange(r.Point) || !vecInRange(far) || !vecInRange(end.P) || !(lasts*geom.Norm(r.Turn) <= maxTurn) {
			return fmt.Errorf("piece %d of the root link moves beyond what can be computed, %g m and %g rad: check its point, velocity and turn", i, float64(MaxPosition), float64(maxTurn))
		}
		if i+1 < len(m.Root) {
			if gap := poseGap(end, m.Root[i+1].Start); !(gap <= poseTolerance) {
				return fmt.Errorf("the root link jumps by %g at %g s, between pieces %d and %d: a motion must be continuous", gap, m.Pieces[i].End, i, i+1)
			}
		}
	}
	return nil
}

// maxTurn in rad, within one piece: no robot makes more than 1500 turns, and the rounding of
// the angle stays below 1e-12.
const maxTurn = 1e4

// poseGap is the largest distance of the origins and of the ends of the axes.
func poseGap(a, b geom.Pose) float64 {
	worst := geom.Norm(r3.Sub(a.P, b.P))
	for _, e := range [...]geom.Vec{{X: 1}, {Y: 1}, {Z: 1}} {
		worst = math.Max(worst, geom.Norm(r3.Sub(a.R.Apply(e), b.R.Apply(e))))
	}
	return worst
}
