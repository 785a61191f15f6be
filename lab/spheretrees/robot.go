package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/lab/spheretree"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// kind is a way to build trees.
type kind string

const (
	compact kind = "compact"
	nested  kind = "nested" // the compact tree's grouping, the greedy tree's balls
	greedy  kind = "greedy"
)

// part is one collision element of a link as a tree.
type part struct {
	link  int
	round bool // with curved sides
	tree  *spheretree.Tree
}

// robot is a robot with a tree for every collision element.
type robot struct {
	name   string
	urdf   *urdf.Robot
	parts  []part
	poseLS []geom.Pose // of each part's shape in its link
	joints []int       // those with a variable, indices of urdf.Joints
	lo, hi []float64   // their ranges
}

// facets is how far a curved side may be from its facets (m).
const facets = 1e-6

// load reads shared/robots/NAME/NAME.urdf, or another URDF below shared, with its SRDF
// where there is one.
func load(path, srdf string, k kind) (*robot, error) {
	u, err := urdf.Load(path, urdf.Options{SRDF: srdf})
	if err != nil {
		return nil, err
	}
	r := &robot{name: filepath.Base(path), urdf: u}
	for i := range u.Links {
		for _, c := range u.Links[i].Collisions {
			s, err := spheretree.OfShape(c.Shape, facets)
			if err != nil {
				return nil, fmt.Errorf("%s, link %s: %w", path, u.Links[i].Name, err)
			}
			t, err := plant(s, k)
			if err != nil {
				return nil, fmt.Errorf("%s, link %s: %w", path, u.Links[i].Name, err)
			}
			r.parts = append(r.parts, part{link: i, round: s.Radius > 0 || s.Deviation > 0, tree: t})
			r.poseLS = append(r.poseLS, c.PoseLS)
		}
	}
	for i := range u.Joints {
		j := &u.Joints[i]
		if j.Mimic != nil || j.Type == urdf.Fixed {
			continue
		}
		if j.Type == urdf.Floating || j.Type == urdf.Planar {
			return nil, fmt.Errorf("%s: joint %s: planar and floating joints are not placed here", path, j.Name)
		}
		lo, hi := -math.Pi, math.Pi
		if j.Limit.Bounded {
			lo, hi = j.Limit.Lower, j.Limit.Upper
		}
		r.joints = append(r.joints, i)
		r.lo, r.hi = append(r.lo, max(lo, -math.Pi)), append(r.hi, min(hi, math.Pi))
	}
	return r, nil
}

func plant(s spheretree.Surface, k kind) (*spheretree.Tree, error) {
	if k == greedy {
		return s.Greedy(0)
	}
	t, err := s.Compact()
	if err == nil && k == nested {
		t = t.Nested()
	}
	return t, err
}

// names are those of the joints with a variable, in the order of configurations.
func (r *robot) names() []string {
	var out []string
	for _, j := range r.joints {
		out = append(out, r.urdf.Joints[j].Name)
	}
	return out
}

// somewhere is a random configuration within the limits.
func (r *robot) somewhere(d *rand.Rand) []float64 {
	q := make([]float64, len(r.joints))
	for i := range q {
		q[i] = r.lo[i] + (r.hi[i]-r.lo[i])*d.Float64()
	}
	return q
}

// place puts every part where configuration q has it, in the root link's frame.
func (r *robot) place(q []float64, out []spheretree.Placed) []spheretree.Placed {
	value := make([]float64, len(r.urdf.Joints))
	for i, j := range r.joints {
		value[j] = q[i]
	}
	poses := make([]geom.Pose, len(r.urdf.Links))
	done := make([]bool, len(poses))
	var pose func(link int) geom.Pose
	pose = func(link int) geom.Pose {
		if !done[link] {
			done[link] = true
			poses[link] = geom.IdentityPose()
			if p := r.urdf.Links[link].ParentJoint; p >= 0 {
				poses[link] = pose(r.urdf.Joints[p].Parent).Mul(jointPose(r.urdf, p, value))
			}
		}
		return poses[link]
	}
	out = out[:0]
	for i := range r.parts {
		out = append(out, spheretree.Placed{Tree: r.parts[i].tree, PoseWT: pose(r.parts[i].link).Mul(r.poseLS[i])})
	}
	return out
}

// jointPose is the pose of a joint's child in its parent.
func jointPose(u *urdf.Robot, joint int, value []float64) geom.Pose {
	j := &u.Joints[joint]
	x := value[joint]
	if j.Mimic != nil {
		x = j.Mimic.Multiplier*value[j.Mimic.Joint] + j.Mimic.Offset
	}
	switch j.Type {
	case urdf.Revolute, urdf.Continuous:
		return j.PosePC.Mul(geom.Pose{R: geom.AxisAngle(j.Axis, x)})
	case urdf.Prismatic:
		return j.PosePC.Mul(geom.Translation(geom.Vec{X: x * j.Axis.X, Y: x * j.Axis.Y, Z: x * j.Axis.Z}))
	}
	return j.PosePC
}

// linkPairs are the pairs of links that are checked: not joined by a joint, not
// disabled by the SRDF, and, where there is no SRDF, not touching in most of a few
// random configurations.
func (r *robot) linkPairs() [][2]int {
	off := map[[2]int]bool{}
	for _, j := range r.urdf.Joints {
		off[[2]int{min(j.Parent, j.Child), max(j.Parent, j.Child)}] = true
	}
	if s := r.urdf.Semantic; s != nil {
		for _, d := range s.Disabled {
			off[[2]int{d.A, d.B}] = true
		}
	}
	var out [][2]int
	for a := range r.urdf.Links {
		for b := a + 1; b < len(r.urdf.Links); b++ {
			if len(r.urdf.Links[a].Collisions) > 0 && len(r.urdf.Links[b].Collisions) > 0 && !off[[2]int{a, b}] {
				out = append(out, [2]int{a, b})
			}
		}
	}
	return r.notAlways(out)
}

// notAlways leaves out pairs that touch in more than a third of some configurations.
func (r *robot) notAlways(pairs [][2]int) [][2]int {
	const tries = 12
	touched := make([]int, len(pairs))
	rankings := make([]*spheretree.Ranking, len(pairs))
	for i, p := range pairs {
		rankings[i] = spheretree.NewRanking(r.partPairs([][2]int{p}))
	}
	d := rand.New(rand.NewPCG(2, 2))
	for range tries {
		placed := r.place(r.somewhere(d), nil)
		for i := range pairs {
			if _, found := rankings[i].Closest(placed, spheretree.Query{Max: 1e-6}); found.Distance == 0 {
				touched[i]++
			}
		}
	}
	var out [][2]int
	for i, p := range pairs {
		if 3*touched[i] <= tries {
			out = append(out, p)
		}
	}
	return out
}

// partPairs are the pairs of parts of pairs of links.
func (r *robot) partPairs(pairs [][2]int) [][2]int32 {
	of := map[int][]int32{}
	for i := range r.parts {
		of[r.parts[i].link] = append(of[r.parts[i].link], int32(i))
	}
	var out [][2]int32
	for _, p := range pairs {
		for _, a := range of[p[0]] {
			for _, b := range of[p[1]] {
				out = append(out, [2]int32{a, b})
			}
		}
	}
	return out
}
