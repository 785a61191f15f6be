package scene_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/premise"
	"github.com/firstcontact-ros/firstcontact/scene"
)

// Files that other programs wrote: testdata of the readers says which.
const (
	meshFiles  = "../internal/geometry/mesh/testdata"
	cloudFiles = "../internal/geometry/cloud/testdata"
)

// inFolder parses a scene as a file of the folder.
func inFolder(t *testing.T, folder, text string) (*scene.Snapshot, error) {
	t.Helper()
	return scene.ParseContext(t.Context(), filepath.Join(folder, "s.yaml"), []byte(text), scene.Options{})
}

// The axes of a glTF mesh are a gap of the object until the scene says which points up.
func TestUp(t *testing.T) {
	corner := geom.Vec{X: 0.25, Y: 0.5, Z: 0.75}
	for up, want := range map[string]geom.Vec{"": corner, ", up: z": corner, ", up: y": {X: 0.25, Y: -0.75, Z: 0.5}} {
		s, err := inFolder(t, meshFiles, "objects: [{id: rack, type: mesh, mesh: assimp.glb"+up+"}, {id: twin, type: mesh, mesh: three_big.ply"+up+"}]\n")
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(s.Objects[0].Shape.Mesh.Vertices, want) || !slices.Contains(s.Objects[1].Shape.Mesh.Vertices, want) {
			t.Errorf("%q: vertices %v lack %v", up, s.Objects[0].Shape.Mesh.Vertices, want)
		}
		open := up == ""
		if (len(s.Gaps) == 1) != open {
			t.Fatalf("%q: gaps %v", up, s.Gaps)
		}
		if open && (s.Gaps[0].Kind != premise.MeshAxes || s.Gaps[0].Entry() != "mesh-axes:rack" || !strings.Contains(s.Gaps[0].Detail, "assimp.glb")) {
			t.Errorf("gap %+v", s.Gaps[0])
		}
	}
	_, err := inFolder(t, meshFiles, "objects: [{id: rack, type: mesh, mesh: assimp.glb, up: x}]\n")
	if err == nil || !strings.Contains(err.Error(), "s.yaml:1: object rack: up is \"x\": give z") {
		t.Error(err)
	}
}

func TestForeignMeshFilesAsScenes(t *testing.T) {
	for name, gaps := range map[string]int{"scene.glb": 1, "scene.gltf": 1, "scene_three.gltf": 1, "three_big.ply": 0, "assimp.ply": 0} {
		s, err := scene.Load(filepath.Join(meshFiles, name), scene.Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if id, _, _ := strings.Cut(name, "."); len(s.Objects) != 1 || s.Objects[0].ID != id || len(s.Gaps) != gaps {
			t.Errorf("%s: objects %v, gaps %v", name, s.Objects, s.Gaps)
		}
	}
}

func TestClouds(t *testing.T) {
	for _, name := range []string{"board_text.pcd", "board_binary.pcd", "board_compressed.pcd", "board_pcl.ply"} {
		s, err := inFolder(t, cloudFiles, "objects: [{id: scan, type: points, points: "+name+", radius: 0.01}]\n")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		sh := s.Objects[0].Shape
		if len(sh.Points) != 171 || sh.Radius != 0.01 || sh.Points[0] != (geom.Vec{Z: 1}) {
			t.Errorf("%s: %d points of radius %g, the first %v", name, len(sh.Points), sh.Radius, sh.Points[0])
		}
		if len(s.Gaps) != 0 || len(s.Warnings) != 1 || !strings.Contains(s.Warnings[0], "object scan: 29 of the 200 entries of "+name) {
			t.Errorf("%s: gaps %v, warnings %q", name, s.Gaps, s.Warnings)
		}
	}
}

// A cloud in millimetres is scaled; its radius is not.
func TestCloudScale(t *testing.T) {
	for _, points := range []string{"board_binary.pcd", "[[0, 0, 1], [0.125, 0, 1]]"} {
		s, err := inFolder(t, cloudFiles, "objects: [{id: scan, type: points, points: "+points+", radius: 0.01, scale: 0.001}]\n")
		if err != nil || s.Objects[0].Shape.Points[0] != (geom.Vec{Z: 0.001}) || s.Objects[0].Shape.Radius != 0.01 {
			t.Errorf("%s: %v, %v", points, s, err)
		}
	}
	_, err := inFolder(t, cloudFiles, "objects: [{id: scan, type: points, points: board_binary.pcd, radius: 0.01, scale: [1, 0, 1]}]\n")
	if err == nil || !strings.Contains(err.Error(), "object scan: scale 1 0 1") {
		t.Error(err)
	}
}

// Points of a size of their own are no points: surfels, Gaussians.
func TestSizedPointsAreAGap(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"splats.ply":  "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\nproperty float scale_0\nend_header\n0 0 0 1\n",
		"surfels.pcd": "# .PCD v0.7\nFIELDS x y z radius\nSIZE 4 4 4 4\nTYPE F F F F\nCOUNT 1 1 1 1\nWIDTH 1\nHEIGHT 1\nPOINTS 1\nDATA ascii\n0 0 0 1\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := inFolder(t, dir, "objects: [{id: scan, type: points, points: "+name+", radius: 0.01}]\n")
		if err != nil || len(s.Gaps) != 1 || s.Gaps[0].Entry() != "not-understood:scan" {
			t.Errorf("%s: %v, %v", name, s, err)
		}
	}
}

// A sensor's pose in a cloud is taken by some programs and not by others.
func TestViewpointIsAGap(t *testing.T) {
	dir := t.TempDir()
	data, err := os.ReadFile(filepath.Join(cloudFiles, "board_text.pcd"))
	if err != nil {
		t.Fatal(err)
	}
	moved := strings.Replace(string(data), "VIEWPOINT 0 0 0", "VIEWPOINT 0 0 1.5", 1)
	if err := os.WriteFile(filepath.Join(dir, "scan.pcd"), []byte(moved), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := inFolder(t, dir, "objects: [{id: scan, type: points, points: scan.pcd, radius: 0.01}]\n")
	if err != nil || len(s.Gaps) != 1 || s.Gaps[0].Entry() != "not-understood:scan" || !strings.Contains(s.Gaps[0].Detail, "VIEWPOINT [0 0 1.5 1 0 0 0]") {
		t.Errorf("gaps %v, %v", s.Gaps, err)
	}
}

// What cannot be a scene says what it is and what to write instead.
func TestFilesThatAreNoScenes(t *testing.T) {
	rows := filepath.Join(t.TempDir(), "rows.xyz")
	if err := os.WriteFile(rows, []byte("0.5, 1e-3 -2\n1 2 3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ path, want string }{
		{filepath.Join(cloudFiles, "board_compressed.pcd"), "{id: board_compressed, type: points, points: board_compressed.pcd, radius: METRES}"},
		{filepath.Join(cloudFiles, "board_pcl.ply"), "radius"},
		{rows, "points: rows.xyz, radius: METRES"},
		{filepath.Join(meshFiles, "draco.glb"), "gltf-transform"},
	} {
		_, err := scene.Load(tt.path, scene.Options{})
		if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), tt.path) {
			t.Errorf("%s: %v", tt.path, err)
		}
	}
	for name, c := range map[string]struct{ data, want string }{
		"a.fbx":  {"Kaydara FBX Binary  \x00", "FBX"},
		"a.step": {"ISO-10303-21;\n", "STEP"},
		"a.json": {`{"asset": {"version": "2.0"}, "meshes": []}`, "looks like a glTF mesh"},
		"a.las":  {"LASF\x00\x00", "LAS"},
	} {
		_, err := scene.Parse(name, []byte(c.data), scene.Options{})
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for points, want := range map[string]string{"three_big.ply": "give it the type mesh", "scene.glb": "give it the type mesh"} {
		_, err := inFolder(t, meshFiles, "objects: [{id: scan, type: points, points: "+points+", radius: 0.01}]\n")
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), points) || !strings.Contains(err.Error(), "object scan") {
			t.Errorf("%s: %v", points, err)
		}
	}
}
