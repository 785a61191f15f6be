package robots

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Variables lists what a motion of the robot may name.
func Variables(robot *urdf.Robot) (names []string) {
	for i := range robot.Joints {
		switch j := &robot.Joints[i]; {
		case j.Mimic != nil || j.Type == urdf.Fixed:
		case j.Type == urdf.Planar:
			names = append(names, j.Name+"/x", j.Name+"/y", j.Name+"/theta")
		default:
			names = append(names, j.Name)
		}
	}
	return names
}

// Move is the motion of one piece of one second that gives joints 0, 1, ... of a robot
// made by Of the given control points.
func Move(ctrl ...[]float64) *motion.Motion {
	m := &motion.Motion{Pieces: []motion.Piece{{End: 1, Ctrl: ctrl}}, KeepTurns: true}
	for i := range ctrl {
		m.Joints = append(m.Joints, JointName(i))
	}
	return m
}

// Travel says what a random motion may be like.
type Travel struct {
	Pieces int       // at most; 0: 3
	Sizes  []float64 // how far variables go in a piece, one of them is drawn (rad, m); nil: 0.05, 0.5, 2
	// Degrees are drawn from evenly; nil: one in two is straight, and 2, 3 and 5.
	Degrees []int
	Mixed   bool // each variable has a degree of its own
	// Timed: pieces take 0.1 to 10 s and start late now and then; else a second each.
	Timed bool
	// Turns: joints that turn endlessly go the short way now and then.
	Turns bool
	// Partial: one motion in four does not name the last variable.
	Partial bool
	Root    bool // the root link moves
}

// Motion draws a motion of the robot: pieces that meet at their knots.
func (d Dice) Motion(robot *urdf.Robot, v Travel) *motion.Motion {
	return d.motion(Variables(robot), v, func(name string) bool { return isContinuous(robot, name) })
}

// MotionOf draws a motion of the variables of the given names, of which none turns
// endlessly.
func (d Dice) MotionOf(names []string, v Travel) *motion.Motion {
	return d.motion(names, v, func(string) bool { return false })
}

func (d Dice) motion(names []string, v Travel, endless func(name string) bool) *motion.Motion {
	if v.Pieces == 0 {
		v.Pieces = 3
	}
	if v.Sizes == nil {
		v.Sizes = []float64{0.05, 0.5, 2}
	}
	if v.Degrees == nil {
		v.Degrees = []int{1, 1, 1, 2, 3, 5}
	}
	m := &motion.Motion{Joints: names, KeepTurns: !v.Turns || d.IntN(2) == 0}
	if v.Partial && len(m.Joints) > 1 && d.IntN(4) == 0 {
		m.Joints = m.Joints[:len(m.Joints)-1]
	}
	at := make([]float64, len(m.Joints))
	for j := range at {
		at[j] = d.In(-1, 1)
	}
	size, start := v.Sizes[d.IntN(len(v.Sizes))], 0.0
	if v.Timed {
		start = d.In(0, 1) * float64(d.IntN(2))
	}
	for range 1 + d.IntN(v.Pieces) {
		p := motion.Piece{Start: start, End: start + 1}
		if v.Timed {
			p.End = start + d.Spread(0.1, 10)
		}
		degree := v.Degrees[d.IntN(len(v.Degrees))]
		for j := range at {
			if v.Mixed {
				degree = v.Degrees[d.IntN(len(v.Degrees))]
			}
			ctrl := d.curve(at[j], degree, size)
			if degree == 1 && !m.KeepTurns && d.IntN(3) == 0 && endless(m.Joints[j]) {
				ctrl[1] += 2 * math.Pi * float64(d.IntN(41)-20) // the same pose, the short way
			}
			at[j] = ctrl[degree]
			p.Ctrl = append(p.Ctrl, ctrl)
		}
		m.Pieces = append(m.Pieces, p)
		start = p.End
	}
	if v.Root {
		d.MoveRoot(m)
	}
	return m
}

// curve draws control points around where a variable is.
func (d Dice) curve(at float64, degree int, size float64) []float64 {
	ctrl := []float64{at}
	for range degree {
		ctrl = append(ctrl, at+d.In(-size, size))
	}
	return ctrl
}

// MoveRoot lets the root link move, too, straight from pose to pose or about a point.
func (d Dice) MoveRoot(m *motion.Motion) {
	if len(m.Pieces) == 1 && d.IntN(2) == 0 {
		slow := 1 / (m.Pieces[0].End - m.Pieces[0].Start)
		m.Root = []motion.RootPiece{{Start: d.Pose(0.3), Point: d.Vec(0.3), Velocity: d.Vec(0.5 * slow), Turn: d.Vec(slow)}}
		return
	}
	times, poses := []float64{m.Pieces[0].Start}, []geom.Pose{{R: geom.AxisAngle(d.Unit(), d.In(-2, 2)), P: d.Vec(0.3)}}
	for i := range m.Pieces {
		last := poses[i]
		times = append(times, m.Pieces[i].End)
		poses = append(poses, geom.Pose{R: geom.AxisAngle(d.Unit(), d.In(-1, 1)).Mul(last.R), P: r3.Add(last.P, d.Vec(0.3))})
	}
	m.Root, _ = motion.RootThrough(times, poses)
}

func isContinuous(robot *urdf.Robot, variable string) bool {
	for i := range robot.Joints {
		if robot.Joints[i].Name == variable {
			return robot.Joints[i].Type == urdf.Continuous
		}
	}
	return false
}
