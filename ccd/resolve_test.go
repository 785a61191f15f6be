package ccd

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/premise"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// At tells where a resolved motion is, and its parts are checked like the whole.
func TestResolvedMotionIsTheOneChecked(t *testing.T) {
	wheel := chainOf(chainJoint{name: "w", kind: urdf.Continuous, origin: geom.IdentityPose(), axis: geom.Vec{Z: 1}, shape: ball(0.05), at: pose(1, 0, 0)})
	c := newChecker(t, wheel, worldOf(object("post", ball(0.05), pose(-1, 0, 0))))
	m := path(t, []string{"w"}, []float64{3}, []float64{-3}, []float64{-2.5})
	m.Gaps = []premise.Premise{{Kind: premise.Attached, Names: []string{"cup"}, Detail: "carried", Remedy: "remove it"}}
	r, err := c.Resolve(m)
	if err != nil {
		t.Fatal(err)
	}
	if !r.KeepTurns || len(r.Gaps) != 1 || m.KeepTurns || m.Pieces[0].Ctrl[0][1] != -3 {
		t.Errorf("resolved %+v of %+v", r, m)
	}
	if at := r.At(0.5)[0]; math.Abs(at-math.Pi) > 1e-12 {
		t.Errorf("half way it is at %v, want pi", at)
	}
	m.Gaps, r.Gaps = nil, nil
	whole := ask(t, c, m, motion.Query{})
	if same := ask(t, c, r, motion.Query{}); same.Status != motion.Contact || math.Abs(same.TOC.Hi-whole.TOC.Hi) > 1e-9 {
		t.Errorf("%v in %v, resolved %v in %v", whole.Status, whole.TOC, same.Status, same.TOC)
	}
	before, after, err := r.Split(whole.TOC.Lo - 0.01)
	if err != nil {
		t.Fatal(err)
	}
	if v := ask(t, c, before, motion.Query{}); v.Status != motion.Free {
		t.Errorf("before the contact: %v", v.Status)
	}
	if v := ask(t, c, after, motion.Query{}); v.Status != motion.Contact || math.Abs(v.TOC.Hi-whole.TOC.Hi) > 1e-5 {
		t.Errorf("after the cut: %v at %g, want %g", v.Status, v.TOC.Hi, whole.TOC.Hi)
	}
	if again, err := c.Resolve(r); err != nil || !slices.Equal(again.At(1), r.At(1)) {
		t.Errorf("resolved again: %v, %v", again, err)
	}
	if _, err := c.Resolve(&motion.Motion{}); err == nil {
		t.Error("what is no motion is resolved")
	}
}

// At every waypoint every link is where the numbers given put it, whatever follows
// what, and At of the resolved motion gives the configuration that the engines place.
func TestWaypointsAreMet(t *testing.T) {
	d := rand.New(rand.NewPCG(10, 3))
	mults := []float64{0.1, 0.25, 0.5, 1, -1, 2, -3, 1. / 3, 0}
	kinds := []urdf.JointType{urdf.Revolute, urdf.Continuous, urdf.Prismatic}
	for range 300 {
		joints := []chainJoint{{name: "a", kind: urdf.Continuous}, {name: "b", kind: kinds[d.IntN(3)]}}
		for _, name := range []string{"c", "d"} {
			joints = append(joints, chainJoint{name: name, kind: kinds[d.IntN(3)], mimic: &urdf.Mimic{Joint: d.IntN(2), Multiplier: mults[d.IntN(len(mults))], Offset: d.NormFloat64()}})
		}
		for i := range joints {
			joints[i].origin, joints[i].axis = pose(0.3, 0.1, 0), geom.Vec{X: 1}
			if d.IntN(2) == 0 {
				joints[i].axis = geom.Vec{Z: 1}
			}
			joints[i].shape, joints[i].at = ball(0.01), pose(0, 0, 0.1)
		}
		c := newChecker(t, chainOf(joints...), worldOf(object("far", ball(0.1), pose(500, 0, 0))))
		names := []string{"a", "b"}
		own := d.IntN(2) == 0 // rows for the followers too
		if own {
			names = append(names, "c", "d")
		}
		var way [][]float64
		for range 6 {
			q := []float64{12 * d.NormFloat64(), 5 * d.NormFloat64()}
			for _, j := range joints[2:] {
				q = append(q, j.mimic.Multiplier*q[j.mimic.Joint]+j.mimic.Offset)
			}
			way = append(way, q[:len(names)])
		}
		m := path(t, names, way...)
		r, err := c.Resolve(m)
		if err != nil {
			t.Fatal(err)
		}
		for i, q := range way {
			if e := apart(c, q[:2], r.At(float64(i))[:2]); e > 1e-11 {
				t.Fatalf("at waypoint %d a link is %g from where the numbers put it", i, e)
			}
		}
		for p := range r.Pieces {
			for j, ctrl := range r.Pieces[p].Ctrl {
				if j < 2 && math.Abs(ctrl[1]-ctrl[0]) > math.Abs(m.Pieces[p].Ctrl[j][1]-m.Pieces[p].Ctrl[j][0])+1e-9 {
					t.Fatalf("joint %d takes the long way on piece %d: %v for %v", j, p, ctrl, m.Pieces[p].Ctrl[j])
				}
			}
		}
		if own { // still a motion of this robot: followers do as told
			if _, err := c.Resolve(r); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// apart is the farthest that a link's origin, or a point 1 m from it, is apart in two
// configurations.
func apart(c *Checker, a, b []float64) float64 {
	place := func(q []float64) *kin.State {
		s := kin.NewState(c.model.Tree)
		around := make([]kin.Around, len(q))
		for i := range q {
			around[i] = kin.Around{Q: q[i], MaxAbs: math.Abs(q[i])}
		}
		s.Set(around)
		return s
	}
	x, y, worst := place(a), place(b), 0.0
	for f := range x.PoseWF {
		for _, p := range []geom.Vec{{}, {X: 1}, {Y: 1}} {
			worst = max(worst, geom.Norm(r3.Sub(x.PoseWF[f].Apply(p), y.PoseWF[f].Apply(p))))
		}
	}
	return worst
}
