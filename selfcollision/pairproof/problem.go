package pairproof

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// subject is a compiled robot: what all its pairs share. Immutable.
type subject struct {
	robot *urdf.Robot
	m     *model.Model
	rest  []float64 // positions of variables that are not between a pair's links
	ends  []Variable
	opt   Options
}

// newSubject compiles the robot with all pairs of elements to examine.
func newSubject(ctx context.Context, robot *urdf.Robot, r *Report, opt Options) (*subject, error) {
	if !(opt.Clearance >= 0) || math.IsInf(opt.Clearance, 0) {
		return nil, fmt.Errorf("clearance %g must be zero or more metres", opt.Clearance)
	}
	for link := range opt.LinkPadding {
		if robot.Link(link) < 0 {
			return nil, fmt.Errorf("padding is given for link %s, which the robot does not have", link)
		}
	}
	padding := func(link string) float64 {
		if p, ok := opt.LinkPadding[link]; ok {
			return p
		}
		return opt.Padding
	}
	lib := &model.Library{}
	if opt.Shapes != nil {
		lib = opt.Shapes.library
	}
	m, err := model.NewContext(ctx, robot, nil, padding, lib)
	if err != nil {
		return nil, err
	}
	s := &subject{robot: robot, m: m, ends: r.Variables, opt: opt, rest: make([]float64, len(r.Variables))}
	if err := s.choose(); err != nil {
		return nil, fmt.Errorf("robot %s: %w", robot.Name, err)
	}
	for d, v := range s.ends {
		if !v.Unbounded && (v.Lo > 0 || v.Hi < 0) {
			s.rest[d] = v.Lo + (v.Hi-v.Lo)/2
		}
	}
	return s, nil
}

// choose sets the pairs of the model to those of the options. It fails on more than
// limit.RobotPairs pairs of collision elements.
func (s *subject) choose() error {
	if s.opt.Only == nil {
		return s.m.PairAll(nil)
	}
	body := map[int]int{}
	for i := range s.m.Bodies {
		body[s.m.Bodies[i].Link] = i
	}
	var pairs [][2]int
	n := 0
	for k, wanted := range s.opt.Only {
		a, hasA := body[k[0]]
		b, hasB := body[k[1]]
		if !wanted || !hasA || !hasB || a == b {
			continue
		}
		pairs = append(pairs, [2]int{min(a, b), max(a, b)})
		n += len(s.m.Bodies[a].Elements) * len(s.m.Bodies[b].Elements)
	}
	if n > limit.RobotPairs {
		return fmt.Errorf("%d pairs of collision elements are to be decided, more than the %d that fit into memory: ask about fewer pairs of links", n, limit.RobotPairs)
	}
	slices.SortFunc(pairs, func(p, q [2]int) int { return slices.Compare(p[:], q[:]) })
	s.m.PairOnly(slices.Compact(pairs))
	return nil
}

// problem is one pair of links.
type problem struct {
	*subject
	a, b      int // bodies of the model
	elements  []int32
	parting   int
	vars      []int     // the variables between the two
	lo, hi    []float64 // their box
	unlimited string    // a joint between them without a range; empty if there is none
}

// problems lists the pairs to examine, in the order of their links.
func (s *subject) problems() []*problem {
	var out []*problem
	at := map[[2]int]*problem{}
	for i := range s.m.Pairs {
		q := &s.m.Pairs[i]
		a, b := s.m.Elements[q.A].Body, s.m.Elements[q.B].Body
		if s.m.Bodies[a].Link > s.m.Bodies[b].Link {
			a, b = b, a
		}
		p := at[[2]int{a, b}]
		if p == nil {
			p = s.problem(a, b)
			at[[2]int{a, b}] = p
			out = append(out, p)
		}
		p.elements = append(p.elements, int32(i))
	}
	slices.SortFunc(out, func(p, q *problem) int {
		if c := p.link(p.a) - q.link(q.a); c != 0 {
			return c
		}
		return p.link(p.b) - q.link(q.b)
	})
	return out
}

func (s *subject) link(body int) int { return s.m.Bodies[body].Link }

// problem finds what moves two bodies relative to each other.
func (s *subject) problem(a, b int) *problem {
	p := &problem{subject: s, a: a, b: b}
	fa, fb := s.m.Bodies[a].Frame, s.m.Bodies[b].Frame
	p.parting = s.m.Tree.Parting(fa, fb)
	between := map[int]bool{}
	for _, f := range [2]int{fa, fb} {
		for _, k := range s.m.Tree.Chain(f)[p.parting:] {
			if d := s.m.Tree.Frames[k].Dof; !between[d] {
				between[d] = true
				p.vars = append(p.vars, d)
			}
		}
	}
	slices.Sort(p.vars)
	for _, d := range p.vars {
		v := s.ends[d]
		if v.Unbounded {
			p.unlimited = v.Name
			v.Lo, v.Hi = -1, 1 // only to look for a witness in
		}
		if s.m.Tree.Dofs[d].Continuous && !s.periodic(d, fa, fb, p.parting) {
			p.unlimited = v.Name // a turn, which is looked at, is not all
		}
		lo, hi := s.folded(d, v.Lo, v.Hi)
		p.lo, p.hi = append(p.lo, lo), append(p.hi, hi)
	}
	if j := s.floatingBetween(s.m.Bodies[a].Link, s.m.Bodies[b].Link); j != "" {
		p.unlimited = j
	}
	return p
}

// periodic reports whether a full turn of variable d returns both frames to the same
// relative pose: every joint that follows it, beyond the common part of the chains, makes
// whole turns. A prismatic joint or a fractional multiplier never returns.
func (s *subject) periodic(d, a, b, parting int) bool {
	for _, f := range [2]int{a, b} {
		for _, k := range s.m.Tree.Chain(f)[parting:] {
			j := &s.m.Tree.Frames[k]
			if j.Dof == d && j.Mult != 0 && (j.Prismatic || j.Mult != math.Trunc(j.Mult)) {
				return false
			}
		}
	}
	return true
}

// folded cuts a range to a full turn if that loses no pose: if every joint that the
// variable moves is revolute with multiplier 1 or -1.
func (s *subject) folded(d int, lo, hi float64) (float64, float64) {
	if hi-lo <= 2*halfTurn {
		return lo, hi
	}
	for k := range s.m.Tree.Frames {
		f := &s.m.Tree.Frames[k]
		if f.Dof == d && (f.Prismatic || math.Abs(f.Mult) != 1) {
			return lo, hi
		}
	}
	// Rounding the ends must not leave a gap: the turn is wider by more than they err.
	wide := 2*halfTurn + 8*u*(math.Abs(lo)+math.Abs(hi))
	if lo < -halfTurn && hi > halfTurn {
		return -wide / 2, wide / 2
	}
	return lo, math.Min(hi, lo+wide)
}

// floatingBetween names a floating joint between two links, or returns "". Such a joint
// has no variable and no range.
func (s *subject) floatingBetween(a, b int) string {
	up := map[int]bool{}
	for _, l := range [2]int{a, b} {
		for j := s.robot.Links[l].ParentJoint; j >= 0; j = s.robot.Links[s.robot.Joints[j].Parent].ParentJoint {
			if s.robot.Joints[j].Type == urdf.Floating {
				up[j] = !up[j] // above both: not between
			}
		}
	}
	for j, between := range up {
		if between {
			return s.robot.Joints[j].Name
		}
	}
	return ""
}

// state returns the whole robot's configuration for positions of the variables
// between the two.
func (p *problem) state(q []float64) []float64 {
	out := slices.Clone(p.rest)
	for i, d := range p.vars {
		out[d] = q[i]
	}
	return out
}

// report starts the pair's entry in the report.
func (p *problem) report() Pair {
	a, b := &p.m.Bodies[p.a], &p.m.Bodies[p.b]
	return Pair{A: a.Link, B: b.Link, LinkA: a.Name, LinkB: b.Name, Joints: p.vars, VolumeLeft: 1}
}

// around says what every variable does where those of the pair stay within delta
// of q, for a piece of motion that the box of sizes maxAbs bounds.
func (p *problem) around(out []kin.Around, q, delta []float64) {
	for d := range out {
		out[d] = kin.Around{Q: p.rest[d], MaxAbs: math.Abs(p.rest[d])}
	}
	for i, d := range p.vars {
		x := kin.Around{Q: q[i], MaxAbs: math.Max(math.Abs(p.lo[i]), math.Abs(p.hi[i]))}
		if delta != nil {
			x.Delta, x.Omega = delta[i], delta[i]
		}
		out[d] = x
	}
}
