package corpus_test

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/corpus"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

const tetraOBJ = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"

const arm = `ccdscene 1
link base - fixed 0 0 1 0 0 0  0 0 1  0 0
link upper base revolute 0 0 0.3 0 0 1.5  0 0 2  -1 2
link slide upper prismatic 0 0 0.2 0 0 0  1 0 0  0 0.4
link finger slide frozen_prismatic 0 0 0.1 0 0 0  0 1 0  0.04 0.04
link knob slide frozen_revolute 1 0 0 0 0 0  0 0 1  1.5707963267948966 1.5707963267948966
body base tetra.obj 1 1 1  0 0 0 0 0 0
body upper tetra.obj 1 1 1  0 0 0.1 0 0 0
body upper tetra.obj 2 2 2  0 0 0 0 0 0.5
env wall tetra.obj 1 2 3 0 0 0
acm upper base
acm base upper
acm wall base
acm base base
`

func write(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range map[string]string{"tetra.obj": tetraOBJ, "arm.scene": text} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "arm.scene")
}

func TestLoad(t *testing.T) {
	path := write(t, arm)
	s, err := corpus.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	quarter := geom.AxisAngle(geom.Vec{Z: 1}, math.Pi/2)
	want := []urdf.Joint{
		{Name: "upper", Type: urdf.Revolute, Parent: 0, Child: 1, PosePC: geom.Pose{R: geom.RPY(0, 0, 1.5), P: geom.Vec{Z: 0.3}}, Axis: geom.Vec{Z: 1}, Limit: urdf.Limit{Bounded: true, Lower: -1, Upper: 2}},
		{Name: "slide", Type: urdf.Prismatic, Parent: 1, Child: 2, PosePC: geom.Translation(geom.Vec{Z: 0.2}), Axis: geom.Vec{X: 1}, Limit: urdf.Limit{Bounded: true, Upper: 0.4}},
		{Name: "finger", Type: urdf.Fixed, Parent: 2, Child: 3, PosePC: geom.Translation(geom.Vec{Y: 0.04, Z: 0.1}), Axis: geom.Vec{Y: 1}},
		{Name: "knob", Type: urdf.Fixed, Parent: 2, Child: 4, PosePC: geom.Pose{R: quarter, P: geom.Vec{X: 1}}, Axis: geom.Vec{Z: 1}},
	}
	if d := cmp.Diff(want, s.Robot.Joints, cmpopts.EquateApprox(0, 1e-12)); d != "" {
		t.Errorf("joints, want (-), got (+):\n%s", d)
	}
	if !slices.Equal(s.Joints, []string{"upper", "slide"}) {
		t.Errorf("moving joints %v", s.Joints)
	}
	if d := cmp.Diff(map[string]float64{"finger": 0.04, "knob": math.Pi / 2}, s.Frozen); d != "" {
		t.Errorf("frozen: %s", d)
	}
	if d := cmp.Diff([]urdf.DisabledPair{{A: 0, B: 1, Reason: "acm"}}, s.Robot.Semantic.Disabled); d != "" {
		t.Errorf("disabled: %s", d)
	}
	if d := cmp.Diff([][2]string{{"wall", "base"}}, s.World.Allowed); d != "" {
		t.Errorf("allowed with obstacles: %s", d)
	}
	if len(s.Allowed) != 4 || s.Robot.Root != 0 || s.Robot.Links[0].ParentJoint != -1 || s.Robot.Links[4].ParentJoint != 3 {
		t.Errorf("allowed %v, links %+v", s.Allowed, s.Robot.Links)
	}
	// The root stands at z = 1 in the file: the wall is at z = 2 in the root.
	if p := s.World.Objects[0].PoseWS.P; p != (geom.Vec{X: 1, Y: 2, Z: 2}) {
		t.Errorf("wall stands at %v in the root link", p)
	}
	upper := s.Robot.Links[1].Collisions
	if len(upper) != 2 || upper[0].PoseLS.P.Z != 0.1 || upper[1].Shape.Mesh.Vertices[1].X+upper[1].Shape.Mesh.Vertices[1].Y+upper[1].Shape.Mesh.Vertices[1].Z != 2 {
		t.Errorf("bodies of upper: %+v", upper)
	}
	if s.Robot.Links[0].Collisions[0].Shape != upper[0].Shape {
		t.Error("the same mesh at the same scale was read twice")
	}
}

func TestRigid(t *testing.T) {
	s, err := corpus.Load(write(t, arm+"env floor tetra.obj 0 0 0 0 0 0\nlink foot base fixed 0 0 0 0 0 0  0 0 1  0 0\nlink sole foot fixed 0 0 0 0 0 0  0 0 1  0 0\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := [][2]string{
		{"base", "foot"},
		{"base", "sole"},
		{"base", "wall"},
		{"base", "floor"},
		{"slide", "finger"},
		{"slide", "knob"},
		{"finger", "knob"},
		{"foot", "sole"},
		{"foot", "wall"},
		{"foot", "floor"},
		{"sole", "wall"},
		{"sole", "floor"},
	}
	if d := cmp.Diff(want, s.Rigid()); d != "" {
		t.Errorf("want (-), got (+):\n%s", d)
	}
}

func TestLoadErrors(t *testing.T) {
	head := "ccdscene 1\nlink base - fixed 0 0 0 0 0 0  0 0 1  0 0\n"
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"no robot", "ccdscene 1\nenv wall tetra.obj 0 0 0 0 0 0\n", []string{"no links"}},
		{"no mesh", head + "body base none.stl 1 1 1 0 0 0 0 0 0\n", []string{"arm.scene:3", "link base", "none.stl"}},
		{"no scale", head + "body base tetra.obj 0 1 1 0 0 0 0 0 0\n", []string{"arm.scene:3", "link base", "scale"}},
		{"no obstacle", head + "env wall none.stl 0 0 0 0 0 0\n", []string{"arm.scene:3", "object wall", "none.stl"}},
		{"name of both", head + "env base tetra.obj 0 0 0 0 0 0\n", []string{"object base", "named like a link"}},
		{"obstacle twice", head + "env a tetra.obj 0 0 0 0 0 0\nenv a tetra.obj 0 0 0 0 0 0\n", []string{"object a", "twice"}},
		{"unknown name", head + "acm base wall\n", []string{"acm", "wall", "neither"}},
		{"line", head + "nonsense\n", []string{"arm.scene:3", "\"nonsense\""}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := corpus.Load(write(t, c.text))
			wantError(t, err, c.want...)
		})
	}
	_, err := corpus.Load("none.scene")
	wantError(t, err, "none.scene")
}

func wantError(t *testing.T, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	for _, s := range parts {
		if !strings.Contains(err.Error(), s) {
			t.Errorf("error %q does not say %q", err, s)
		}
	}
}

func TestSegments(t *testing.T) {
	s, err := corpus.Load(write(t, arm))
	if err != nil {
		t.Fatal(err)
	}
	motions, err := s.ParseSegments("arm.segs", []byte("seg 0 0.1 1 0.2\nseg 1 0 0 0\n"))
	if err != nil {
		t.Fatal(err)
	}
	if len(motions) != 2 || motions[1].ID != "arm.segs#2" || !slices.Equal(motions[0].Joints, s.Joints) {
		t.Errorf("motions %+v", motions)
	}
	if !slices.Equal(motions[0].At(0), []float64{0, 0.1}) || !slices.Equal(motions[0].At(1), []float64{1, 0.2}) {
		t.Errorf("the first goes from %v to %v", motions[0].At(0), motions[0].At(1))
	}
	_, err = s.ParseSegments("arm.segs", []byte("seg 0 0.1\n"))
	wantError(t, err, "arm.segs:1", "2 joints take 4")
	_, err = s.Segments("none.segs")
	wantError(t, err, "none.segs")
}

// The scenes of the comparison, counted as its table has them. The table leaves
// out the primitives of the G1, which the harness has as 8 spheres of 224 and 4
// cylinders of 96 triangles.
func TestCorpus(t *testing.T) {
	dir := filepath.Join("..", "..", "..", "..", "shared", "peers", "corpus")
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("no corpus beside the repository: %v", err)
	}
	for _, c := range []struct {
		scene                                      string
		joints, frozen, bodies                     int
		triangles, tessellated                     int
		objects, objectTriangles, pairs, freePairs int
		segments                                   map[string]int
	}{
		{"panda_shelf", 7, 2, 11, 2364, 0, 14, 0, 34, 21, map[string]int{"panda_shelf.local": 300, "panda_shelf.long": 200}},
		{"panda_pipes38k", 7, 2, 11, 2364, 0, 1, 31572, 34, 21, map[string]int{"panda_pipes38k.local": 300}},
		{"panda_pipes190k", 7, 2, 11, 2364, 0, 1, 174272, 34, 21, map[string]int{"panda_pipes190k.local": 300}},
		{"g1", 29, 0, 35, 219156, 8*224 + 4*96, 0, 0, 28, 0, map[string]int{"g1_moves_10hz": 400}},
	} {
		t.Run(c.scene, func(t *testing.T) {
			s, err := corpus.Load(filepath.Join(dir, c.scene+".scene"))
			if err != nil {
				t.Fatal(err)
			}
			bodies, links, triangles, tessellated := 0, 0, 0, 0
			for _, l := range s.Robot.Links {
				bodies += len(l.Collisions)
				links += min(len(l.Collisions), 1)
				for _, body := range l.Collisions {
					if n := len(body.Shape.Mesh.Triangles); strings.Contains(body.Shape.Source, "_prim") {
						tessellated += n
					} else {
						triangles += n
					}
				}
			}
			objectTriangles := 0
			for _, o := range s.World.Objects {
				objectTriangles += len(o.Shape.Mesh.Triangles)
			}
			if len(s.Joints) != c.joints || len(s.Frozen) != c.frozen || bodies != c.bodies || triangles != c.triangles || tessellated != c.tessellated {
				t.Errorf("%d joints, %d frozen, %d bodies of %d and %d triangles, want %d, %d, %d of %d and %d",
					len(s.Joints), len(s.Frozen), bodies, triangles, tessellated, c.joints, c.frozen, c.bodies, c.triangles, c.tessellated)
			}
			if len(s.World.Objects) != c.objects || c.objectTriangles != 0 && objectTriangles != c.objectTriangles {
				t.Errorf("%d objects of %d triangles, want %d of %d", len(s.World.Objects), objectTriangles, c.objects, c.objectTriangles)
			}
			off := len(s.Robot.Semantic.Disabled)
			if off != c.pairs || c.freePairs != 0 && links*(links-1)/2-off != c.freePairs {
				t.Errorf("%d pairs of %d links are off, want %d to leave %d", off, links, c.pairs, c.freePairs)
			}
			for file, want := range c.segments {
				motions, err := s.Segments(filepath.Join(dir, file+".segs"))
				if err != nil {
					t.Fatal(err)
				}
				if len(motions) != want {
					t.Errorf("%s: %d segments, want %d", file, len(motions), want)
				}
			}
		})
	}
}

// The harness's robots and the URDFs they were made from stand alike at zero.
func TestCorpusEqualsURDF(t *testing.T) {
	dir := filepath.Join("..", "..", "..", "..", "shared")
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("no real robots beside the repository: %v", err)
	}
	for file, robot := range map[string]string{"panda_shelf.scene": "panda/panda.urdf", "g1.scene": "g1/g1.urdf"} {
		s, err := corpus.Load(filepath.Join(dir, "peers", "corpus", file))
		if err != nil {
			t.Fatal(err)
		}
		r, err := urdf.Load(filepath.Join(dir, "robots", filepath.FromSlash(robot)), urdf.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := scene.FromRobot(s.Robot)
		if err != nil {
			t.Fatal(err)
		}
		want, err := scene.FromRobot(r)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Objects) != len(want.Objects) {
			t.Errorf("%s: %d shapes, want %d", file, len(got.Objects), len(want.Objects))
		}
		for _, w := range want.Objects {
			i := got.Object(w.ID)
			if i < 0 {
				t.Errorf("%s: no %s", file, w.ID)
				continue
			}
			if strings.Contains(w.ID, "finger") {
				continue // frozen at 0.04 m in the harness
			}
			if d := cmp.Diff(w.PoseWS, got.Objects[i].PoseWS, cmpopts.EquateApprox(0, 1e-9)); d != "" {
				t.Errorf("%s: %s, URDF (-), harness (+):\n%s", file, w.ID, d)
			}
		}
	}
}
