package mesh

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// shared is the folder of real models that developers may have beside the
// checkout; it is no part of the project.
const shared = "../../../../shared"

func sharedPath(t *testing.T, parts ...string) string {
	t.Helper()
	p := filepath.Join(append([]string{shared}, parts...)...)
	if _, err := os.Stat(p); err != nil {
		t.Skip("real models are not beside the checkout")
	}
	return p
}

// The triangle counts were taken by whoever collected the files, with another
// reader.
func TestRealScenes(t *testing.T) {
	scenes := sharedPath(t, "scenes")
	segments := map[string]int{ // of lines, which the other reader did not count
		"gazebo_models/willowgarage/meshes/willowgarage_collision.dae": 36,
		"gazebo_models/cafe/meshes/cafe.dae":                           82,
		"gazebo_models/powerplant/meshes/powerplant.dae":               13,
	}
	for path, want := range map[string]int{
		"gazebo_models/willowgarage/meshes/willowgarage_collision.dae":       13348,
		"gazebo_models/cafe/meshes/cafe.dae":                                 23834,
		"gazebo_models/collapsed_industrial/meshes/collapsed_industrial.dae": 7101,
		"gazebo_models/parking_garage/meshes/parking_garage.dae":             6413,
		"gazebo_models/powerplant/meshes/powerplant.dae":                     4693,
		"gazebo_models/drc_practice_truss/meshes/truss.dae":                  4393,
		"hpp_environments/multicontact/cave_simplified.stl":                  22405,
		"hpp_environments/ori/container_floor.stl":                           17732,
		"hpp_environments/ur_benchmark/pokeball.dae":                         11384,
		"hpp_environments/multicontact/random_scene_10x10_V5.stl":            7924,
		"hpp_environments/multicontact/polaris.stl":                          7762,
		"hpp_environments/buggy/buggy.dae":                                   6249,
		"hpp_environments/multicontact/bauzil_simplified.stl":                4152,
		"hpp_environments/multicontact/maze_hard.stl":                        818,
		"hpp_environments/multicontact/darpa.stl":                            626,
		"hpp_environments/multicontact/stairs.stl":                           82,
		"fcl/env.obj":                         2180,
		"fcl/rob.obj":                         216,
		"mesh_formats/base_L_convex.stla":     116,
		"mesh_formats/head_pan_convex.stla":   170,
		"mesh_formats/torso_lift_convex.stla": 130,
		"mesh_formats/base_L.dae":             116, // a physics export, its scene empty: the hulls as they stand
	} {
		m, err := Load(filepath.Join(scenes, path), one)
		if err != nil {
			t.Error(err)
			continue
		}
		checkMesh(t, m)
		if want += segments[path]; len(m.Triangles) != want {
			t.Errorf("%s: %d triangles and segments, want %d", path, len(m.Triangles), want)
		}
	}
}

// Every .stla has a .stlb with the same triangles in the same order; the text
// has six decimals.
func TestASCIIAndBinaryTwins(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(sharedPath(t, "scenes", "mesh_formats"), "*.stla"))
	if err != nil || len(files) == 0 {
		t.Fatal("no .stla files", err)
	}
	for _, f := range files {
		a, err := Load(f, one)
		if err != nil {
			t.Fatal(err)
		}
		b, err := Load(strings.TrimSuffix(f, "a")+"b", one)
		if err != nil {
			t.Fatal(err)
		}
		if len(a.Triangles) != len(b.Triangles) {
			t.Errorf("%s: %d and %d triangles", f, len(a.Triangles), len(b.Triangles))
			continue
		}
		for i := range a.Triangles {
			for c := range 3 {
				va, vb := a.Vertices[a.Triangles[i][c]], b.Vertices[b.Triangles[i][c]]
				if r3.Norm(r3.Sub(va, vb)) > 2e-6 {
					t.Errorf("%s: corner %d of triangle %d is %v and %v", f, c, i, va, vb)
				}
			}
		}
	}
}

func BenchmarkLoad(b *testing.B) {
	for _, name := range []string{
		"scenes/gazebo_models/cafe/meshes/cafe.dae",
		"scenes/fcl/env.obj",
		"scenes/hpp_environments/multicontact/cave_simplified.stl",
		"scenes/mesh_formats/head_pan_convex.stla",
	} {
		path := filepath.Join(shared, name)
		info, err := os.Stat(path)
		if err != nil {
			b.Skip("real models are not beside the checkout")
		}
		b.Run(filepath.Base(name), func(b *testing.B) {
			b.SetBytes(info.Size())
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Load(path, one); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
