package scene_test

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/firstcontact-ros/firstcontact/scene"
)

// shared returns a file of the folder of real scenes beside the repository, and
// skips the test where there is none.
func shared(t *testing.T, elem ...string) string {
	t.Helper()
	path := filepath.Join(append([]string{"..", "..", "shared", "scenes"}, elem...)...)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("no real scenes beside the repository: %v", err)
	}
	return path
}

func TestMotionBenchMaker(t *testing.T) {
	total := 0
	for _, c := range []struct {
		robot        string
		sets, joints int
	}{{"panda", 6, 7}, {"ur5", 5, 6}, {"baxter", 2, 14}} {
		problems, err := scene.Problems(shared(t, "motionbenchmaker", c.robot+".json"))
		if err != nil {
			t.Fatal(err)
		}
		if len(problems) != 100*c.sets {
			t.Errorf("%s: %d problems, want %d", c.robot, len(problems), 100*c.sets)
		}
		perSet := map[string]int{}
		for i := range problems {
			p := &problems[i]
			perSet[p.Set]++
			s, err := p.Snapshot()
			if err != nil {
				t.Fatal(err)
			}
			if n := len(s.Objects); n < 7 || n > 21 {
				t.Errorf("%s: %d obstacles, want 7 to 21", p.Name(), n)
			}
			if len(p.Start) != c.joints || len(p.Goal) != c.joints {
				t.Errorf("%s: %d and %d positions for %d joints", p.Name(), len(p.Start), len(p.Goal), c.joints)
			}
		}
		if len(perSet) != c.sets {
			t.Errorf("%s: sets %v, want %d", c.robot, perSet, c.sets)
		}
		total += len(problems)
	}
	if total != 1300 {
		t.Errorf("%d problems, want 1300", total)
	}
}

// The same problem as MoveIt wrote it and as the problem file has it.
func TestMoveItYAMLEqualsProblemFile(t *testing.T) {
	problems, err := scene.Problems(shared(t, "motionbenchmaker", "panda.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, set := range []string{"bookshelf_small", "bookshelf_thin", "box", "cage", "table_pick", "table_under_pick"} {
		t.Run(set, func(t *testing.T) {
			want := &problems[slices.IndexFunc(problems, func(p scene.Problem) bool { return p.Set == set && p.Index == 1 })]
			got, err := scene.Load(shared(t, "motionbenchmaker", "moveit_yaml", set+"_panda", "scene0001.yaml"), scene.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Objects) != len(want.Objects) || len(want.Objects) < 7 {
				t.Fatalf("%d objects, want %d", len(got.Objects), len(want.Objects))
			}
			for _, o := range want.Objects {
				i := got.Object(o.ID)
				if i < 0 {
					t.Errorf("object %s is missing", o.ID)
					continue
				}
				if d := distance(&o, &got.Objects[i]); !(d < 1e-9) {
					t.Errorf("object %s is off by %g", o.ID, d)
				}
			}
			if got.Frame != "" || len(got.Warnings) > 0 {
				t.Errorf("frame %q, want the root link; warnings %q", got.Frame, got.Warnings)
			}
			if len(got.Allowed) != 34 { // of 55 pairs of 11 links; peers check the other 21
				t.Errorf("%d allowed pairs, want 34", len(got.Allowed))
			}
		})
	}
}

// distance returns the largest difference of any number of two objects.
func distance(a, b *scene.Object) float64 {
	if a.Shape.Kind != b.Shape.Kind {
		return math.Inf(1)
	}
	x, y := numbers(a), numbers(b)
	worst := 0.0
	for i := range x {
		worst = max(worst, math.Abs(x[i]-y[i]))
	}
	return worst
}

func numbers(o *scene.Object) []float64 {
	r, p, s := o.PoseWS.R, o.PoseWS.P, o.Shape
	return []float64{r.XX, r.XY, r.XZ, r.YX, r.YY, r.YZ, r.ZX, r.ZY, r.ZZ, p.X, p.Y, p.Z, s.Size.X, s.Size.Y, s.Size.Z, s.Radius, s.Length}
}

// Counts as in the table of the scenes: 83 mesh elements of 21,470 triangles, 43
// boxes and a cylinder; with the meshes of full resolution 304,966 triangles.
func TestApartment(t *testing.T) {
	for file, wantTriangles := range map[string]int{"apartment.urdf": 21470, "apartment_hires.urdf": 304966} {
		s, err := scene.Load(shared(t, "iai_apartment", file), scene.Options{})
		if err != nil {
			t.Fatal(err)
		}
		kinds, triangles := map[string]int{}, 0
		for _, o := range s.Objects {
			kinds[o.Shape.Kind.String()]++
			if o.Shape.Mesh != nil {
				triangles += len(o.Shape.Mesh.Triangles)
			}
		}
		if kinds["mesh"] != 83 || kinds["box"] != 43 || kinds["cylinder"] != 1 || len(kinds) != 3 || triangles != wantTriangles {
			t.Errorf("%s: %v with %d triangles, want 83 meshes, 43 boxes, 1 cylinder with %d", file, kinds, triangles, wantTriangles)
		}
	}
}

func TestMeshFilesAsScenes(t *testing.T) {
	for _, c := range []struct {
		path      string
		triangles int // with the segments of lines
	}{
		{"gazebo_models/willowgarage/meshes/willowgarage_collision.dae", 13384},
		{"gazebo_models/cafe/meshes/cafe.dae", 23916},
		{"gazebo_models/collapsed_industrial/meshes/collapsed_industrial.dae", 7101},
		{"gazebo_models/parking_garage/meshes/parking_garage.dae", 6413},
		{"gazebo_models/powerplant/meshes/powerplant.dae", 4706},
		{"gazebo_models/drc_practice_truss/meshes/truss.dae", 4393},
		{"hpp_environments/multicontact/cave_simplified.stl", 22405},
		{"hpp_environments/ori/container_floor.stl", 17732},
		{"hpp_environments/ur_benchmark/pokeball.dae", 11384},
		{"hpp_environments/multicontact/random_scene_10x10_V5.stl", 7924},
		{"hpp_environments/multicontact/polaris.stl", 7762},
		{"hpp_environments/buggy/buggy.dae", 6249},
		{"hpp_environments/multicontact/bauzil_simplified.stl", 4152},
		{"hpp_environments/multicontact/maze_hard.stl", 818},
		{"hpp_environments/multicontact/darpa.stl", 626},
		{"hpp_environments/multicontact/stairs.stl", 82},
		{"fcl/env.obj", 2180},
		{"fcl/rob.obj", 216},
	} {
		s, err := scene.Load(shared(t, filepath.FromSlash(c.path)), scene.Options{})
		if err != nil {
			t.Error(err)
			continue
		}
		if n := len(s.Objects[0].Shape.Mesh.Triangles); len(s.Objects) != 1 || n != c.triangles {
			t.Errorf("%s: %d objects, %d triangles, want 1 with %d", c.path, len(s.Objects), n, c.triangles)
		}
	}
}
