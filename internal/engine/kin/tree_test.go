package kin_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

var (
	alongX = [3]float64{1, 0, 0}
	alongY = [3]float64{0, 1, 0}
	alongZ = [3]float64{0, 0, 1}
)

// near fails where two points are more than 1e-14 m apart, several roundings of
// the metre-sized numbers of these tests.
func near(t *testing.T, what string, got, want geom.Vec) {
	t.Helper()
	if !(r3.Norm(r3.Sub(got, want)) <= 1e-14) {
		t.Errorf("%s is at %v, want %v", what, got, want)
	}
}

func TestTwoLinkArm(t *testing.T) {
	p := plan{
		{kind: urdf.Revolute, axis: alongZ},
		{parent: 1, kind: urdf.Continuous, axis: alongZ, xyz: [3]float64{0.7, 0, 0}},
	}
	tree := p.tree(t)
	tip := geom.Vec{X: 0.4}
	for _, q := range [][2]float64{{0, 0}, {math.Pi / 2, 0}, {0.3, -0.6}, {-2.5, 3}, {1, math.Pi}} {
		s := still(tree, q[0], q[1])
		s1, c1 := math.Sincos(q[0])
		s12, c12 := math.Sincos(q[0] + q[1])
		near(t, "elbow", poseWL(s, 2).P, geom.Vec{X: 0.7 * c1, Y: 0.7 * s1})
		near(t, "tip", poseWL(s, 2).Apply(tip), geom.Vec{X: 0.7*c1 + 0.4*c12, Y: 0.7*s1 + 0.4*s12})
		near(t, "x of the forearm", poseWL(s, 2).R.Apply(geom.Vec{X: 1}), geom.Vec{X: c12, Y: s12})
	}
}

// The velocity of a planar arm's tip is its Jacobian times the joint rates.
func TestTwoLinkArmVelocity(t *testing.T) {
	p := plan{
		{kind: urdf.Revolute, axis: alongZ},
		{parent: 1, kind: urdf.Revolute, axis: [3]float64{0, 0, -2}, xyz: [3]float64{0.7, 0, 0}},
	}
	s := place(p.tree(t), curves{{0.2, 1.2}, {-0.3, 0.5}}, 0.5, 0, 1)
	q1, w1, q2, w2 := 0.7, 1.0, 0.1, 0.8 // the second axis points down
	s1, c1 := math.Sincos(q1)
	s12, c12 := math.Sincos(q1 - q2)
	tip := geom.Vec{X: 0.7*c1 + 0.4*c12, Y: 0.7*s1 + 0.4*s12}
	near(t, "velocity of the tip", s.Twist[2].At(tip), geom.Vec{
		X: -0.7*s1*w1 - 0.4*s12*(w1-w2), Y: 0.7*c1*w1 + 0.4*c12*(w1-w2),
	})
	near(t, "velocity relative to the upper arm", s.Twist[2].Sub(s.Twist[1]).At(tip), geom.Vec{
		X: 0.4 * s12 * w2, Y: -0.4 * c12 * w2,
	})
	near(t, "axis", s.AxisW[2], geom.Vec{Z: -1})
	near(t, "origin", s.OriginW[2], geom.Vec{X: 0.7 * c1, Y: 0.7 * s1})
}

func TestPanTilt(t *testing.T) {
	// Pan about z, then tilt about -y: the camera looks along x at zero.
	p := plan{
		{kind: urdf.Continuous, axis: alongZ, xyz: [3]float64{0, 0, 1.2}},
		{parent: 1, kind: urdf.Revolute, axis: [3]float64{0, -1, 0}, xyz: [3]float64{0, 0, 0.1}},
	}
	tree := p.tree(t)
	for _, q := range [][2]float64{{0, 0}, {1, 0.5}, {-2, 1.3}, {3, -0.4}} {
		s := still(tree, q[0], q[1])
		sp, cp := math.Sincos(q[0])
		st, ct := math.Sincos(q[1])
		near(t, "view point", poseWL(s, 2).Apply(geom.Vec{X: 2}), geom.Vec{X: 2 * ct * cp, Y: 2 * ct * sp, Z: 1.3 + 2*st})
	}
}

func TestGantry(t *testing.T) {
	p := plan{
		{kind: urdf.Prismatic, axis: alongX},
		{parent: 1, kind: urdf.Prismatic, axis: alongY, xyz: [3]float64{0, 0, 2}},
		{parent: 2, kind: urdf.Prismatic, axis: [3]float64{0, 0, -1}, rpy: [3]float64{0, 0, math.Pi / 2}},
	}
	s := place(p.tree(t), curves{{1, 3}, {0.5, -0.5}, {0, 0.5}}, 0.25, 0, 1)
	near(t, "tool", poseWL(s, 3).Apply(geom.Vec{X: 0.1}), geom.Vec{X: 1.5, Y: 0.25 + 0.1, Z: 2 - 0.125})
	near(t, "velocity of the tool", s.Twist[3].At(geom.Vec{X: 9, Y: 9, Z: 9}), geom.Vec{X: 2, Y: -1, Z: -0.5})
}

func TestRPYOrder(t *testing.T) {
	// Roll, then pitch, then yaw, about fixed axes: x ends up at pitch and yaw.
	p := plan{{kind: urdf.Revolute, axis: alongX, rpy: [3]float64{0.4, math.Pi / 2, math.Pi / 2}}}
	near(t, "x axis", still(p.tree(t), 0).AxisW[1], geom.Vec{Z: -1})
}

func TestMimic(t *testing.T) {
	// The second finger follows the first at -0.5 times its opening, plus 1 cm.
	p := plan{
		{kind: urdf.Prismatic, axis: alongX},
		{kind: urdf.Prismatic, axis: alongX, mimics: 1, mult: -0.5, offset: 0.01},
		{kind: urdf.Revolute, axis: alongZ, mimics: 1, mult: -3},
	}
	tree := p.tree(t)
	if len(tree.Dofs) != 1 {
		t.Fatalf("%d variables, want 1", len(tree.Dofs))
	}
	s := place(tree, curves{{0.1, 0.5}}, 0.5, 0, 1)
	near(t, "follower", poseWL(s, 2).P, geom.Vec{X: -0.14})
	near(t, "its velocity", s.Twist[2].Lin, geom.Vec{X: -0.2})
	sin, cos := math.Sincos(-0.9)
	near(t, "turner", poseWL(s, 3).R.Apply(geom.Vec{X: 1}), geom.Vec{X: cos, Y: sin})
	near(t, "its turning", s.Twist[3].Ang, geom.Vec{Z: -1.2})
	for k, m := range map[int]float64{1: 1, 2: 0.5, 3: 3} {
		if !(math.Abs(s.Delta[k]-0.2*m) < 1e-15 && math.Abs(s.Omega[k]-0.4*m) < 1e-15) {
			t.Errorf("joint %d: delta %g, omega %g, want %g and %g", k, s.Delta[k], s.Omega[k], 0.2*m, 0.4*m)
		}
	}
	// A mimic joint may come before the joint it follows.
	early := plan{
		{kind: urdf.Prismatic, axis: alongX, mimics: 2, mult: 2},
		{kind: urdf.Prismatic, axis: alongX},
	}
	near(t, "early follower", poseWL(still(early.tree(t), 0.3), 1).P, geom.Vec{X: 0.6})
}

// A planar joint slides in the plane with its normal and turns about it: x and y
// for the normal z, and these turned the shortest way otherwise.
func TestPlanar(t *testing.T) {
	for _, n := range [][3]float64{
		alongZ, alongX,
		{0, -1, 0},
		{1, 2, -3},
		{0, 0, -1},
		{1e-3, 0, -1},
		{1e-3, -2e-3, -1},
		{1e-5, 1e-5, -1},
		{0, 1e-8, -1},
		{1e-170, 0, -1},
	} {
		p := plan{{kind: urdf.Planar, axis: n}}
		tree := p.tree(t)
		if got := []string{tree.Dofs[0].Name, tree.Dofs[1].Name, tree.Dofs[2].Name}; !slices.Equal(got, []string{"j0/x", "j0/y", "j0/theta"}) || !tree.Dofs[2].Continuous {
			t.Fatalf("variables %v", got)
		}
		normal, _ := geom.Unit(asVec(n))
		x, y := still(tree, 1, 0, 0).PoseWF[3].P, still(tree, 0, 1, 0).PoseWF[3].P
		near(t, "x cross y", r3.Cross(x, y), normal)
		if e := math.Abs(r3.Norm(x)-1) + math.Abs(r3.Norm(y)-1) + math.Abs(r3.Dot(x, y)) + math.Abs(r3.Dot(x, normal)) + math.Abs(r3.Dot(y, normal)); !(e < 4e-15) {
			t.Errorf("normal %v: x %v and y %v are no unit vectors of its plane (%g)", n, x, y, e)
		}
		// Turned the shortest way from z: the axis of that turn stays.
		if a, ok := geom.Unit(r3.Cross(geom.Vec{Z: 1}, normal)); ok {
			stays := r3.Add(r3.Scale(a.X, x), r3.Scale(a.Y, y))
			near(t, "axis of the shortest turn", stays, a)
		}
		s := still(tree, 0.3, -0.2, 0.5)
		at := s.PoseWF[3]
		near(t, "place", at.P, r3.Add(r3.Scale(0.3, x), r3.Scale(-0.2, y)))
		near(t, "normal", at.R.Apply(normal), normal)
		near(t, "turned x", at.R.Apply(x), r3.Add(r3.Scale(math.Cos(0.5), x), r3.Scale(math.Sin(0.5), y)))
	}
}

// Links joined rigidly share a frame, and their poses in it are exact here.
func TestFixedJointsMerge(t *testing.T) {
	half := math.Pi / 2
	p := plan{
		{kind: urdf.Fixed, xyz: [3]float64{0, 0, 1}},
		{parent: 1, kind: urdf.Revolute, axis: alongZ, xyz: [3]float64{0.5, 0, 0}},
		{parent: 2, kind: urdf.Fixed, xyz: [3]float64{1, 0, 0}, rpy: [3]float64{0, 0, half}},
		{parent: 3, kind: urdf.Fixed, xyz: [3]float64{2, 0, 0}},
		{parent: 4, kind: urdf.Revolute, axis: alongX, xyz: [3]float64{0.25, 0, 0}},
	}
	tree := p.tree(t)
	if got := tree.LinkFrame; !slices.Equal(got, []int{0, 0, 1, 1, 1, 2}) {
		t.Fatalf("frames of the links %v", got)
	}
	s := still(tree, half, 0.7)
	near(t, "link 1", poseWL(s, 1).P, geom.Vec{Z: 1})
	near(t, "link 3", poseWL(s, 3).P, geom.Vec{X: 0.5, Y: 1, Z: 1})
	near(t, "link 4", poseWL(s, 4).P, geom.Vec{X: -1.5, Y: 1, Z: 1})
	near(t, "link 5", poseWL(s, 5).P, geom.Vec{X: -1.75, Y: 1, Z: 1})
	near(t, "axis of joint 5", s.AxisW[2], geom.Vec{X: -1})
}

func TestFloatingStaysAtItsOrigin(t *testing.T) {
	p := plan{
		{kind: urdf.Floating, xyz: [3]float64{0, 0, 0.5}},
		{parent: 1, kind: urdf.Prismatic, axis: alongX},
	}
	tree := p.tree(t)
	if !slices.Equal(tree.Immobile, []string{"j0"}) || len(tree.Dofs) != 1 {
		t.Errorf("immobile %v, %d variables", tree.Immobile, len(tree.Dofs))
	}
	near(t, "slider", poseWL(still(tree, 2), 2).P, geom.Vec{X: 2, Z: 0.5})
}

// hand is a stem of two joints with two fingers of two joints, listed so that
// neither links nor joints are in depth-first order.
var hand = plan{
	{kind: urdf.Revolute, axis: alongZ},                                          // link 1
	{parent: 1, kind: urdf.Prismatic, axis: alongX},                              // link 2, palm
	{parent: 2, kind: urdf.Revolute, axis: alongY, xyz: [3]float64{0, 0.1, 0}},   // link 3, left
	{parent: 2, kind: urdf.Revolute, axis: alongY, xyz: [3]float64{0, -0.1, 0}},  // link 4, right
	{parent: 3, kind: urdf.Revolute, axis: alongY, xyz: [3]float64{0, 0, 0.05}},  // link 5, left tip
	{parent: 4, kind: urdf.Prismatic, axis: alongZ, xyz: [3]float64{0, 0, 0.05}}, // link 6, right tip
	{parent: 5, kind: urdf.Fixed, xyz: [3]float64{0, 0, 0.01}},                   // link 7, left nail
}

func TestLinkOrderAndChains(t *testing.T) {
	tree := hand.tree(t)
	for i, d := range tree.Dofs {
		if d.Name != jointName(i) || tree.DofIndex(d.Name) != i {
			t.Errorf("variable %d is %s", i, d.Name)
		}
	}
	if tree.DofIndex("nosuch") != -1 {
		t.Error("found a variable that does not exist")
	}
	for k := 1; k < len(tree.Frames); k++ {
		if tree.Frames[k].Parent >= k {
			t.Errorf("frame %d comes before its parent", k)
		}
	}
	// The chain of every link's frame is the moving joints on its way out.
	for link := range tree.LinkFrame {
		var want []int
		for _, i := range hand.path(0, link) {
			if hand.moving(i) {
				want = append(want, i)
			}
		}
		var got []int
		for _, k := range tree.Chain(tree.LinkFrame[link]) {
			got = append(got, tree.Frames[k].Dof) // joint i has variable i here
		}
		if !slices.Equal(got, want) {
			t.Errorf("link %d moves with joints %v, want %v", link, got, want)
		}
	}
}

func TestParting(t *testing.T) {
	tree := hand.tree(t)
	for _, c := range []struct{ a, b, want int }{
		{0, 0, 0}, {0, 5, 0}, {1, 2, 1}, {2, 6, 2}, {3, 4, 2}, {5, 6, 2}, {5, 3, 3}, {7, 5, 4}, {7, 6, 2},
	} {
		fa, fb := tree.LinkFrame[c.a], tree.LinkFrame[c.b]
		if got, back := tree.Parting(fa, fb), tree.Parting(fb, fa); got != c.want || back != c.want {
			t.Errorf("links %d and %d share %d and %d joints, want %d", c.a, c.b, got, back, c.want)
		}
	}
}

func TestTreeErrors(t *testing.T) {
	tooLong := plan{}
	for i := range 257 {
		tooLong = append(tooLong, hinge{parent: i, kind: urdf.Revolute, axis: alongZ})
	}
	for _, c := range []struct {
		name string
		plan plan
		want []string
	}{
		{"follows a fixed joint", plan{{kind: urdf.Fixed}, {kind: urdf.Revolute, axis: alongZ, mimics: 1, mult: 1}}, []string{"joint j1", "j0"}},
		{"follows a follower", plan{
			{kind: urdf.Revolute, axis: alongZ},
			{kind: urdf.Revolute, axis: alongZ, mimics: 1, mult: 1},
			{kind: urdf.Revolute, axis: alongZ, mimics: 2, mult: 1},
		}, []string{"joint j2", "j1"}},
		{"follows a floating joint", plan{{kind: urdf.Floating}, {kind: urdf.Prismatic, axis: alongZ, mimics: 1, mult: 1}}, []string{"joint j1", "j0"}},
		{"follows a planar joint", plan{{kind: urdf.Planar, axis: alongZ}, {kind: urdf.Prismatic, axis: alongZ, mimics: 1, mult: 1}}, []string{"joint j1", "j0"}},
		{"planar follows", plan{{kind: urdf.Prismatic, axis: alongZ}, {kind: urdf.Planar, axis: alongZ, mimics: 1, mult: 1}}, []string{"joint j1", "planar"}},
		{"chain beyond the rounding argument", tooLong, []string{"link l257", "257", "256"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := kin.NewTree(c.plan.robot())
			if err == nil {
				t.Fatal("no error")
			}
			for _, w := range c.want {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("error %q does not say %q", err, w)
				}
			}
		})
	}
	if _, err := kin.NewTree(tooLong[:256].robot()); err != nil {
		t.Errorf("256 joints: %v", err)
	}
}
