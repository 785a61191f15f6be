package kin

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// turnAndSlide is a robot of two joints whose root link moves.
func turnAndSlide(t *testing.T) (*Tree, Root) {
	t.Helper()
	robot := &urdf.Robot{
		Name: "two", Links: []urdf.Link{{Name: "a", ParentJoint: -1}, {Name: "b", ParentJoint: 0}, {Name: "c", ParentJoint: 1}},
		Joints: []urdf.Joint{
			{Name: "turn", Type: urdf.Revolute, Parent: 0, Child: 1, PosePC: geom.Pose{R: geom.RPY(1, 2, 3), P: geom.Vec{X: 1, Y: -2}}, Axis: geom.Vec{X: 0.6, Z: 0.8}},
			{Name: "slide", Type: urdf.Prismatic, Parent: 1, Child: 2, PosePC: geom.Translation(geom.Vec{Z: 3}), Axis: geom.Vec{Y: 1}},
		},
	}
	tree, err := NewRootedTree(robot)
	if err != nil {
		t.Fatal(err)
	}
	return tree, Root{Axis: geom.Vec{Y: 0.6, Z: -0.8}, Pose: geom.Pose{R: geom.RPY(-1, 0.5, 2), P: geom.Vec{X: 4, Y: 5, Z: 6}}}
}

// Frames placed joint by joint by what Joint tells are where State places them, to
// within what both say they err by; a root that moves included.
func TestJointPlacesWhatStatePlaces(t *testing.T) {
	tree, root := turnAndSlide(t)
	positions := []float64{0.7, -1.3, 0.2, -0.4, 2.2, 1.1}
	around := make([]Around, len(positions))
	for i, q := range positions {
		around[i] = Around{Q: q, MaxAbs: 3}
	}
	s := NewState(tree)
	s.Root = root
	s.Set(around)
	at := make([]geom.Pose, len(tree.Frames))
	at[0] = geom.IdentityPose()
	for k := 1; k < len(tree.Frames); k++ {
		f := &tree.Frames[k]
		pose, axis, errR, errP := tree.Joint(k, &root, 3)
		if !(errR > 0) || f.root == rootPose && !(errP > 0) {
			t.Errorf("frame %d is said to err by %g and %g", k, errR, errP)
		}
		q := f.Mult*positions[f.Dof] + f.Offset
		local := geom.Pose{R: geom.AxisAngle(axis, q)}
		if f.Prismatic {
			local = geom.Translation(r3.Scale(q, axis))
		}
		at[k] = at[f.Parent].Mul(pose).Mul(local)
		for _, p := range []geom.Vec{{}, {X: 1}, {Y: 2}, {Z: -3}} {
			if d := r3.Norm(r3.Sub(at[k].Apply(p), s.PoseWF[k].Apply(p))); !(d <= 1e-13) || math.IsNaN(d) {
				t.Errorf("frame %d places %v off by %g", k, p, d)
			}
		}
	}
}

// Frames placed from one of them are where they are seen from it, and move as is seen from it.
func TestPlacedFromAFrame(t *testing.T) {
	tree, root := turnAndSlide(t)
	around := make([]Around, len(tree.Dofs))
	for i := range around {
		around[i] = Around{Q: 0.3 * float64(i+1), QD: 0.5 - 0.2*float64(i)}
	}
	all, s := NewState(tree), NewState(tree)
	all.Root, s.Root = root, root
	all.Set(around)
	for f := range tree.Frames {
		s.PlaceFrom(f, around)
		own := all.PoseWF[f].Inv()
		for k := f; k < len(tree.Frames); k++ { // the frames are a chain
			s.Ensure(k)
			x := geom.Vec{X: 1, Y: 2, Z: -3} // of frame k
			at, seen := all.PoseWF[k].Apply(x), s.PoseWF[k].Apply(x)
			v := own.R.Apply(all.Twist[k].Sub(all.Twist[f]).At(at))
			if d, dv := geom.Norm(r3.Sub(own.Apply(at), seen)), geom.Norm(r3.Sub(v, s.Twist[k].At(seen))); !(d <= 1e-13) || !(dv <= 1e-13) {
				t.Errorf("frame %d, placed from %d, is off by %g m and %g m/s", k, f, d, dv)
			}
		}
	}
}
