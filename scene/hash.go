package scene

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
)

// rehash sets s.Hash to the SHA-256 of the content: the frame, the set of objects, the set of
// allowed pairs, the paddings. The hash is independent of the order of objects and pairs, of
// Version, of Warnings and of the names of mesh files.
//
// Numbers are encoded as eight bytes, little-endian (float64 by its bits, -0 as 0), strings as
// their length and bytes, lists as their length and items. Objects are included by their own
// digests, so that a change of one costs the hash of one.
func (s *Snapshot) rehash() {
	digests := make([][sha256.Size]byte, len(s.Objects))
	for i := range s.Objects {
		if i < len(s.digests) && s.digests[i] != ([sha256.Size]byte{}) {
			digests[i] = s.digests[i]
			continue
		}
		digests[i] = s.Objects[i].digest()
	}
	s.digests = digests

	e := newEncoder("firstcontact scene 1")
	e.text(s.Frame)
	sorted := slices.Clone(digests)
	slices.SortFunc(sorted, func(a, b [sha256.Size]byte) int { return slices.Compare(a[:], b[:]) })
	e.count(len(sorted))
	for _, d := range sorted {
		e.bytes(d[:])
	}
	pairs := canonicalPairs(s.Allowed)
	e.count(len(pairs))
	for _, p := range pairs {
		e.text(p[0])
		e.text(p[1])
	}
	links := slices.Sorted(maps.Keys(s.LinkPadding))
	e.count(len(links))
	for _, link := range links {
		e.text(link)
		e.number(s.LinkPadding[link])
	}
	s.Hash = e.sum()
}

func (o *Object) digest() [sha256.Size]byte {
	e := newEncoder("firstcontact object 1")
	e.text(o.ID)
	e.text(o.AttachedTo)
	links := slices.Sorted(slices.Values(o.TouchLinks))
	e.count(len(links))
	for _, link := range links {
		e.text(link)
	}
	e.number(o.Padding)
	r := o.PoseWS.R
	for _, x := range []float64{r.XX, r.XY, r.XZ, r.YX, r.YY, r.YZ, r.ZX, r.ZY, r.ZZ} {
		e.number(x)
	}
	e.vec(o.PoseWS.P)
	e.shape(o.Shape)
	return e.sum()
}

func (e *encoder) shape(s *Shape) {
	e.text(s.Kind.String())
	e.vec(s.Size)
	e.number(s.Radius)
	e.number(s.Length)
	e.count(len(s.Points))
	for _, p := range s.Points {
		e.vec(p)
	}
	if s.Kind == shape.Cells {
		e.count(len(s.Cells))
		for i := range s.Cells {
			e.vec(s.Cells[i].Min)
			e.vec(s.Cells[i].Max)
		}
	}
	if s.Mesh == nil {
		return
	}
	e.count(len(s.Mesh.Vertices))
	for _, p := range s.Mesh.Vertices {
		e.vec(p)
	}
	e.count(len(s.Mesh.Triangles))
	for _, t := range s.Mesh.Triangles {
		for _, k := range t {
			e.count(int(k))
		}
	}
}

// canonicalPairs returns the pairs as a sorted set, each in alphabetical order.
func canonicalPairs(pairs [][2]string) [][2]string {
	out := make([][2]string, len(pairs))
	for i, p := range pairs {
		out[i] = [2]string{min(p[0], p[1]), max(p[0], p[1])}
	}
	slices.SortFunc(out, func(a, b [2]string) int {
		if c := strings.Compare(a[0], b[0]); c != 0 {
			return c
		}
		return strings.Compare(a[1], b[1])
	})
	return slices.Compact(out)
}

// encoder hashes in pieces of some kilobytes, as SHA-256 is fast only then.
type encoder struct {
	h   hash.Hash
	buf []byte
}

func newEncoder(kind string) *encoder {
	e := &encoder{h: sha256.New(), buf: make([]byte, 0, 1<<12)}
	e.text(kind)
	return e
}

func (e *encoder) bytes(b []byte) {
	if len(e.buf)+len(b) > cap(e.buf) {
		e.h.Write(e.buf)
		e.buf = e.buf[:0]
	}
	if len(b) > cap(e.buf) {
		e.h.Write(b)
		return
	}
	e.buf = append(e.buf, b...)
}

func (e *encoder) word(x uint64) {
	if len(e.buf)+8 > cap(e.buf) {
		e.h.Write(e.buf)
		e.buf = e.buf[:0]
	}
	e.buf = binary.LittleEndian.AppendUint64(e.buf, x)
}

func (e *encoder) count(n int) { e.word(uint64(n)) }

func (e *encoder) number(x float64) { e.word(math.Float64bits(x + 0)) } // -0 + 0 is 0

func (e *encoder) vec(v geom.Vec) {
	e.number(v.X)
	e.number(v.Y)
	e.number(v.Z)
}

func (e *encoder) text(s string) {
	e.count(len(s))
	e.bytes([]byte(s))
}

func (e *encoder) sum() [sha256.Size]byte {
	e.h.Write(e.buf)
	var out [sha256.Size]byte
	e.h.Sum(out[:0])
	return out
}
