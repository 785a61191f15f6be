package scene_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/premise"
	"github.com/firstcontact-ros/firstcontact/scene"
)

// A tree of two occupied leaves: the cell of side 1 that touches the middle from
// above in x, y and z, and the octant below the middle in all three.
const twoLeaves = "# Octomap OcTree binary file\nid OcTree\nsize 18\nres 1\ndata\n" +
	"\x02\xc0" + // octants 0 (occupied) and 7 (inner)
	"\x03\x00\x03\x00\x03\x00\x03\x00\x03\x00\x03\x00\x03\x00\x03\x00\x03\x00\x03\x00\x03\x00\x03\x00\x03\x00\x03\x00\x02\x00"

func nodesOf(file string) []byte {
	_, nodes, _ := bytes.Cut([]byte(file), []byte("\ndata\n"))
	return nodes
}

func boxAt(x0, y0, z0, x1, y1, z1 float64) geom.Box {
	return geom.Box{Min: geom.Vec{X: x0, Y: y0, Z: z0}, Max: geom.Vec{X: x1, Y: y1, Z: z1}}
}

var twoCells = []geom.Box{boxAt(-32768, -32768, -32768, 0, 0, 0), boxAt(0, 0, 0, 1, 1, 1)}

func TestOctreeInEveryFormat(t *testing.T) {
	dir := write(t, map[string]string{
		"two.bt":     twoLeaves,
		"scene.yaml": "objects:\n- {id: map, type: octree, octree: two.bt, xyz: [1, 2, 3], padding: 0.1}\n- {id: grid, type: cells, cells: [[0, 0, 0, 1, 2, 3], [-1, 0, 0, 0, 1, 1]]}\n",
	})
	s, err := scene.Load(filepath.Join(dir, "scene.yaml"), scene.Options{})
	if err != nil {
		t.Fatal(err)
	}
	octree := scene.NewCells("map", at(1, 2, 3), twoCells)
	octree.Padding = 0.1
	grid := scene.NewCells("grid", at(0, 0, 0), []geom.Box{boxAt(0, 0, 0, 1, 2, 3), boxAt(-1, 0, 0, 0, 1, 1)})
	if d := cmp.Diff([]scene.Object{octree, grid}, s.Objects, sameObjects); d != "" {
		t.Error(d)
	}
	wantUnknownSpace(t, s, "map")

	s, err = scene.Load(filepath.Join(dir, "two.bt"), scene.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]scene.Object{scene.NewCells("two", at(0, 0, 0), twoCells)}, s.Objects, sameObjects); d != "" {
		t.Error(d)
	}
	wantUnknownSpace(t, s, "two")

	tree := scene.Octree{Binary: true, ID: "OcTree", Resolution: 1, Data: nodesOf(twoLeaves)}
	o, err := scene.NewOctree("two", at(0, 0, 0), tree, scene.OctreeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := scene.LoadOctree("two", at(0, 0, 0), filepath.Join(dir, "two.bt"), scene.OctreeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []scene.Object{o, loaded} {
		if d := cmp.Diff(s.Objects[0], o, sameObjects); d != "" {
			t.Error(d)
		}
	}
}

func wantWarning(t *testing.T, s *scene.Snapshot, parts ...string) {
	t.Helper()
	if !slices.ContainsFunc(s.Warnings, func(w string) bool {
		for _, p := range parts {
			if !strings.Contains(w, p) {
				return false
			}
		}
		return true
	}) {
		t.Errorf("warnings %q have none of %q", s.Warnings, parts)
	}
}

// MoveIt places the tree's origin in the header's frame, and allows pairs with it
// under its own name.
func TestOctomapOfPlanningScene(t *testing.T) {
	var data []string
	for _, b := range nodesOf(twoLeaves) {
		data = append(data, fmt.Sprint(int8(b)))
	}
	text := `
fixed_frame_transforms:
  - {header: {frame_id: world}, child_frame_id: camera, transform: {translation: {x: 10, y: 0, z: 0}}}
allowed_collision_matrix: {entry_names: [hand, <octomap>], entry_values: [[false, true], [true, false]]}
world:
  octomap:
    header: {frame_id: camera}
    origin: {position: {x: 0, y: 1, z: 0}}
    octomap: {header: {frame_id: camera}, binary: true, id: OcTree, resolution: 1.0, data: [` + strings.Join(data, ", ") + `]}
`
	s := parse(t, "f", text)
	if d := cmp.Diff([]scene.Object{scene.NewCells("<octomap>", at(10, 1, 0), twoCells)}, s.Objects, sameObjects); d != "" {
		t.Error(d)
	}
	if len(s.Allowed) != 1 || !slices.Contains(s.Allowed[0][:], "<octomap>") || !slices.Contains(s.Allowed[0][:], "hand") {
		t.Errorf("allowed %v", s.Allowed)
	}
	wantUnknownSpace(t, s, "<octomap>")

	s = parse(t, "f", "world: {octomap: {octomap: {binary: true, id: OcTree, resolution: 1.0, data: [2, 0]}}}\nallowed_collision_matrix: {default_entry_names: [hand], default_entry_values: [true]}\n")
	if d := cmp.Diff([][2]string{{"<octomap>", "hand"}}, s.Allowed); d != "" {
		t.Errorf("by default: %s", d)
	}
	s = parse(t, "f", "world: {octomap: {octomap: {binary: true, id: OcTree, resolution: 1.0, data: [1, 0]}}}\n")
	if len(s.Objects) != 0 {
		t.Errorf("a free octant became %v", s.Objects)
	}
	wantWarning(t, s, "no occupied cell")
}

func TestOctreeOptions(t *testing.T) {
	dir := write(t, map[string]string{"two.bt": twoLeaves})
	load := func(rest string) (*scene.Snapshot, error) {
		return scene.Parse(filepath.Join(dir, "s.yaml"), []byte("objects: [{id: map, type: octree, octree: two.bt"+rest+"}]\n"), scene.Options{})
	}
	s, err := load(", unknown_is_occupied: true")
	if err != nil {
		t.Fatal(err)
	}
	// All is occupied or unknown: 8 cells at the first level, less the inner one, and
	// so on down.
	if n := len(s.Objects[0].Shape.Cells); n != 15*7+8 || len(s.Warnings) != 0 {
		t.Errorf("%d cells, warnings %q", n, s.Warnings)
	}
	data, err := os.ReadFile("../internal/geometry/octomap/testdata/plain.ot")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "two.bt"), data, 0o600); err != nil {
		t.Fatal(err)
	}
	all, err := load(", occupancy_threshold: 0.01")
	if err != nil {
		t.Fatal(err)
	}
	few, err := load(", occupancy_threshold: 0.9")
	if err != nil {
		t.Fatal(err)
	}
	if a, f := len(all.Objects[0].Shape.Cells), len(few.Objects[0].Shape.Cells); a != 293 || f != 1 {
		t.Errorf("%d cells of at least 0.01, %d of at least 0.9; want all 293 and the block", a, f)
	}
}

func TestOctreeErrors(t *testing.T) {
	dir := write(t, map[string]string{"cut.bt": twoLeaves[:len(twoLeaves)-1], "free.bt": "# Octomap OcTree binary file\nid OcTree\nsize 2\nres 1\ndata\n\x01\x00"})
	for _, c := range []struct {
		name, object string
		want         []string
	}{
		{"no file", "type: octree", []string{"no octree"}},
		{"missing file", "type: octree, octree: gone.bt", []string{"gone.bt"}},
		{"truncated", "type: octree, octree: cut.bt", []string{"cut.bt", "ends early"}},
		{"all free", "type: octree, octree: free.bt", []string{"free.bt", "no occupied cell", "leave it out"}},
		{"no octree", "type: octree, octree: s.yaml", []string{"s.yaml"}},
		{"threshold", "type: octree, octree: free.bt, occupancy_threshold: 1", []string{"occupancy_threshold is 1"}},
		{"zero threshold", "type: octree, octree: free.bt, occupancy_threshold: 0", []string{"occupancy_threshold is 0"}},
		{"half a cell", "type: cells, cells: [[0, 0, 0, 1, 1]]", []string{"cells[0]", "5 numbers: give 6"}},
		{"flat cell", "type: cells, cells: [[0, 0, 0, 1, 1, 0]]", []string{"cell 0 has no volume"}},
		{"no cells", "type: cells, cells: []", []string{"no cells"}},
		{"far cell", "type: cells, cells: [[0, 0, 0, 1, 1, 2e9]]", []string{"check the unit"}},
	} {
		text := "objects: [{id: map, " + c.object + "}]\n"
		_, err := scene.Parse(filepath.Join(dir, "s.yaml"), []byte(text), scene.Options{})
		t.Run(c.name, func(t *testing.T) { wantError(t, err, append(c.want, "s.yaml:1", "object map")...) })
	}
	_, err := scene.Load(filepath.Join(dir, "cut.bt"), scene.Options{})
	wantError(t, err, "cut.bt", "ends early")
	_, err = scene.LoadOctree("a", at(0, 0, 0), filepath.Join(dir, "free.bt"), scene.OctreeOptions{})
	wantError(t, err, "free.bt", "no occupied cell")
}

// Worlds that differ in a cell differ in their hash.
func TestHashOfCells(t *testing.T) {
	hash := func(cells ...geom.Box) [32]byte {
		s, err := scene.New("", scene.NewCells("a", at(0, 0, 0), cells))
		if err != nil {
			t.Fatal(err)
		}
		return s.Hash
	}
	one := hash(boxAt(0, 0, 0, 1, 1, 1))
	if one != hash(boxAt(0, 0, 0, 1, 1, 1)) {
		t.Error("the same cell has two hashes")
	}
	for _, cells := range [][]geom.Box{{boxAt(0, 0, 0, 1, 1, 2)}, {boxAt(-1, 0, 0, 1, 1, 1)}, {boxAt(0, 0, 0, 1, 1, 1), boxAt(1, 0, 0, 2, 1, 1)}} {
		if hash(cells...) == one {
			t.Errorf("%v hash like another cell", cells)
		}
	}
}

// wantUnknownSpace wants one gap: the octree of that name does not know all.
func wantUnknownSpace(t *testing.T, s *scene.Snapshot, name string) {
	t.Helper()
	if len(s.Gaps) != 1 || s.Gaps[0].Kind != premise.UnknownSpace || s.Gaps[0].Names[0] != name || !s.Gaps[0].Open() {
		t.Errorf("gaps %v, want unknown space of %s", s.Gaps, name)
	}
}

// Who says what unknown space is leaves nothing open.
func TestUnknownSpaceThatIsSpokenOf(t *testing.T) {
	dir := write(t, map[string]string{"two.bt": twoLeaves})
	for _, said := range []string{"true", "false"} {
		s, err := scene.Parse(filepath.Join(dir, "s.yaml"), []byte("objects: [{id: map, type: octree, octree: two.bt, unknown_is_occupied: "+said+"}]\n"), scene.Options{})
		if err != nil || len(s.Gaps) != 0 {
			t.Errorf("unknown_is_occupied %s: gaps %v, error %v", said, s.Gaps, err)
		}
	}
}
