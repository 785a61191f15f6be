package romtree

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/distance"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// skeleton is a robot's kinematic tree with balls around its links and subtrees at the current
// configuration.
type skeleton struct {
	m   *model.Model
	w   *distance.Searcher
	rom *RangeOfMotion // nil for none

	children [][]int32     // of those beyond which something has a shape
	own      []convex.Ball // per frame, in it: around its shapes
	subtrees []bool        // per frame: it or something beyond has a shape

	link, tree []convex.Ball // in the root link's frame
}

func newSkeleton(m *model.Model, rom *RangeOfMotion) *skeleton {
	n := len(m.Tree.Frames)
	s := &skeleton{
		m: m, w: distance.New(m), rom: rom, children: make([][]int32, n), own: make([]convex.Ball, n),
		subtrees: make([]bool, n), link: make([]convex.Ball, n), tree: make([]convex.Ball, n),
	}
	all := newSweeper(m, LimitsBox(m.Tree, nil), exact, 1, math.MaxInt)
	for k := n - 1; k >= 0; k-- {
		s.own[k] = all.own[k].ball()
		s.link[k], s.tree[k] = convex.Ball{Radius: -1}, convex.Ball{Radius: -1}
		s.subtrees[k] = s.subtrees[k] || s.own[k].Radius >= 0
		if p := m.Tree.Frames[k].Parent; p >= 0 && s.subtrees[k] {
			s.subtrees[p] = true
			s.children[p] = append(s.children[p], int32(k))
		}
	}
	return s
}

// place computes the balls at a configuration. A subtree has two: that of its range of
// motion, if it holds, and that around the balls of its links. The smaller one is used.
func (s *skeleton) place(ctx context.Context, state []float64, warm bool) {
	s.w.At(ctx, state, warm)
	useRom := s.rom != nil && s.rom.Holds(s.m, state, nil)
	st := s.w.State()
	for k := len(s.own) - 1; k >= 0; k-- {
		if !s.subtrees[k] {
			continue
		}
		st.Ensure(k)
		s.link[k] = placed(st, k, s.own[k])
		b := s.link[k]
		for _, c := range s.children[k] {
			b = around(b, s.tree[c])
		}
		if useRom && s.rom.Subtree[k].Known && s.rom.Subtree[k].Radius < b.Radius {
			b = placed(st, k, s.rom.Subtree[k].Ball)
		}
		s.tree[k] = b
	}
}

func (s *skeleton) element(i int) convex.Ball {
	c, r, slack := s.w.ElementBall(i)
	return convex.Ball{Center: c, Radius: r + slack}
}

// check validates a configuration and a question.
func (s *skeleton) check(state []float64, q Question) error {
	if !(q.Max >= 0 && q.Tolerance >= 0 && q.Relative >= 0 && q.Relative < 1 && q.Clearance >= 0) {
		return fmt.Errorf("a distance query with max %g m, tolerance %g m, %g of the distance and clearance %g m: give zero or more, and less than 1 of the distance",
			q.Max, q.Tolerance, q.Relative, q.Clearance)
	}
	if len(state) != len(s.m.Tree.Dofs) {
		return fmt.Errorf("a configuration of %d positions for a robot of %d variables", len(state), len(s.m.Tree.Dofs))
	}
	for d, x := range state {
		if x-x != 0 {
			return fmt.Errorf("position %g of joint %s is not finite", x, s.m.Tree.Dofs[d].Name)
		}
	}
	return nil
}

// enough is the lower bound from which nothing can improve on the distance found. Near contact
// the search continues, to decide whether there is contact.
func (q *Question) enough(found float64) float64 {
	limit := math.Inf(1)
	if q.Max > 0 {
		limit = q.Max
	}
	return min(limit, max(found*(1-q.Relative)-max(q.Tolerance, motion.DistanceRounding), found/2))
}

// inLink transforms a point of the root link's frame into the frame of an element's link;
// points of world objects stay in the root link's frame.
func (s *skeleton) inLink(element int, x geom.Vec) geom.Vec {
	link := s.m.Bodies[s.m.Elements[element].Body].Link
	if link < 0 {
		return x
	}
	pose := s.w.State().PoseWF[s.m.Elements[element].Frame].Mul(s.m.Tree.LinkPose[link])
	return pose.R.ApplyInv(r3.Sub(x, pose.P))
}
