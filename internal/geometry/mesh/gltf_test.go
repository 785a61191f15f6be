package mesh

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
)

func readTestdata(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// inGLTF puts keys of a document around a buffer.
func inGLTF(buffer []byte, rest string) []byte {
	return []byte(fmt.Sprintf(`{"asset":{"version":"2.0"},"buffers":[{"byteLength":%d,"uri":"data:application/octet-stream;base64,%s"}],%s}`,
		len(buffer), base64.StdEncoding.EncodeToString(buffer), rest))
}

func pack(values ...any) (out []byte) {
	for _, v := range values {
		out, _ = binary.Append(out, binary.LittleEndian, v)
	}
	return out
}

const oneNode = `"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],`

// The triangle (0,0,0) (1,0,0) (1,1,0), stored in every way that glTF has.
func TestAccessors(t *testing.T) {
	want := []tri{square(0, 1, 2)}
	views := func(list string) string { return `"bufferViews":[` + list + `]` }
	mesh := `"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],`
	indexed := `"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],`
	floats := pack([]float32{0, 0, 0, 1, 0, 0, 1, 1, 0})
	for _, tt := range []struct {
		name   string
		buffer []byte
		rest   string
	}{
		{"floats", floats, oneNode + mesh + `"accessors":[{"componentType":5126,"type":"VEC3","count":3,"bufferView":0}],` + views(`{"buffer":0,"byteLength":36}`)},
		{"offsets", append(make([]byte, 20), floats...), oneNode + mesh + `"accessors":[{"componentType":5126,"type":"VEC3","count":3,"bufferView":0,"byteOffset":8}],` + views(`{"buffer":0,"byteOffset":12,"byteLength":44}`)},
		{"interleaved with normals", pack([]float32{0, 0, 0, 9, 9, 9, 1, 0, 0, 9, 9, 9, 1, 1, 0}), oneNode + mesh + `"accessors":[{"componentType":5126,"type":"VEC3","count":3,"bufferView":0}],` + views(`{"buffer":0,"byteLength":60,"byteStride":24}`)},
		{"bytes", pack([]int8{0, 0, 0, 9, 1, 0, 0, 9, 1, 1, 0, 9}), oneNode + mesh + `"accessors":[{"componentType":5120,"type":"VEC3","count":3,"bufferView":0}],` + views(`{"buffer":0,"byteLength":12,"byteStride":4}`)},
		{"bytes, normalized", pack([]int8{0, 0, 0, 9, 127, 0, 0, 9, 127, 127, 0, 9}), oneNode + mesh + `"accessors":[{"componentType":5120,"normalized":true,"type":"VEC3","count":3,"bufferView":0}],` + views(`{"buffer":0,"byteLength":12,"byteStride":4}`)},
		{"unsigned bytes, normalized", pack([]uint8{0, 0, 0, 255, 0, 0, 255, 255, 0}), oneNode + mesh + `"accessors":[{"componentType":5121,"normalized":true,"type":"VEC3","count":3,"bufferView":0}],` + views(`{"buffer":0,"byteLength":9}`)},
		{"shorts", pack([]int16{0, 0, 0, 1, 0, 0, 1, 1, 0}), oneNode + mesh + `"accessors":[{"componentType":5122,"type":"VEC3","count":3,"bufferView":0}],` + views(`{"buffer":0,"byteLength":18}`)},
		{"shorts, normalized", pack([]int16{0, 0, 0, math.MaxInt16, 0, 0, math.MaxInt16, math.MaxInt16, 0}), oneNode + mesh + `"accessors":[{"componentType":5122,"normalized":true,"type":"VEC3","count":3,"bufferView":0}],` + views(`{"buffer":0,"byteLength":18}`)},
		{"unsigned shorts", pack([]uint16{0, 0, 0, 1, 0, 0, 1, 1, 0}), oneNode + mesh + `"accessors":[{"componentType":5123,"type":"VEC3","count":3,"bufferView":0}],` + views(`{"buffer":0,"byteLength":18}`)},
		{"indices of 8 bits", append(pack([]float32{1, 1, 0, 0, 0, 0, 1, 0, 0}), 1, 2, 0), oneNode + indexed + `"accessors":[{"componentType":5126,"type":"VEC3","count":3,"bufferView":0},{"componentType":5121,"type":"SCALAR","count":3,"bufferView":1}],` + views(`{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":3}`)},
		{"indices of 32 bits", pack([]float32{1, 1, 0, 0, 0, 0, 1, 0, 0}, []uint32{1, 2, 0}), oneNode + indexed + `"accessors":[{"componentType":5126,"type":"VEC3","count":3,"bufferView":0},{"componentType":5125,"type":"SCALAR","count":3,"bufferView":1}],` + views(`{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":12}`)},
		{"sparse without a base", pack([]uint16{1, 2}, []float32{1, 0, 0, 1, 1, 0}), oneNode + mesh + `"accessors":[{"componentType":5126,"type":"VEC3","count":3,"sparse":{"count":2,"indices":{"bufferView":0,"componentType":5123},"values":{"bufferView":1}}}],` + views(`{"buffer":0,"byteLength":4},{"buffer":0,"byteOffset":4,"byteLength":24}`)},
		{"sparse over a base", append(pack([]float32{0, 0, 0, 8, 8, 8, 1, 1, 0}, []float32{1, 0, 0}), 1), oneNode + mesh + `"accessors":[{"componentType":5126,"type":"VEC3","count":3,"bufferView":0,"sparse":{"count":1,"indices":{"bufferView":1,"byteOffset":12,"componentType":5121},"values":{"bufferView":1}}}],` + views(`{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":13}`)},
		{"no scene", floats, `"nodes":[{"children":[1]},{"mesh":0}],` + mesh + `"accessors":[{"componentType":5126,"type":"VEC3","count":3,"bufferView":0}],` + views(`{"buffer":0,"byteLength":36}`)},
		{"no node", floats, mesh + `"accessors":[{"componentType":5126,"type":"VEC3","count":3,"bufferView":0}],` + views(`{"buffer":0,"byteLength":36}`)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := mustParse(t, "a.gltf", inGLTF(tt.buffer, tt.rest), one)
			if diff := cmp.Diff(want, surface(m)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// plainGLTF is the triangle of TestAccessors with other nodes and keys.
func plainGLTF(rest string) []byte {
	return inGLTF(pack([]float32{0, 0, 0, 1, 0, 0, 1, 1, 0}), `"accessors":[{"componentType":5126,"type":"VEC3","count":3,"bufferView":0}],"bufferViews":[{"buffer":0,"byteLength":36}],`+rest)
}

const plainMesh = `"meshes":[{"name":"m","primitives":[{"attributes":{"POSITION":0}}]}]`

func TestGLTFNodes(t *testing.T) {
	v := func(x, y, z float64) geom.Vec { return geom.Vec{X: x, Y: y, Z: z} }
	for _, tt := range []struct {
		name, nodes string
		want        []tri
	}{
		{"translation", `{"mesh":0,"translation":[1,2,3]}`, []tri{{v(1, 2, 3), v(2, 2, 3), v(2, 3, 3)}}},
		{"scale, then turn, then move", `{"mesh":0,"translation":[0,0,1],"rotation":[0,0,1,0],"scale":[2,1,1]}`, []tri{{v(0, 0, 1), v(-2, 0, 1), v(-2, -1, 1)}}},
		{"matrix by columns", `{"mesh":0,"matrix":[0,1,0,0,-1,0,0,0,0,0,1,0,5,6,7,1]}`, []tri{{v(5, 6, 7), v(5, 7, 7), v(4, 7, 7)}}},
		{"mirrored", `{"mesh":0,"scale":[1,1,-1]}`, []tri{{v(0, 0, 0), v(1, 1, 0), v(1, 0, 0)}}},
		{"nested", `{"children":[1],"translation":[1,0,0]},{"mesh":0,"scale":[2,2,2]}`, []tri{{v(1, 0, 0), v(3, 0, 0), v(3, 2, 0)}}},
		{"one mesh in two nodes", `{"children":[1],"mesh":0},{"mesh":0,"translation":[0,0,1]}`, []tri{square(0, 1, 2), {v(0, 0, 1), v(1, 0, 1), v(1, 1, 1)}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := mustParse(t, "a.gltf", plainGLTF(`"scene":0,"scenes":[{"nodes":[0]}],"nodes":[`+tt.nodes+`],`+plainMesh), one)
			if diff := cmp.Diff(sorted(tt.want), surface(m)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
	// Without a scene to show, all of them are.
	m := mustParse(t, "a.gltf", plainGLTF(`"scenes":[{"nodes":[0]},{"nodes":[1]}],"nodes":[{"mesh":0},{"mesh":0,"translation":[0,0,1]}],`+plainMesh), one)
	if len(m.Triangles) != 2 {
		t.Errorf("%d triangles of two scenes", len(m.Triangles))
	}
}

// A file has no checksum, but the bounds of its positions: where they are not reached, some may
// be missing.
func TestPositionsReachTheirBounds(t *testing.T) {
	for _, name := range []string{"scene.glb", "scene_quantized.glb", "sparse.glb"} {
		if f, err := testFile(t, name); err != nil || len(f.Gaps) != 1 {
			t.Errorf("%s: gaps %v, %v", name, f.Gaps, err)
		}
	}
	text := strings.Replace(string(readTestdata(t, "assimp.gltf")), "0.75", "1.75", 1)
	if text == string(readTestdata(t, "assimp.gltf")) {
		t.Fatal("no bound was changed")
	}
	f, err := ParseContext(t.Context(), "testdata/a.gltf", []byte(text), one)
	if err != nil || len(f.Gaps) != 2 || !strings.Contains(f.Gaps[1].Detail, "accessor 0: its positions reach from 0 to 0.75 along z, it declares 0 to 1.75") {
		t.Errorf("gaps %v, %v", f.Gaps, err)
	}
}

// Nothing that may change a surface is ignored silently.
func TestGLTFGaps(t *testing.T) {
	for _, tt := range []struct{ rest, want string }{
		{`"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0,"extensions":{"ACME_bend":{}}}],` + plainMesh, "ACME_bend"},
		{`"extensions":{"ACME_unit":{"metres":1000}},"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],` + plainMesh, "ACME_unit"},
		{`"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0},"extensions":{"ACME_bend":{}}}]}]`, "ACME_bend"},
		{`"scenes":[{"nodes":[0]}],"nodes":[{"children":[1]},{"mesh":0}],"animations":[{"channels":[{"target":{"node":0,"path":"scale"}}]}],` + plainMesh, "an animation moves node 1"},
		{`"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],"animations":[{"channels":[{"target":{"path":"pointer","extensions":{"KHR_animation_pointer":{}}}}]}],` + plainMesh, "an animation moves node 0"},
		{`"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0,"translaton":[1,0,0]}],` + plainMesh, "translaton"},
		{`"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0},"primitive":4}]}]`, `"primitive"`},
	} {
		f, err := ParseContext(t.Context(), "a.gltf", plainGLTF(tt.rest), one)
		if err != nil || len(f.Gaps) != 2 || !strings.Contains(f.Gaps[1].Detail, tt.want) {
			t.Errorf("gaps %v, %v; want %q", f.Gaps, err, tt.want)
		}
	}
}

func TestBadGLTF(t *testing.T) {
	accessors := func(a, rest string) []byte {
		return inGLTF(pack([]float32{0, 0, 0, 1, 0, 0, 1, 1, 0}), oneNode+`"accessors":[`+a+`],"bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":30,"byteLength":7},{"buffer":1,"byteLength":4}],`+rest)
	}
	for _, tt := range []struct {
		name string
		data []byte
		want []string
	}{
		{"version", []byte(`{"asset":{"version":"1.0"},"meshes":{}}`), []string{"version 1.0", "gltf-pipeline"}},
		{"no asset version", []byte(`{"asset":{}}`), []string{"no version"}},
		{"nothing placed", plainGLTF(`"scenes":[{"nodes":[]}],` + plainMesh), []string{"no triangles"}},
		{"unknown extension", plainGLTF(`"extensionsRequired":["ACME_bend"],` + oneNode + plainMesh), []string{"ACME_bend", "export it without"}},
		{"index of a mesh", plainGLTF(`"scenes":[{"nodes":[0]}],"nodes":[{"mesh":3}],` + plainMesh), []string{"node 0", "mesh 3 of 1"}},
		{"a cycle of nodes", plainGLTF(`"scenes":[{"nodes":[0]}],"nodes":[{"children":[0],"mesh":0}],` + plainMesh), []string{"contain itself"}},
		{"matrix", plainGLTF(`"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0,"matrix":[1,0,0,1,0,1,0,0,0,0,1,0,0,0,0,1]}],` + plainMesh), []string{"last row", "node 0"}},
		{"two transforms", plainGLTF(`"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0,"scale":[1,1,1],"matrix":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}],` + plainMesh), []string{"node 0", "only one of the forms"}},
		{"rotation", plainGLTF(`"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0,"rotation":[0,0,0,0]}],` + plainMesh), []string{"rotation", "length 0"}},
		{"mode", plainGLTF(oneNode + `"meshes":[{"primitives":[{"mode":7,"attributes":{"POSITION":0}}]}]`), []string{"mode 7"}},
		{"corners", plainGLTF(oneNode + `"meshes":[{"primitives":[{"mode":1,"attributes":{"POSITION":0}}]}]`), []string{"mesh 0", "whole number"}},
		{"beyond the view", accessors(`{"name":"pos","componentType":5126,"type":"VEC3","count":4,"bufferView":0}`, plainMesh), []string{`mesh 0 "m"`, `accessor 0 "pos"`, "4 entries", "truncated"}},
		{"huge count", accessors(`{"componentType":5126,"type":"VEC3","count":400000000000,"bufferView":0}`, plainMesh), []string{"count"}},
		{"huge count of zeros", accessors(`{"componentType":5126,"type":"VEC3","count":500000000}`, plainMesh), []string{"without data"}},
		{"view beyond the buffer", accessors(`{"componentType":5126,"type":"VEC3","count":1,"bufferView":1}`, plainMesh), []string{"bufferView 1", "truncated"}},
		{"no such buffer", accessors(`{"componentType":5126,"type":"VEC3","count":1,"bufferView":2}`, plainMesh), []string{"buffer 1 of 1"}},
		{"type", accessors(`{"componentType":5126,"type":"VEC2","count":1,"bufferView":0}`, plainMesh), []string{"VEC2"}},
		{"component type", accessors(`{"componentType":5124,"type":"VEC3","count":1,"bufferView":0}`, plainMesh), []string{"5124"}},
		{"indices that are floats", accessors(`{"componentType":5126,"type":"VEC3","count":3,"bufferView":0},{"componentType":5126,"type":"SCALAR","count":3,"bufferView":0}`, `"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}]`), []string{"component type 5126"}},
		{"index beyond the positions", accessors(`{"componentType":5126,"type":"VEC3","count":1,"bufferView":0},{"componentType":5121,"type":"SCALAR","count":3,"bufferView":0,"byteOffset":15}`, `"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}]`), []string{"of 1"}},
		{"NaN", inGLTF(pack([]float32{0, 0, 0, 1, 0, 0, 1, float32(math.NaN()), 0}), oneNode+plainMesh+`,"accessors":[{"componentType":5126,"type":"VEC3","count":3,"bufferView":0}],"bufferViews":[{"buffer":0,"byteLength":36}]`), []string{"not finite"}},
		{"buffer shorter than declared", []byte(strings.Replace(string(plainGLTF(oneNode+plainMesh)), `"byteLength":36,"uri"`, `"byteLength":40,"uri"`, 1)), []string{"36 bytes, it declares 40"}},
		{"broken base64", []byte(strings.Replace(string(plainGLTF(oneNode+plainMesh)), `base64,AAAA`, `base64,A!AA`, 1)), []string{"base64"}},
		{"GLB cut short", readTestdata(t, "scene.glb")[:500], []string{"declares 1008 bytes but has 500"}},
		{"GLB 1", append([]byte("glTF\x01\x00\x00\x00"), make([]byte, 20)...), []string{"version 1"}},
		{"GLB without a chunk", pack([]byte("glTF"), uint32(2), uint32(12)), []string{"no JSON"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			name := "bad.gltf"
			if isGLB(tt.data) {
				name = "bad.glb"
			}
			_, err := Parse(name, tt.data, one)
			wantError(t, err, append(tt.want, name)...)
		})
	}
}

// A small file may place its mesh until it has millions of triangles: that is an error before
// the memory is taken. So are nodes that multiply.
func TestGLTFInstancesAreBounded(t *testing.T) {
	const each = 4000
	file := func(places int) []byte {
		return inGLTF(make([]byte, 12), fmt.Sprintf(`"scenes":[{"nodes":[%s0]}],"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],
"accessors":[{"componentType":5126,"type":"VEC3","count":1,"bufferView":0},{"componentType":5121,"type":"SCALAR","count":%d}],"bufferViews":[{"buffer":0,"byteLength":12}]`, strings.Repeat("0,", places-1), 3*each))
	}
	if m, err := Parse("fits.gltf", file(20), one); err != nil || len(m.Triangles) != 20*each {
		t.Fatal(err)
	}
	bomb := file(1000)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := Parse("bomb.gltf", bomb, one)
	runtime.ReadMemStats(&after)
	wantError(t, err, "bomb.gltf", fmt.Sprint(limit.PlacedTriangles))
	if took := after.TotalAlloc - before.TotalAlloc; took > 200<<20 {
		t.Errorf("%d MiB were allocated before the error", took>>20)
	}
	var nodes strings.Builder
	for i := range 60 { // 2^60 paths
		fmt.Fprintf(&nodes, `{"children":[%d,%d]},`, i+1, i+1)
	}
	lim := defaultLimits
	lim.visits = 10_000
	_, err = parse("bomb.gltf", plainGLTF(`"scenes":[{"nodes":[0]}],"nodes":[`+nodes.String()+`{"mesh":0}],`+plainMesh), one, within(t, lim))
	wantError(t, err, "bomb.gltf", "more than")
}

func FuzzGLTF(f *testing.F) {
	for _, name := range []string{"scene.glb", "scene_quantized.glb", "sparse.glb", "strip.glb", "animated.glb", "scene_three.gltf"} {
		f.Add(readTestdata(f, name))
	}
	f.Add(plainGLTF(oneNode + plainMesh))
	f.Add(plainGLTF(`"scenes":[{"nodes":[0,1]}],"nodes":[{"mesh":0,"matrix":[0,1,0,0,-1,0,0,0,0,0,1,0,5,6,7,1]},{"children":[0],"scale":[1,1,-1]}],` + plainMesh))
	f.Fuzz(func(t *testing.T, data []byte) { fuzzParse(t, "f.gltf", data) })
}
