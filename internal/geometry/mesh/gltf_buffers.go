package mesh

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/firstcontact-ros/firstcontact/internal/base/document"
)

// The component types of an accessor.
const (
	int8Component   = 5120
	uint8Component  = 5121
	int16Component  = 5122
	uint16Component = 5123
	uint32Component = 5125
	floatComponent  = 5126
)

func componentBytes(kind int) int {
	switch kind {
	case int8Component, uint8Component:
		return 1
	case int16Component, uint16Component:
		return 2
	case uint32Component, floatComponent:
		return 4
	}
	return 0
}

// values are the entries of an accessor, read in place.
type values struct {
	data       []byte // from the first entry on; nil for zeros
	stride     int
	count      int
	kind       int
	normalized bool
	size       int // of a component

	at1 []int   // entries that are given apart, ascending
	is1 *values // and what they are
}

// at returns component c of entry i.
func (v *values) at(i, c int) float64 {
	if v.is1 != nil {
		if k, ok := slices.BinarySearch(v.at1, i); ok {
			return v.is1.at(k, c)
		}
	}
	if v.data == nil {
		return 0
	}
	p := v.data[i*v.stride+c*v.size:]
	switch v.kind {
	case int8Component:
		return v.scaled(float64(int8(p[0])), math.MaxInt8)
	case uint8Component:
		return v.scaled(float64(p[0]), math.MaxUint8)
	case int16Component:
		return v.scaled(float64(int16(binary.LittleEndian.Uint16(p))), math.MaxInt16)
	case uint16Component:
		return v.scaled(float64(binary.LittleEndian.Uint16(p)), math.MaxUint16)
	case uint32Component:
		return float64(binary.LittleEndian.Uint32(p))
	}
	return float64(math.Float32frombits(binary.LittleEndian.Uint32(p)))
}

func (v *values) scaled(x, full float64) float64 {
	if v.normalized {
		return max(x/full, -1)
	}
	return x
}

// accessor returns accessor i, of 1 or 3 components.
func (d *gltf) accessor(i, components int) (*values, error) {
	f, err := d.accessors[i].AnyFields(fmt.Sprintf("accessor %d", i))
	if err != nil {
		return nil, err
	}
	v, err := d.readAccessor(f, components)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", titled("accessor", i, f), err)
	}
	return v, nil
}

func (d *gltf) readAccessor(f document.Fields, components int) (*values, error) {
	kind, err := document.Optional(f, "type", document.Value.Str)
	if err != nil {
		return nil, err
	}
	if want := map[int]string{1: "SCALAR", 3: "VEC3"}[components]; kind != want {
		return nil, fmt.Errorf("type %.20q, not %s: damaged; export it again", kind, want)
	}
	v, err := d.layout(f)
	if err != nil {
		return nil, err
	}
	if v.normalized, err = document.Optional(f, "normalized", document.Value.Bool); err != nil {
		return nil, err
	}
	if v.normalized && (v.kind == floatComponent || v.kind == uint32Component) {
		return nil, fmt.Errorf("component type %d cannot be normalized: damaged; export it again", v.kind)
	}
	count, err := f.Need("accessor", "count")
	if err != nil {
		return nil, err
	}
	if v.count, err = below(count, "count", int(d.b.lim.bytes)); err != nil {
		return nil, err
	}
	if err := d.entries(f, v, components); err != nil {
		return nil, err
	}
	return v, d.sparse(f, v, components)
}

// layout reads the component type.
func (d *gltf) layout(f document.Fields) (*values, error) {
	t, err := f.Need("accessor", "componentType")
	if err != nil {
		return nil, err
	}
	v := &values{}
	if v.kind, err = t.Int("componentType"); err != nil {
		return nil, err
	}
	if v.size = componentBytes(v.kind); v.size == 0 {
		return nil, fmt.Errorf("component type %d is none of glTF: damaged; export it again", v.kind)
	}
	return v, nil
}

// entries finds the bytes of an accessor or of the parts of a sparse one.
func (d *gltf) entries(f document.Fields, v *values, components int) error {
	at, err := index(f, "bufferView", len(d.views))
	if err != nil || v.count == 0 {
		return err
	}
	if at < 0 {
		if v.count > 3*d.b.lim.triangles {
			return fmt.Errorf("%d entries without data: more than %d triangles take", v.count, d.b.lim.triangles)
		}
		return nil
	}
	data, stride, err := d.view(at)
	if err != nil {
		return fmt.Errorf("bufferView %d: %w", at, err)
	}
	offset, err := natural(f, "byteOffset")
	if err != nil {
		return err
	}
	size := v.size * components
	if v.stride = stride; stride == 0 {
		v.stride = size
	}
	if v.stride < size {
		return fmt.Errorf("entries of %d bytes every %d: damaged; export it again", size, v.stride)
	}
	if last := int64(offset) + int64(v.count-1)*int64(v.stride) + int64(size); last > int64(len(data)) {
		return fmt.Errorf("%d entries end at byte %d of %d: truncated or damaged; export or copy it again", v.count, last, len(data))
	}
	v.data = data[offset:]
	return nil
}

// sparse reads the entries that an accessor gives apart.
func (d *gltf) sparse(f document.Fields, v *values, components int) error {
	s, ok := f.Get("sparse")
	if !ok {
		return nil
	}
	g, err := s.AnyFields("sparse")
	if err != nil {
		return err
	}
	count, err := g.Need("sparse", "count")
	if err != nil {
		return err
	}
	at, is := &values{}, &values{kind: v.kind, size: v.size, normalized: v.normalized}
	if at.count, err = below(count, "count", v.count+1); err != nil {
		return err
	}
	is.count = at.count
	if err := d.sparsePart(g, "indices", at, 1); err != nil {
		return err
	}
	if err := d.sparsePart(g, "values", is, components); err != nil {
		return err
	}
	v.at1, v.is1 = make([]int, at.count), is
	for k := range v.at1 {
		v.at1[k] = int(at.at(k, 0))
		if v.at1[k] >= v.count || k > 0 && v.at1[k] <= v.at1[k-1] {
			return fmt.Errorf("sparse index %d is %d, not ascending below %d: damaged; export it again", k, v.at1[k], v.count)
		}
	}
	return nil
}

// sparsePart finds the indices or values of a sparse accessor.
func (d *gltf) sparsePart(sparse document.Fields, key string, v *values, components int) error {
	p, err := sparse.Need("sparse", key)
	if err != nil {
		return err
	}
	f, err := p.AnyFields(key)
	if err != nil {
		return err
	}
	if !f.Has("bufferView") {
		return fmt.Errorf("sparse %s have no bufferView: damaged; export it again", key)
	}
	if v.kind == 0 { // indices have a type of their own
		of, err := d.layout(f)
		if err != nil {
			return err
		}
		if of.kind != uint8Component && of.kind != uint16Component && of.kind != uint32Component {
			return fmt.Errorf("sparse indices have the component type %d: damaged; export it again", of.kind)
		}
		v.kind, v.size = of.kind, of.size
	}
	return d.entries(f, v, components)
}

// natural returns the value of key, a whole number of bytes, 0 without one.
func natural(f document.Fields, key string) (int, error) {
	v, ok := f.Get(key)
	if !ok {
		return 0, nil
	}
	n, err := v.Int(key)
	if err == nil && (n < 0 || n > math.MaxUint32) {
		err = v.Errorf("%s is %d: damaged; export or copy it again", key, n)
	}
	return n, err
}

// view returns the bytes of a buffer view and the distance of its entries, 0 if they are close.
func (d *gltf) view(i int) (data []byte, stride int, err error) {
	f, err := d.views[i].AnyFields("bufferView")
	if err != nil {
		return nil, 0, err
	}
	if err := d.strange(f, fmt.Sprintf("bufferView %d", i), "buffer", "byteLength", "byteOffset", "byteStride", "target"); err != nil {
		return nil, 0, err
	}
	of, err := index(f, "buffer", len(d.buffers))
	if err != nil {
		return nil, 0, err
	}
	if of < 0 {
		return nil, 0, errors.New("no buffer: damaged; export it again")
	}
	if data, err = d.buffer(of); err != nil {
		return nil, 0, fmt.Errorf("buffer %d: %w", of, err)
	}
	offset, err := natural(f, "byteOffset")
	if err != nil {
		return nil, 0, err
	}
	length, err := natural(f, "byteLength")
	if err != nil {
		return nil, 0, err
	}
	if stride, err = natural(f, "byteStride"); err != nil {
		return nil, 0, err
	}
	if int64(offset)+int64(length) > int64(len(data)) {
		return nil, 0, fmt.Errorf("bytes %d to %d of %d: truncated or damaged; export or copy it again", offset, int64(offset)+int64(length), len(data))
	}
	return data[offset : offset+length], stride, nil
}

// buffer returns the content of a buffer, which is loaded once.
func (d *gltf) buffer(i int) ([]byte, error) {
	if data, ok := d.loaded[i]; ok {
		return data, nil
	}
	f, err := d.buffers[i].AnyFields("buffer")
	if err != nil {
		return nil, err
	}
	length, err := natural(f, "byteLength")
	if err != nil {
		return nil, err
	}
	data, err := d.content(i, f)
	if err != nil {
		return nil, err
	}
	if len(data) < length {
		return nil, fmt.Errorf("%d bytes, it declares %d: truncated or damaged; export or copy it again", len(data), length)
	}
	data = data[:length]
	d.loaded[i] = data
	return data, nil
}

func (d *gltf) content(i int, f document.Fields) ([]byte, error) {
	uri, err := document.Optional(f, "uri", document.Value.Str)
	if err != nil {
		return nil, err
	}
	if uri == "" {
		if i != 0 || d.bin == nil {
			return nil, errors.New("no data: the file may be compressed by an extension; export it again without")
		}
		return d.bin, nil
	}
	if header, text, ok := strings.Cut(uri, ","); ok && strings.HasPrefix(uri, "data:") {
		if !strings.HasSuffix(header, ";base64") {
			return nil, fmt.Errorf("data of the form %.60q, not base64: export it again", header)
		}
		data, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			if data, err = base64.RawStdEncoding.DecodeString(text); err != nil {
				return nil, fmt.Errorf("base64: %w: damaged; export or copy it again", err)
			}
		}
		return data, d.grow(len(data))
	}
	return d.neighbour(uri)
}

// neighbour reads the file of a buffer, which is in the mesh's folder or below.
func (d *gltf) neighbour(uri string) ([]byte, error) {
	name, err := url.PathUnescape(uri)
	if err != nil {
		name = uri
	}
	if !filepath.IsLocal(name) || strings.Contains(uri, "://") {
		return nil, fmt.Errorf("its file %.200q is not in the folder of the mesh: put everything into one .glb file, e.g. with npx @gltf-transform/cli copy IN.gltf OUT.glb", uri)
	}
	data, err := d.b.side(name, d.b.lim.bytes-d.size)
	if err != nil {
		return nil, err
	}
	return data, d.grow(len(data))
}

// grow counts the bytes of buffers.
func (d *gltf) grow(n int) error {
	if d.size += int64(n); d.size > d.b.lim.bytes {
		return tooLarge(d.size, d.b.lim.bytes)
	}
	return nil
}
