package ccd

import (
	"context"
	"fmt"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// Sphere is a ball in the frame of a link (m).
type Sphere struct {
	Center geom.Vec
	Radius float64
}

// LinkTree is the sphere tree of a link, and the hull of the range of motion of all that
// hangs on it. Padding is included.
type LinkTree struct {
	Link string
	// Pose is where the link is in the root link's frame, at Checker.State.
	Pose geom.Pose
	// Spheres is how many spheres the link's tree has, Levels how many levels they make.
	Spheres, Levels int
	// Hull holds, in the link's frame, all links that move rigidly with it and everything
	// beyond them, in all configurations within the limits. It means nothing unless
	// Bounded: a joint beyond the link has no limits.
	Hull    Sphere
	Bounded bool
	// Beyond is how many links with collision geometry a joint moves against this one.
	Beyond int
	// Tight says that queries use the hull whenever the joints beyond are within their
	// limits, as it is about as small as spheres around where the links are.
	Tight bool
}

// LinkTrees lists the sphere trees of all links with collision geometry, in the robot's
// order, and builds the hulls if they are not built yet. It fails once ctx is done.
func (c *Checker) LinkTrees(ctx context.Context) ([]LinkTree, error) {
	h, _, err := c.hulls(ctx)
	if err != nil {
		return nil, err
	}
	m := c.model
	tree := m.Tree
	st := framesAt(tree, c.state)
	out := []LinkTree{}
	for i := range m.Bodies {
		b := &m.Bodies[i]
		if b.Kind != motion.RobotLink {
			continue
		}
		t := LinkTree{Link: b.Name, Pose: st.PoseWF[b.Frame].Mul(tree.LinkPose[b.Link])}
		for _, e := range b.Elements {
			n, levels := m.Elements[e].Spheres()
			t.Spheres, t.Levels = t.Spheres+n, max(t.Levels, levels)
		}
		hull, bounded, tight := h.Hull(b.Frame)
		t.Bounded, t.Tight = bounded, tight
		if bounded {
			back := tree.LinkPose[b.Link].Inv()
			t.Hull = Sphere{back.Apply(hull.Center), hull.Radius}
		}
		for k := range m.Bodies {
			if o := &m.Bodies[k]; o.Kind == motion.RobotLink && o.Frame != b.Frame && isBeyond(tree, o.Frame, b.Frame) {
				t.Beyond++
			}
		}
		out = append(out, t)
	}
	return out, nil
}

// isBeyond reports whether frame f hangs on frame k.
func isBeyond(tree *kin.Tree, f, k int) bool {
	for ; f > k; f = tree.Frames[f].Parent {
		if tree.Frames[f].Parent == k {
			return true
		}
	}
	return false
}

// LinkSpheres returns the spheres of one level of a link's tree, which hold all of the
// link together: those of that depth, and those above it that have nothing below. Level 0
// is one sphere for each collision element. It fails on a link that the robot lacks or
// that has no collision geometry, and on a level below 0.
func (c *Checker) LinkSpheres(link string, level int) ([]Sphere, error) {
	if level < 0 {
		return nil, fmt.Errorf("level %d of a sphere tree: give 0 or more", level)
	}
	m := c.model
	for i := range m.Bodies {
		b := &m.Bodies[i]
		if b.Kind != motion.RobotLink || b.Name != link {
			continue
		}
		var out []Sphere
		back := m.Tree.LinkPose[b.Link].Inv()
		for _, e := range b.Elements {
			el := &m.Elements[e]
			out = spheresOf(el, back.Mul(el.PoseFE), level, out)
		}
		return out, nil
	}
	return nil, fmt.Errorf("robot %s has no link %s with collision geometry", c.robot.Name, link)
}

// spheresOf appends the spheres of one level of an element.
func spheresOf(e *model.Element, pose geom.Pose, level int, to []Sphere) []Sphere {
	put := func(node int32) {
		center, radius := volume.Ball(e, node)
		to = append(to, Sphere{pose.Apply(center), radius})
	}
	if e.Leaves == nil {
		put(volume.Whole)
		return to
	}
	var down func(node int32, level int)
	down = func(node int32, level int) {
		left := e.Leaves.Tree.Nodes[node].Left
		if left < 0 || level == 0 {
			put(node)
			return
		}
		down(left, level-1)
		down(left+1, level-1)
	}
	down(0, level)
	return to
}
