package robots

import (
	"reflect"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Chance draws each kind of joint and each oddity often, and equal seeds draw equal
// robots.
func TestRobotsAreOfEveryKind(t *testing.T) {
	seen := map[string]int{}
	for i := range uint64(400) {
		draw := func() *urdf.Robot { return NewDice(1, i).Robot(Plan{Odd: 3, Far: 1e3}) }
		r := draw()
		if !reflect.DeepEqual(r, draw()) {
			t.Fatalf("robot %d is another one the second time", i)
		}
		moves := false
		for k := range r.Joints {
			j := &r.Joints[k]
			seen[j.Type.String()]++
			moves = moves || j.Type != urdf.Fixed
			if j.Parent != k {
				seen["branch"]++
			}
			if j.Parent > k || j.Child != k+1 || r.Links[k+1].ParentJoint != k {
				t.Fatalf("robot %d: joint %d moves link %d of link %d", i, k, j.Child, j.Parent)
			}
			if m := j.Mimic; m != nil {
				seen["mimic"]++
				if m.Multiplier == 1 || m.Multiplier == -1 {
					seen["one to one"]++
				}
				if m.Joint >= k || r.Joints[m.Joint].Mimic != nil {
					t.Fatalf("robot %d: joint %d follows joint %d", i, k, m.Joint)
				}
			}
			switch far := geom.Norm(j.PosePC.P); {
			case far == 0:
				seen["on the spot"]++
			case far < 1e-5:
				seen["tiny"]++
			case far > 10:
				seen["far"]++
			}
			if j.Limit.Bounded && j.Limit.Lower == j.Limit.Upper {
				seen["no range"]++
			}
			if up := r.Links[j.Parent].ParentJoint; up >= 0 && j.Axis == r.Joints[up].Axis && j.PosePC.R == geom.Identity() {
				seen["parallel"]++
			}
		}
		if !moves {
			t.Errorf("nothing moves in robot %d", i)
		}
	}
	for _, what := range []string{
		"fixed", "revolute", "continuous", "prismatic", "planar", "branch", "mimic", "one to one", "on the spot", "tiny", "far", "no range", "parallel",
	} {
		if seen[what] < 8 {
			t.Errorf("%s: %d times", what, seen[what])
		}
	}
}

// Every form is a shape of the size asked for; unknown forms are none of the sets.
func TestShapesOfEveryForm(t *testing.T) {
	kinds := map[Form]shape.Kind{
		Sphere: shape.Sphere, Block: shape.Box, Cylinder: shape.Cylinder, Capsule: shape.Capsule, Cone: shape.Cone,
		Cells: shape.Cells, Cell: shape.Cells, Cloud: shape.Points, Dust: shape.Points,
	}
	flat := 0
	for f := Sphere; f <= Dust; f++ {
		want, ok := kinds[f]
		if !ok {
			want = shape.Mesh
		}
		for i := range uint64(50) {
			s := NewDice(2, i).Shape(0.1, f)
			if s.Kind != want {
				t.Fatalf("form %d is a %v", f, s.Kind)
			}
			if s.Kind == shape.Mesh && len(s.Mesh.Triangles) < 3 || s.Kind == shape.Points && len(s.Points) == 0 || s.Kind == shape.Cells && len(s.Cells) == 0 {
				t.Fatalf("form %d, %d: empty", f, i)
			}
			if f == Dust && s.Radius == 0 {
				flat++
			}
		}
	}
	if flat < 10 || flat > 40 {
		t.Errorf("%d of 50 clouds have no extent", flat)
	}
}

// Motions are valid and do what is asked for.
func TestMotions(t *testing.T) {
	seen := map[string]int{}
	for i := range uint64(300) {
		d := NewDice(3, i)
		r := d.Robot(Plan{})
		m := d.Motion(r, Travel{Timed: true, Turns: true, Partial: true, Mixed: i%2 == 0, Root: i%3 == 0})
		if err := m.Validate(); err != nil {
			t.Fatal(i, err)
		}
		for name, is := range map[string]bool{
			"late": m.Pieces[0].Start > 0, "several pieces": len(m.Pieces) > 1, "partial": len(m.Joints) < len(Variables(r)),
			"root": len(m.Root) > 0, "the short way": !m.KeepTurns,
		} {
			if is {
				seen[name]++
			}
		}
		for _, ctrl := range m.Pieces[0].Ctrl {
			if len(ctrl) != len(m.Pieces[0].Ctrl[0]) {
				seen["mixed degrees"]++
			}
		}
	}
	for _, what := range []string{"late", "several pieces", "partial", "root", "the short way", "mixed degrees"} {
		if seen[what] < 20 {
			t.Errorf("%s: %d times", what, seen[what])
		}
	}
}
