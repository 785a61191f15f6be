package pairproof

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// The half-space rule (H) of the engine, read over a box: what arcs are measured
// against. No proof of the package rests on it.

// apartSecondOrder proves the same as apartInBox by the half-space rule (H) read
// over a box. points hold each core in their hull, in E; accel >= |n.x”| of both
// sides together where each joint k moves at a constant rate of at most delta_k.
//
// Proof. The box's configuration c + d is the end of the straight line c + s d, s in
// [0, 1], along which joint k moves at the constant rate d_k, |d_k| <= delta_k, and
// stays in the box. By Taylor's theorem n.x at its end is at most n.x + sum d_k
// n.J_k(x) + A/2, with J_k(x) = u_k x (x - o_k), or u_k of a slide, at c. What is
// before A/2 is at most n.x + sum over variables of |sum of its joints' signed
// delta_k n.J_k(x)|: a convex function of x, as it is linear but for absolute
// values, and so largest over the core at one of the points.
func apartSecondOrder(n geom.Vec, a, b *side, pointsA, pointsB []geom.Vec, signsA, signsB []float64, accel, clearance float64) bool {
	out := -(reachSecondOrder(n, a, pointsA, signsA) + reachSecondOrder(r3.Scale(-1, n), b, pointsB, signsB) + accel/2*grown)
	return out-(a.core.Radius+b.core.Radius)*(1+8*u)-a.slack-b.slack > clearance*(1+8*u)
}

// reachSecondOrder bounds n.x + sum |d_k n.J_k(x)| over the points.
func reachSecondOrder(n geom.Vec, s *side, points []geom.Vec, signs []float64) float64 {
	var rate [maxVariables]struct {
		dir  geom.Vec // of x in E
		base float64
	}
	vars := 0
	for i := range s.joints {
		j := &s.joints[i]
		r := &rate[j.variable]
		vars = max(vars, j.variable+1)
		if j.prismatic {
			r.base += signs[i] * j.delta * r3.Dot(n, j.axis)
			continue
		}
		m := r3.Scale(signs[i]*j.delta, r3.Cross(n, j.axis))
		r.dir = r3.Add(r.dir, s.pose.R.ApplyInv(m))
		r.base += r3.Dot(m, r3.Sub(s.pose.P, j.origin))
	}
	dir := s.pose.R.ApplyInv(n)
	far := math.Inf(-1)
	for _, p := range points {
		v := r3.Dot(dir, p)
		for i := range rate[:vars] {
			v += math.Abs(r3.Dot(rate[i].dir, p) + rate[i].base)
		}
		far = larger(v, far)
	}
	return far + r3.Dot(n, s.pose.P)
}

// signs tells which way each joint of a side turns with its variable.
func (s *scratch) signs(body int) (out []float64) {
	for _, k := range s.m.Tree.Chain(s.m.Bodies[body].Frame)[s.parting:] {
		out = append(out, math.Copysign(1, s.m.Tree.Frames[k].Mult))
	}
	return out
}

// bySecondOrder is the rule for the sides at hand.
func (s *scratch) bySecondOrder(n geom.Vec, pa, pb *hullPiece) bool {
	l, r := &s.left, &s.right
	return apartSecondOrder(n, &l.side, &r.side, pa.points, pb.points, s.signs(s.a), s.signs(s.b), s.accelAlong(n, l, r), s.opt.Clearance)
}

// Boxes that each choice of rules needs for a proof: those of arcs are the fewest by
// far, and second order adds nothing to them. docs/pairs.md quotes the figures.
func TestArcsSaveBoxes(t *testing.T) {
	robot := robots.Of(ball(robots.At(0.2, 0.3, 0.1), 0.1),
		robots.Hinge{Kind: urdf.Revolute, Origin: robots.At(0, 0, 0.5), Axis: ez, Lo: -1, Hi: 1},
		robots.Hinge{Parent: 1, Kind: urdf.Revolute, Origin: robots.At(0.3, 0, 0), Axis: ey, Lo: -1, Hi: 1},
		robots.Hinge{Parent: 2, Kind: urdf.Revolute, Origin: robots.At(0.3, 0, 0), Axis: ez, Lo: -1, Hi: 1, Parts: box(robots.At(0.15, 0, 0), 0.3, 0.05, 0.05)})
	boxes := boxesByRules(t, problemsOf(t, robot, Options{}))
	t.Logf("boxes by chords, with second order, with arcs, with both: %v", boxes)
	if boxes[2]*2 > boxes[1] || boxes[1] > boxes[0] || boxes[3] > boxes[2] {
		t.Error("not what the documents say")
	}
}

func TestArcsSaveBoxesOnRealRobots(t *testing.T) {
	race.LeaveOut(t)
	for _, name := range switches.Robots.Or("ur5e") {
		robot := shared(t, name+"/"+name+".urdf")
		t.Logf("%s: %v", name, boxesByRules(t, problemsOf(t, robot, Options{Boxes: 20_000})))
	}
}

// boxesByRules counts the boxes looked at for all pairs.
func boxesByRules(t *testing.T, ps []*problem) (boxes [4]int) {
	var answers [4][]Meeting
	for k := range boxes {
		for _, p := range ps {
			g := rigOf(p)
			g.tryAlong = func(n geom.Vec, pa, pb *hullPiece) bool {
				return g.byChords(n) || k&1 != 0 && g.bySecondOrder(n, pa, pb) || k&2 != 0 && g.byArcs(n)
			}
			g.decide()
			boxes[k] += g.out.Boxes
			answers[k] = append(answers[k], g.out.Meets)
		}
	}
	for i, p := range ps {
		seen := answers[0][i]
		for _, a := range answers {
			if a[i] != Undecided && seen != Undecided && seen != a[i] {
				t.Errorf("%s and %s: %v by some rules, %v by others", p.m.Bodies[p.a].Name, p.m.Bodies[p.b].Name, seen, a[i])
			}
			if seen == Undecided {
				seen = a[i]
			}
		}
	}
	return boxes
}

// maxVariables bounds the variables that move one side, as the rule of second order
// takes them.
const maxVariables = 64

// accelAlong bounds the acceleration along n of both sides' points, (A) for joints
// that move at a constant rate of delta: see apartSecondOrder.
func (s *scratch) accelAlong(n geom.Vec, l, r *limb) float64 {
	fa, fb := s.m.Bodies[s.a].Frame, s.m.Bodies[s.b].Frame
	return s.st.AccelerationAlong(fa, s.parting, l.radii, n) + s.st.AccelerationAlong(fb, s.parting, r.radii, n)
}
