package kin_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/exact"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// hinge is one joint as a URDF file would write it: raw numbers, which the code
// under test gets rounded (as a urdf.Robot) and the arbitrary-precision twin
// gets as they are.
type hinge struct {
	parent       int // link index; hinge i moves link i+1, link 0 is the root
	kind         urdf.JointType
	rpy, xyz     [3]float64
	axis         [3]float64 // of any length
	mimics       int        // 1 + the hinge it follows, 0 for none
	mult, offset float64
}

// plan is a robot, hinge by hinge, parents first.
type plan []hinge

// robot writes the plan as a URDF loader would.
func (p plan) robot() *urdf.Robot {
	r := &urdf.Robot{Name: "plan", Links: []urdf.Link{{Name: "l0", ParentJoint: -1}}}
	for i, h := range p {
		axis, _ := geom.Unit(geom.Vec{X: h.axis[0], Y: h.axis[1], Z: h.axis[2]})
		j := urdf.Joint{
			Name: jointName(i), Type: h.kind, Parent: h.parent, Child: i + 1, Axis: axis,
			PosePC: geom.Pose{R: geom.RPY(h.rpy[0], h.rpy[1], h.rpy[2]), P: geom.Vec{X: h.xyz[0], Y: h.xyz[1], Z: h.xyz[2]}},
		}
		if h.mimics > 0 {
			j.Mimic = &urdf.Mimic{Joint: h.mimics - 1, Multiplier: h.mult, Offset: h.offset}
		}
		r.Links = append(r.Links, urdf.Link{Name: fmt.Sprint("l", i+1), ParentJoint: i})
		r.Joints = append(r.Joints, j)
	}
	return r
}

func jointName(i int) string { return fmt.Sprint("j", i) }

// tree builds the plan's tree, which must succeed.
func (p plan) tree(t testing.TB) *kin.Tree {
	t.Helper()
	tree, err := kin.NewTree(p.robot())
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// treeOrDie is tree for generators, which draw valid plans only.
func (p plan) treeOrDie() *kin.Tree {
	tree, err := kin.NewTree(p.robot())
	if err != nil {
		panic(err)
	}
	return tree
}

// twin returns the plan as written, with the curves of its variables.
func (p plan) twin(cs curves) exact.Chain {
	o := newOracle(p, cs)
	var c exact.Chain
	for i, h := range p {
		j := exact.Joint{
			Parent: h.parent, Kind: h.kind, XYZ: asVec(h.xyz), RPY: asVec(h.rpy), Axis: asVec(h.axis),
			Mimics: h.mimics > 0, Mult: h.mult, Offset: h.offset,
		}
		if h.kind != urdf.Fixed {
			j.Ctrl = cs[o.dofOf[i]]
		}
		c = append(c, j)
	}
	return c
}

// path returns the hinges from link a (exclusive) out to link b.
func (p plan) path(a, b int) []int {
	var hs []int
	for l := b; l != a; l = p[l-1].parent {
		hs = append([]int{l - 1}, hs...)
	}
	return hs
}

// moving reports whether hinge i has a variable.
func (p plan) moving(i int) bool { return p[i].kind != urdf.Fixed }

// curves are the control points of each variable of a tree, in its order.
type curves [][]float64

// at returns what every variable does around c.
func (cs curves) at(c, lo, hi float64) []kin.Around {
	as := make([]kin.Around, len(cs))
	for i, ctrl := range cs {
		k := kin.NewCurve(ctrl, make([]float64, kin.CurveSize(len(ctrl))))
		as[i] = k.Around(c, lo, hi)
	}
	return as
}

// place returns the state of the tree around c.
func place(tree *kin.Tree, cs curves, c, lo, hi float64) *kin.State {
	s := kin.NewState(tree)
	s.Set(cs.at(c, lo, hi))
	return s
}

// still is the state of the tree at rest at the given positions.
func still(tree *kin.Tree, q ...float64) *kin.State {
	as := make([]kin.Around, len(q))
	for i := range q {
		as[i] = kin.Around{Q: q[i], MaxAbs: math.Abs(q[i])}
	}
	s := kin.NewState(tree)
	s.Set(as)
	return s
}

// poseWL is the pose of a link in the root's frame.
func poseWL(s *kin.State, link int) geom.Pose {
	return s.PoseWF[s.Tree.LinkFrame[link]].Mul(s.Tree.LinkPose[link])
}

// rounds is n, or many times n in the long form.
func rounds(n int) int {
	return switches.Long.Times(n, 50)
}

// source returns the fixed random numbers of a campaign: failures repeat, and
// the mutation campaign sees the same cases every time.
func source(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x6b696e)) }

func symmetric(r *rand.Rand, size float64) float64 { return size * (2*r.Float64() - 1) }

func randomTriple(r *rand.Rand, size float64) [3]float64 {
	return [3]float64{symmetric(r, size), symmetric(r, size), symmetric(r, size)}
}

func randomUnit(r *rand.Rand) geom.Vec {
	for {
		v, ok := geom.Unit(geom.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()})
		if ok {
			return v
		}
	}
}

func asVec(a [3]float64) geom.Vec { return geom.Vec{X: a[0], Y: a[1], Z: a[2]} }
func asTriple(v geom.Vec) [3]float64 {
	return [3]float64{v.X, v.Y, v.Z}
}
