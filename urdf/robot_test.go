package urdf

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// checkRobot fails unless r keeps what Load promises.
func checkRobot(t testing.TB, r *Robot) {
	t.Helper()
	if r.Root < 0 || r.Root >= len(r.Links) || r.Links[r.Root].ParentJoint != -1 {
		t.Fatalf("root %d of %d links", r.Root, len(r.Links))
	}
	if len(r.Joints) != len(r.Links)-1 {
		t.Fatalf("%d joints for %d links", len(r.Joints), len(r.Links))
	}
	for i := range r.Links {
		l := &r.Links[i]
		if r.Link(l.Name) != i {
			t.Errorf("Link(%q) = %d, want %d", l.Name, r.Link(l.Name), i)
		}
		k, steps := i, 0
		for ; r.Links[k].ParentJoint >= 0 && steps <= len(r.Links); steps++ {
			if r.Joints[r.Links[k].ParentJoint].Child != k {
				t.Fatalf("link %q and its parent joint disagree", l.Name)
			}
			k = r.Joints[r.Links[k].ParentJoint].Parent
		}
		if k != r.Root {
			t.Fatalf("link %q does not hang on the root", l.Name)
		}
		for _, c := range l.Collisions {
			if err := c.Shape.Validate(); err != nil {
				t.Errorf("link %q: %v", l.Name, err)
			}
			checkPose(t, l.Name, c.PoseLS)
		}
	}
	for i := range r.Joints {
		checkJoint(t, r, i)
	}
	if r.Link("no such") != -1 || r.Joint("no such") != -1 {
		t.Error("found what is not there")
	}
}

func checkJoint(t testing.TB, r *Robot, i int) {
	t.Helper()
	j := &r.Joints[i]
	if r.Joint(j.Name) != i {
		t.Errorf("Joint(%q) = %d, want %d", j.Name, r.Joint(j.Name), i)
	}
	checkPose(t, j.Name, j.PosePC)
	if n := r3.Norm(j.Axis); !(math.Abs(n-1) < 1e-15) {
		t.Errorf("joint %q: axis %v has length %v", j.Name, j.Axis, n)
	}
	bounded := j.Type == Revolute || j.Type == Prismatic
	if j.Limit.Bounded != bounded || !(j.Limit.Lower <= j.Limit.Upper) || !(j.Limit.Velocity >= 0) || math.IsInf(j.Limit.Upper-j.Limit.Lower, 0) {
		t.Errorf("joint %q: limit %+v", j.Name, j.Limit)
	}
	if m := j.Mimic; m != nil && (r.Joints[m.Joint].Mimic != nil || !geom.Finite(geom.Vec{X: m.Multiplier, Y: m.Offset})) {
		t.Errorf("joint %q: mimic %+v", j.Name, *m)
	}
}

func checkPose(t testing.TB, name string, p geom.Pose) {
	t.Helper()
	x, y := p.R.Apply(geom.Vec{X: 1}), p.R.Apply(geom.Vec{Y: 1})
	z := r3.Cross(x, y)
	if !geom.Finite(p.P) || !(r3.Norm(r3.Sub(z, p.R.Apply(geom.Vec{Z: 1}))) < 1e-14) || !(math.Abs(r3.Norm(z)-1) < 1e-14) {
		t.Errorf("%s: %+v is no pose", name, p)
	}
}

func TestLookupByHand(t *testing.T) {
	r := &Robot{Links: []Link{{Name: "a"}, {Name: "b"}}, Joints: []Joint{{Name: "j"}}}
	if r.Link("b") != 1 || r.Link("c") != -1 || r.Joint("j") != 0 || r.Joint("k") != -1 {
		t.Error("a Robot put together by hand does not find its links and joints")
	}
}
