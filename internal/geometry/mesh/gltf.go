package mesh

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/firstcontact-ros/firstcontact/internal/base/document"
	"github.com/firstcontact-ros/firstcontact/premise"
)

// glTF 2.0, as JSON (.gltf) with buffers in other files or in data addresses, or as one binary
// file (.glb). Lengths are metres. The nodes' transforms apply, that of the root node too.
//
// The axes are as they stand: y stays y. The standard says that y points up. Assimp, MoveIt,
// Gazebo, and RViz of ROS 2 Humble and Jazzy ignore that; RViz of later distributions and Drake
// turn the mesh by 90 degrees about x, so that y becomes z. MoveIt and Tesseract drop the
// transform of a single root node. So the axes of every glTF mesh are a gap.
//
// Triangles, strips and fans are read; lines and points are kept as segments and points. What
// can change the shape is a gap if the file shows it at rest (animations, morph targets of
// weight 0), otherwise an error (skins). Compressed geometry is an error with the remedy.

// gltf is one document.
type gltf struct {
	b    *builder
	root document.Fields
	bin  []byte // the binary chunk of a .glb, nil without one

	// The document's lists, as they stand.
	nodes, meshes, accessors, views, buffers []document.Value

	loaded  map[int][]byte    // buffers
	size    int64             // of all loaded buffers
	read    map[int]*geometry // meshes
	reached map[int]bool      // accessors of positions that were held against their bounds
	moved   map[int]bool      // nodes that an animation moves
	left    int               // nodes and primitives that the scene may still visit
	placed  bool              // a mesh was placed
	shaped  bool              // and has triangles, not only lines and points
}

func isGLB(data []byte) bool { return bytes.HasPrefix(data, []byte("glTF")) }

// looksLikeGLTF reports whether a JSON text may be glTF: its required key is asset.
func looksLikeGLTF(data []byte) bool {
	data = bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\ufeff")), " \t\r\n")
	return len(data) > 0 && data[0] == '{' && bytes.Contains(data, []byte(`"asset"`))
}

func readGLB(b *builder, data []byte) error {
	text, bin, err := chunks(data)
	if err != nil {
		return err
	}
	return readDocument(b, text, bin)
}

func readGLTF(b *builder, data []byte) error { return readDocument(b, data, nil) }

const (
	glbHeader = 12
	jsonChunk = 0x4e4f534a // "JSON"
	binChunk  = 0x004e4942 // "BIN"
)

// chunks returns the JSON and the binary chunk of a .glb file. Others are for extensions.
func chunks(data []byte) (text, bin []byte, err error) {
	if len(data) < glbHeader || !isGLB(data) {
		return nil, nil, fmt.Errorf("%d bytes that do not begin as a GLB file: truncated or damaged; export or copy it again", len(data))
	}
	if v := binary.LittleEndian.Uint32(data[4:]); v != 2 {
		return nil, nil, fmt.Errorf("glTF of version %d: convert it to 2.0, e.g. with npx gltf-pipeline -i IN.glb -o OUT.glb", v)
	}
	if n := binary.LittleEndian.Uint32(data[8:]); int64(n) != int64(len(data)) {
		return nil, nil, fmt.Errorf("it declares %d bytes but has %d: truncated or damaged; export or copy it again", n, len(data))
	}
	for k, rest := 0, data[glbHeader:]; len(rest) > 0; k++ {
		if len(rest) < 8 || int64(binary.LittleEndian.Uint32(rest)) > int64(len(rest)-8) {
			return nil, nil, fmt.Errorf("chunk %d is longer than the file: truncated or damaged; export or copy it again", k)
		}
		n, kind := int(binary.LittleEndian.Uint32(rest)), binary.LittleEndian.Uint32(rest[4:])
		content := rest[8 : 8+n]
		rest = rest[8+n:]
		switch {
		case k == 0 && kind == jsonChunk:
			text = content
		case k == 0:
			return nil, nil, errors.New("the first chunk is not JSON: damaged; export or copy it again")
		case k == 1 && kind == binChunk:
			bin = content
		}
	}
	if text == nil {
		return nil, nil, errors.New("no JSON in it: truncated or damaged; export or copy it again")
	}
	return text, bin, nil
}

func readDocument(b *builder, text, bin []byte) error {
	b.lim.triangles = min(b.lim.triangles, b.lim.placed)
	docs, err := document.Parse("glTF", text)
	if err != nil {
		return err
	}
	if len(docs) != 1 {
		return fmt.Errorf("%d JSON documents, not one: damaged; export or copy it again", len(docs))
	}
	d := &gltf{b: b, bin: bin, loaded: map[int][]byte{}, read: map[int]*geometry{}, reached: map[int]bool{}, moved: map[int]bool{}, left: b.lim.visits}
	if d.root, err = docs[0].AnyFields("document"); err != nil {
		return err
	}
	for _, step := range []func() error{d.version, d.extensions, d.lists, d.animations, d.scenes, d.topLevel} {
		if err := step(); err != nil {
			return err
		}
	}
	if d.placed && !d.shaped {
		return errors.New("only lines and points, no surface: export triangles; a cloud of points belongs into a scene as type: points")
	}
	return nil
}

func (d *gltf) version() error {
	v, err := d.root.Need("document", "asset")
	if err != nil {
		return err
	}
	f, err := v.AnyFields("asset")
	if err != nil {
		return err
	}
	version, err := f.Need("asset", "version")
	if err != nil {
		return err
	}
	s, err := version.Str("version")
	if err == nil && !strings.HasPrefix(s, "2.") {
		err = version.Errorf("glTF of version %.20s: convert it to 2.0, e.g. with npx gltf-pipeline -i IN.gltf -o OUT.glb", s)
	}
	return err
}

// remedies are what to do about extensions that hold geometry which is not read.
var remedies = map[string]string{
	"KHR_draco_mesh_compression": "decompress it, e.g. with npx @gltf-transform/cli copy IN.glb OUT.glb",
	"EXT_meshopt_compression":    "decompress it, e.g. with npx @gltf-transform/cli copy IN.glb OUT.glb",
	"KHR_meshopt_compression":    "decompress it, e.g. with npx @gltf-transform/cli copy IN.glb OUT.glb",
	"EXT_mesh_gpu_instancing":    "export every instance as a node of its own",
}

// harmless reports whether an extension changes no surface, or is read.
func harmless(name string) bool {
	switch name {
	case "KHR_mesh_quantization", "KHR_texture_transform", "KHR_texture_basisu", "KHR_lights_punctual", "KHR_xmp_json_ld", "KHR_xmp",
		"EXT_texture_webp", "EXT_texture_avif", "EXT_lights_ies", "EXT_lights_image_based", "MSFT_texture_dds", "MSFT_lod",
		"EXT_mesh_features", "EXT_structural_metadata", "EXT_mesh_manifold", "CESIUM_primitive_outline", "FB_ngon_encoding",
		"KHR_node_visibility", "KHR_node_selectability", "KHR_node_hoverability": // hidden nodes are read too
		return true
	}
	return strings.HasPrefix(name, "KHR_materials_") || strings.HasPrefix(name, "EXT_materials_")
}

// extensions refuses what the file says cannot be read without an extension that is not known.
func (d *gltf) extensions() error {
	names, err := document.Optional(d.root, "extensionsRequired", document.Value.Strs)
	if err != nil {
		return err
	}
	for _, name := range names {
		if remedy, ok := remedies[name]; ok {
			return fmt.Errorf("its geometry needs the extension %s, which is not supported: %s", name, remedy)
		}
		if !harmless(name) {
			return fmt.Errorf("it needs the extension %.60q, which is not supported: export it without", name)
		}
	}
	return nil
}

// topLevel notes what the document itself has that is none of glTF 2.0.
func (d *gltf) topLevel() error {
	return d.strange(d.root, "the document", "accessors", "animations", "asset", "buffers", "bufferViews", "cameras", "extensionsUsed",
		"extensionsRequired", "images", "materials", "meshes", "nodes", "samplers", "scene", "scenes", "skins", "textures")
}

// strange notes the keys of an object that are not among known, and the extensions that are not
// known to leave the surface alone; those with a remedy are errors.
func (d *gltf) strange(f document.Fields, what string, known ...string) error {
	for _, key := range f.Keys() {
		if !slices.Contains(known, key) && !slices.Contains([]string{"name", "extensions", "extras"}, key) {
			d.b.notUnderstood("%s has the key %.60q, which is none of glTF 2.0", what, key)
		}
	}
	v, ok := f.Get("extensions")
	if !ok {
		return nil
	}
	ext, err := v.AnyFields("extensions")
	if err != nil {
		return err
	}
	for _, name := range ext.Keys() {
		if remedy, ok := remedies[name]; ok {
			return fmt.Errorf("%s has the extension %s, which is not supported: %s", what, name, remedy)
		}
		if !harmless(name) {
			d.b.notUnderstood("%s has the extension %.60q, which may change its geometry and is not read", what, name)
		}
	}
	return nil
}

func (d *gltf) lists() error {
	for _, l := range []struct {
		key string
		to  *[]document.Value
	}{{"nodes", &d.nodes}, {"meshes", &d.meshes}, {"accessors", &d.accessors}, {"bufferViews", &d.views}, {"buffers", &d.buffers}} {
		var err error
		if *l.to, err = document.Optional(d.root, l.key, document.Value.List); err != nil {
			return err
		}
	}
	return nil
}

// animations finds the nodes that animations move.
func (d *gltf) animations() error {
	list, err := document.Optional(d.root, "animations", document.Value.List)
	if err != nil {
		return err
	}
	for i, v := range list {
		f, err := v.AnyFields(fmt.Sprintf("animation %d", i))
		if err != nil {
			return err
		}
		channels, err := document.Optional(f, "channels", document.Value.List)
		if err != nil {
			return err
		}
		for _, c := range channels {
			node, err := animated(c)
			if err != nil {
				return err
			}
			d.moved[node] = true
		}
	}
	return nil
}

// anyNode stands for a node that an extension of a channel names.
const anyNode = -1

func animated(channel document.Value) (int, error) {
	f, err := channel.AnyFields("channel")
	if err != nil {
		return 0, err
	}
	v, err := f.Need("channel", "target")
	if err != nil {
		return 0, err
	}
	target, err := v.AnyFields("target")
	if err != nil {
		return 0, err
	}
	node, ok := target.Get("node")
	if !ok {
		return anyNode, nil
	}
	return node.Int("node")
}

// indices returns a list of indices below n.
func indices(f document.Fields, key string, n int) ([]int, error) {
	v, ok := f.Get(key)
	if !ok {
		return nil, nil
	}
	list, err := v.List(key)
	if err != nil {
		return nil, err
	}
	out := make([]int, len(list))
	for i, item := range list {
		if out[i], err = below(item, key, n); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// below returns v as an index below n.
func below(v document.Value, key string, n int) (int, error) {
	i, err := v.Int(key)
	if err == nil && (i < 0 || i >= n) {
		err = v.Errorf("%s %d of %d does not exist: damaged; export or copy it again", key, i, n)
	}
	return i, err
}

// index returns the value of key as an index below n, -1 without one.
func index(f document.Fields, key string, n int) (int, error) {
	v, ok := f.Get(key)
	if !ok {
		return -1, nil
	}
	return below(v, key, n)
}

// titled names an object of a list for messages: node 3 "arm".
func titled(kind string, i int, f document.Fields) string {
	if v, ok := f.Get("name"); ok {
		if s, err := v.Str("name"); err == nil && s != "" {
			return fmt.Sprintf("%s %d %.60q", kind, i, s)
		}
	}
	return fmt.Sprintf("%s %d", kind, i)
}

// notUnderstood adds a gap about what of the file was not understood, once.
func (b *builder) notUnderstood(format string, args ...any) {
	b.gap(premise.NotUnderstood, fmt.Sprintf(format, args...), "export the mesh without it")
}

const maxGaps = 20

// gap adds a gap, once. Further ones than maxGaps say nothing new.
func (b *builder) gap(kind premise.Kind, detail, remedy string) {
	g := premise.Premise{Kind: kind, Detail: detail, Remedy: remedy}
	if len(b.gaps) < maxGaps && !slices.ContainsFunc(b.gaps, func(o premise.Premise) bool { return o.Kind == kind && o.Detail == detail }) {
		b.gaps = append(b.gaps, g)
	}
}
