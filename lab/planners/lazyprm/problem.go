package lazyprm

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Problem asks for a path of the named joints between two configurations, within
// their limits, of the checker's robot in the checker's world. Joints that are not
// named stand where the checker has them. New and FromProblem make problems.
type Problem struct {
	Name        string
	Joints      []string
	Limits      []motion.Interval // rad or m, one per joint: where milestones are drawn
	Start, Goal []float64         // rad or m, one per joint
	Checker     *ccd.Checker      // who proves, and judges paths that others have tested

	// Query is what must hold all along a path: its clearance, its tolerance, and which
	// pairs are meant. Its question and method are not used.
	Query motion.Query

	turning   []bool // per joint: it has no limits, so that a step beyond half a turn is ambiguous
	bisection func() (*ccd.Bisection, error)
}

// New returns the problem of moving joints of the checker's robot from start to goal.
// Limits are the robot's; a continuous joint stays within half a turn to either side
// of zero, or of as far as start and goal are. A joint that the robot lacks or that
// does not move by itself, a number that is not finite, and ends outside the limits
// are errors.
func New(name string, checker *ccd.Checker, joints []string, start, goal []float64) (*Problem, error) {
	if len(joints) == 0 || len(start) != len(joints) || len(goal) != len(joints) {
		return nil, fmt.Errorf("problem %s: %d joints, %d positions at the start and %d at the goal: give as many of each, and at least one", name, len(joints), len(start), len(goal))
	}
	p := &Problem{Name: name, Joints: joints, Start: start, Goal: goal, Checker: checker}
	p.bisection = sync.OnceValues(checker.Bisection) // which seeds share
	for i, joint := range joints {
		limits, turning, err := limitsOf(checker.Robot(), joint, start[i], goal[i])
		if err != nil {
			return nil, fmt.Errorf("problem %s: %w", name, err)
		}
		p.Limits, p.turning = append(p.Limits, limits), append(p.turning, turning)
	}
	return p, nil
}

// rounding is how far (rad, m) an end may be beyond the limits: files print ten digits.
const rounding = 1e-6

func limitsOf(robot *urdf.Robot, joint string, start, goal float64) (limits motion.Interval, turning bool, err error) {
	i := robot.Joint(joint)
	if i < 0 {
		return limits, false, fmt.Errorf("the robot %s has no joint %s", robot.Name, joint)
	}
	j := &robot.Joints[i]
	switch {
	case j.Mimic != nil:
		return limits, false, fmt.Errorf("joint %s follows %s: name that one", joint, robot.Joints[j.Mimic.Joint].Name)
	case j.Type == urdf.Continuous:
		limits, turning = motion.Interval{Lo: min(-math.Pi, start, goal), Hi: max(math.Pi, start, goal)}, true
	case j.Limit.Bounded:
		limits = motion.Interval{Lo: j.Limit.Lower, Hi: j.Limit.Upper}
	default:
		return limits, false, fmt.Errorf("joint %s is %s: a planner here moves revolute, continuous and prismatic joints", joint, j.Type)
	}
	for _, x := range []float64{start, goal} {
		if !(x >= limits.Lo-rounding && x <= limits.Hi+rounding) {
			return limits, false, fmt.Errorf("joint %s is to stand at %g, outside its limits %g to %g", joint, x, limits.Lo, limits.Hi)
		}
	}
	return motion.Interval{Lo: min(limits.Lo, start, goal), Hi: max(limits.Hi, start, goal)}, turning, nil
}

// FromProblem returns a problem of MotionBenchMaker for the robot of a checker, which
// is taken into the problem's world and state. Positions given for joints that the
// robot does not move are ignored, as the problems' files ask for.
func FromProblem(base *ccd.Checker, p *scene.Problem) (*Problem, error) {
	world, err := p.Snapshot()
	if err != nil {
		return nil, err
	}
	c, err := base.WithState(StateOf(base.Robot(), p))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.Name(), err)
	}
	if c, err = c.WithWorld(world); err != nil {
		return nil, fmt.Errorf("%s: %w", p.Name(), err)
	}
	return New(p.Name(), c, p.Joints, p.Start, p.Goal)
}

// StateOf returns the positions (rad, m) that a problem gives to joints of the robot
// which move by themselves and which it does not plan for.
func StateOf(robot *urdf.Robot, p *scene.Problem) map[string]float64 {
	state := map[string]float64{}
	for name, x := range p.OtherJoints {
		i := robot.Joint(name)
		if i >= 0 && robot.Joints[i].Type != urdf.Fixed && robot.Joints[i].Mimic == nil && !slices.Contains(p.Joints, name) {
			state[name] = x
		}
	}
	return state
}

// Motion returns the motion along a path: straight lines in joint space between its
// configurations, driven so that the fastest joint does 1 rad/s or 1 m/s.
func (p *Problem) Motion(path [][]float64) (*motion.Motion, error) {
	times := make([]float64, len(path))
	for i := 1; i < len(path); i++ {
		step := 0.0
		for j := range path[i] {
			step = max(step, math.Abs(path[i][j]-path[i-1][j]))
		}
		times[i] = times[i-1] + max(step, 1e-3)
	}
	m, err := motion.Path(p.Joints, path, times)
	if err != nil {
		return nil, fmt.Errorf("problem %s: %w", p.Name, err)
	}
	m.ID, m.KeepTurns = p.Name, true
	return m, nil
}

// Verify proves a path free over the whole continuous motion, or says when and where
// it first comes as close as the clearance. It knows nothing of what a planner's checker has found.
func (p *Problem) Verify(ctx context.Context, path [][]float64) (motion.Verdict, error) {
	m, err := p.Motion(path)
	if err != nil {
		return motion.Verdict{}, err
	}
	q := p.Query
	q.Question, q.Method = motion.FirstContact, motion.Auto
	return p.Checker.Check(ctx, m, q)
}

// proofs returns the query of those who prove. They keep a little farther away than the
// problem asks for: what comes within the tolerance of a verdict may be told to be in
// contact or not, according to where the motion is cut, and a path that was proved piece
// by piece must not be refused as a whole.
func (p *Problem) proofs() motion.Query {
	q := p.Query
	q.Question, q.Method = motion.IsFree, motion.Auto
	q.Clearance += 2 * orDefault(q.Tolerance, motion.DefaultTolerance)
	return q
}

// poses returns the query of those who look at single configurations.
func (p *Problem) poses() motion.Query {
	q := p.Query
	q.Question, q.Method = motion.IsFree, motion.Auto
	return q
}

// Unambiguous returns the path with steps of more than half a turn of a continuous
// joint cut in halves, so that who takes such steps the short way drives it too.
func (p *Problem) Unambiguous(path [][]float64) [][]float64 {
	var out [][]float64
	for i, q := range path {
		if i > 0 {
			n := p.parts(path[i-1], q)
			for k := 1; k < n; k++ {
				out = append(out, between(path[i-1], q, float64(k)/float64(n)))
			}
		}
		out = append(out, q)
	}
	return out
}

// parts tells into how many parts a step must be cut.
func (p *Problem) parts(from, to []float64) int {
	n := 1
	for j, turning := range p.turning {
		if turning {
			n = max(n, int(math.Ceil(math.Abs(to[j]-from[j])/3)))
		}
	}
	return n
}

// between returns the configuration at s of the way.
func between(from, to []float64, s float64) []float64 {
	q := make([]float64, len(from))
	for j := range q {
		q[j] = from[j] + s*(to[j]-from[j])
	}
	return q
}

// Length of a path or step in joint space: the sum of its steps' Euclidean lengths, in
// rad (m counts as rad).
func Length(path [][]float64) float64 {
	sum := 0.0
	for i := 1; i < len(path); i++ {
		sum += distance(path[i-1], path[i])
	}
	return sum
}

func distance(a, b []float64) float64 {
	sum := 0.0
	for j := range a {
		sum += (a[j] - b[j]) * (a[j] - b[j])
	}
	return math.Sqrt(sum)
}
