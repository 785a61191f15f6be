package mesh

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/google/go-cmp/cmp"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/base/infile"
	"github.com/firstcontact-ros/firstcontact/premise"
)

// The block that all files of testdata hold: corner i at the bits of i.
func blockCorner(i int) geom.Vec {
	return geom.Vec{X: float64(i&1) * 0.25, Y: float64(i>>1&1) * 0.5, Z: float64(i>>2) * 0.75}
}

// block returns its triangles, mapped by place and turned round if that mirrors.
func block(place func(geom.Vec) geom.Vec, mirrors bool) (out []tri) {
	for _, f := range cubeFaces {
		for i := 2; i < 4; i++ {
			a, b, c := place(blockCorner(f[0])), place(blockCorner(f[i-1])), place(blockCorner(f[i]))
			if mirrors {
				b, c = c, b
			}
			out = append(out, tri{a, b, c})
		}
	}
	return out
}

func unmoved(v geom.Vec) geom.Vec { return v }

// sceneTwice is what the files named scene place: the block moved by (1, 0, 0), and mirrored in
// x, turned by a quarter about z and moved by (0, 0, 2).
func sceneTwice() []tri {
	moved := block(func(v geom.Vec) geom.Vec { return r3.Add(v, geom.Vec{X: 1}) }, false)
	return append(moved, block(func(v geom.Vec) geom.Vec { return geom.Vec{X: -v.Y, Y: -v.X, Z: v.Z + 2} }, true)...)
}

// near compares surfaces whose corners may differ by so much; they are rounded before they are
// put into order.
func near(t *testing.T, name string, got *Mesh, want []tri, grid float64) {
	t.Helper()
	round := func(v geom.Vec) geom.Vec {
		return geom.Vec{X: math.Round(v.X/grid)*grid + 0, Y: math.Round(v.Y/grid)*grid + 0, Z: math.Round(v.Z/grid)*grid + 0}
	}
	var rounded []tri
	for _, c := range got.Triangles {
		rounded = append(rounded, tri{round(got.Vertices[c[0]]), round(got.Vertices[c[1]]), round(got.Vertices[c[2]])})
	}
	for i := range want {
		for k := range want[i] {
			want[i][k] = round(want[i][k])
		}
	}
	if diff := cmp.Diff(sorted(want), sorted(rounded)); diff != "" {
		t.Errorf("%s (-want +got)\n%s", name, diff)
	}
}

func testFile(t testing.TB, name string) (File, error) {
	t.Helper()
	return LoadContext(t.Context(), filepath.Join("testdata", name), one)
}

// Files of other software hold the block, vertex by vertex.
func TestFilesOfOthers(t *testing.T) {
	const exact = 1.0 / (1 << 20)
	for _, tt := range []struct {
		name string
		want []tri
		grid float64
	}{
		{"scene.glb", sceneTwice(), exact},
		{"scene.gltf", sceneTwice(), exact}, // its buffer is a file
		{"scene_three.glb", sceneTwice(), exact},
		{"scene_three.gltf", sceneTwice(), exact},              // a data address, and TRS
		{"scene_quantized.glb", sceneTwice(), 1.0 / (1 << 10)}, // 14 bits of 0.75 m
		{"sparse.glb", block(unmoved, false), exact},
		{"two_scenes.glb", block(unmoved, false), exact},
		{"animated.glb", block(unmoved, false), exact},
		{"morph_at_rest.glb", block(unmoved, false), exact},
		{"three_text.ply", block(unmoved, false), exact},
		{"three_big.ply", block(unmoved, false), exact},
		{"three_little.ply", block(unmoved, false), exact},
		{"fan.glb", []tri{{blockCorner(0), blockCorner(1), blockCorner(3)}, {blockCorner(0), blockCorner(3), blockCorner(2)}}, exact},
		{"strip.glb", []tri{
			{blockCorner(0), blockCorner(1), blockCorner(2)},
			{blockCorner(2), blockCorner(1), blockCorner(3)},
			{blockCorner(2), blockCorner(3), blockCorner(6)},
			{blockCorner(6), blockCorner(3), blockCorner(7)},
		}, exact},
		{"lines.glb", append(block(unmoved, false), tri{blockCorner(4), blockCorner(5), blockCorner(5)}, tri{blockCorner(5), blockCorner(7), blockCorner(7)}), exact},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, err := testFile(t, tt.name)
			if err != nil {
				t.Fatal(err)
			}
			checkMesh(t, f.Mesh)
			near(t, tt.name, f.Mesh, tt.want, tt.grid)
		})
	}
}

// The block of every file encloses its volume: no face is turned round or left out. Some
// programs cut its sides along the other diagonal.
func TestFilesOfOthersEnclose(t *testing.T) {
	const once = 0.25 * 0.5 * 0.75
	for name, want := range map[string]float64{
		"scene.glb": 2 * once, "three_big.ply": once, "obj2gltf.glb": once,
		"assimp.glb": once, "assimp.gltf": once, "assimp.ply": once, "assimp_binary.ply": once,
	} {
		f, err := testFile(t, name)
		if err != nil {
			t.Fatal(err)
		}
		checkMesh(t, f.Mesh)
		for i := range 8 {
			if want == once && (len(f.Mesh.Vertices) != 8 || !slices.Contains(f.Mesh.Vertices, blockCorner(i))) {
				t.Errorf("%s: vertices %v lack %v", name, f.Mesh.Vertices, blockCorner(i))
			}
		}
		if v := volume(f.Mesh); math.Abs(v-want) > 1e-9 {
			t.Errorf("%s: volume %g, not %g", name, v, want)
		}
		if s := SolidOf(f.Mesh); !s.Encloses() || s.Open() {
			t.Errorf("%s is no solid", name)
		}
	}
}

// What a file does not say is a gap, and nothing else is.
func TestGapsOfFiles(t *testing.T) {
	for name, want := range map[string][]string{
		"scene.glb": {"mesh-axes"}, "assimp.glb": {"mesh-axes"}, "scene_quantized.glb": {"mesh-axes"},
		"lines.glb":         {"mesh-axes"},
		"animated.glb":      {"mesh-axes", "an animation moves node 0"},
		"morph_at_rest.glb": {"mesh-axes", "morph targets"},
		"three_text.ply":    nil,
		"assimp_binary.ply": nil,
	} {
		f, err := testFile(t, name)
		if err != nil {
			t.Fatal(err)
		}
		if len(f.Gaps) != len(want) {
			t.Errorf("%s: gaps %v, want %q", name, f.Gaps, want)
			continue
		}
		for i, w := range want {
			if g := f.Gaps[i]; !g.IsGap() || g.Remedy == "" || string(g.Kind) != w && !strings.Contains(g.Detail, w) {
				t.Errorf("%s: gap %+v, want %q", name, g, w)
			}
		}
	}
}

// The transform of a scene's only root node is part of the gap: MoveIt drops it.
func TestRootTransformIsNamed(t *testing.T) {
	gltf := func(node string) []byte {
		return []byte(`{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0` + node + `}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
"accessors":[{"componentType":5126,"type":"VEC3","count":3,"bufferView":0}],"bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"byteLength":36,"uri":"data:;base64,` + strings.Repeat("AAAA", 12) + `"}]}`)
	}
	for node, want := range map[string]bool{"": false, `,"translation":[0,0,0]`: false, `,"translation":[0,0,1]`: true} {
		f, err := ParseContext(t.Context(), "a.gltf", gltf(node), one)
		if err != nil {
			t.Fatal(err)
		}
		if len(f.Gaps) != 1 || f.Gaps[0].Kind != premise.MeshAxes || strings.Contains(f.Gaps[0].Detail, "root node") != want {
			t.Errorf("%q: gaps %v", node, f.Gaps)
		}
	}
}

// Unsupported content is an error with the remedy.
func TestRefusedFiles(t *testing.T) {
	for name, want := range map[string][]string{
		"draco.glb":           {"KHR_draco_mesh_compression", "gltf-transform"},
		"meshopt.glb":         {"EXT_meshopt_compression", "gltf-transform"},
		"instanced_three.glb": {"EXT_mesh_gpu_instancing", "node of its own"},
		"skin.glb":            {"skin", "export the plain mesh", `node 0 "block"`},
		"morph.glb":           {"morph target", "weight 0.5", "export the plain mesh"},
		"points.glb":          {"no surface", "type: points"},
	} {
		_, err := testFile(t, name)
		wantError(t, err, append(want, name)...)
	}
}

// A known format that is not read is named, with what to convert it to.
func TestForeignFormats(t *testing.T) {
	for name, c := range map[string]struct{ data, want string }{
		"a.fbx":     {"Kaydara FBX Binary  \x00\x1a\x00", "an FBX scene"},
		"text.fbx":  {"; FBX 7.3.0 project file\n", "an FBX scene"},
		"a.stl":     {"ISO-10303-21;\nHEADER;", "a STEP model"},
		"a.step":    {"junk", "a STEP model"},
		"a.3ds":     {"MM\x00\x00", "a 3DS mesh"},
		"a.usdc":    {"PXR-USDC\x00", "a USD scene"},
		"a.usda":    {"#usda 1.0\n", "a USD scene"},
		"a.x3d":     {"<?xml version='1.0'?><X3D/>", "an X3D scene"},
		"a.off":     {"OFF\n8 6 0\n", "an OFF mesh"},
		"a.wrl":     {"#VRML V2.0 utf8\n", "a VRML scene"},
		"a.blend":   {"BLENDER-v279", "a Blender file"},
		"cloud.pcd": {"# .PCD v0.7\n", "type: points"},
		"a.obj":     {"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "git lfs pull"},
		"a.stl.gz":  {"\x1f\x8b\x08", "gunzip"},
	} {
		_, err := Parse(name, []byte(c.data), one)
		wantError(t, err, name, c.want)
	}
	_, err := testFile(t, "../../cloud/testdata/board_pcl.ply")
	wantError(t, err, "board_pcl.ply", "cloud of 200 points", "type: points")
}

// A buffer is in the folder of its mesh: a description from outside reaches no other file.
func TestBuffersStayInTheFolder(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "secret"), make([]byte, 36), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "meshes"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, uri := range []string{"../secret", "..%2Fsecret", filepath.Join(dir, "secret"), "file://" + dir + "/secret", "a/../../secret", "http://host/secret"} {
		data := strings.ReplaceAll(`{"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
"accessors":[{"componentType":5126,"type":"VEC3","count":3,"bufferView":0}],"bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"byteLength":36,"uri":"URI"}]}`, "URI", uri)
		path := filepath.Join(dir, "meshes", "a.gltf")
		if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Load(path, one)
		wantError(t, err, path, "not in the folder of the mesh")
	}
}

// The file of a buffer counts against the limit of the mesh.
func TestBuffersAreBounded(t *testing.T) {
	data, err := os.ReadFile("testdata/scene.gltf")
	if err != nil {
		t.Fatal(err)
	}
	lim := defaultLimits
	lim.bytes = int64(len(data))
	from := source{t.Context(), lim, func(name string, most int64) ([]byte, error) {
		return infile.Read(t.Context(), filepath.Join("testdata", name), most)
	}}
	if _, err := parse("scene.gltf", data, one, from); err != nil {
		t.Error(err)
	}
	from.side = func(string, int64) ([]byte, error) { return make([]byte, len(data)+1), nil }
	_, err = parse("scene.gltf", data, one, from)
	wantError(t, err, "limit")
}
