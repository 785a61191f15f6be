// Package digest identifies robots, scenes and motions by a value that changes with anything
// that affects a proof about them: the SHA-256 of their content, as it was loaded. It is
// independent of the location of files, and of different spellings of the same content.
//
// Numbers are encoded as eight bytes, little-endian (float64 by its bits, -0 as 0), strings as
// their length and bytes, lists as their length and items.
package digest

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"maps"
	"math"
	"slices"
	"sync"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Robot returns the sum of the robot's links, joints and shapes, without its SRDF and the
// names of files.
func Robot(r *urdf.Robot) [32]byte {
	e := newEncoder("robot")
	e.count(len(r.Links))
	for i := range r.Links {
		l := &r.Links[i]
		e.text(l.Name)
		e.count(l.ParentJoint)
		e.count(len(l.Collisions))
		for _, c := range l.Collisions {
			e.pose(c.PoseLS)
			e.shape(c.Shape)
		}
	}
	e.count(len(r.Joints))
	for i := range r.Joints {
		e.joint(&r.Joints[i])
	}
	return e.sum()
}

func (e *encoder) joint(j *urdf.Joint) {
	e.text(j.Name)
	e.text(j.Type.String())
	e.count(j.Parent)
	e.count(j.Child)
	e.pose(j.PosePC)
	e.vec(j.Axis)
	if j.Mimic == nil {
		e.count(0)
		return
	}
	e.count(1)
	e.count(j.Mimic.Joint)
	e.number(j.Mimic.Multiplier)
	e.number(j.Mimic.Offset)
}

// Scene returns the sum of the scene's objects in their order, its allowed pairs and its
// paddings. A nil scene has the sum of an empty one.
func Scene(s *scene.Snapshot) [32]byte {
	if s == nil {
		s = &scene.Snapshot{}
	}
	e := newEncoder("scene")
	e.text(s.Frame)
	e.count(len(s.Objects))
	for i := range s.Objects {
		o := &s.Objects[i]
		e.text(o.ID)
		e.text(o.AttachedTo)
		e.count(len(o.TouchLinks))
		for _, link := range o.TouchLinks {
			e.text(link)
		}
		e.number(o.Padding)
		e.pose(o.PoseWS)
		e.shape(o.Shape)
	}
	e.count(len(s.Allowed))
	for _, p := range s.Allowed {
		e.text(p[0])
		e.text(p[1])
	}
	e.count(len(s.LinkPadding))
	for _, link := range slices.Sorted(maps.Keys(s.LinkPadding)) {
		e.text(link)
		e.number(s.LinkPadding[link])
	}
	return e.sum()
}

// Motion returns the sum of the motion's joints and pieces, without its name.
func Motion(m *motion.Motion) [32]byte {
	e := newEncoder("motion")
	e.count(len(m.Joints))
	for _, name := range m.Joints {
		e.text(name)
	}
	if m.KeepTurns {
		e.text("keeps turns")
	}
	e.count(len(m.Pieces))
	for i := range m.Pieces {
		p := &m.Pieces[i]
		e.number(p.Start)
		e.number(p.End)
		for _, row := range p.Ctrl {
			e.count(len(row))
			for _, x := range row {
				e.number(x)
			}
		}
	}
	e.count(len(m.Root))
	for i := range m.Root {
		r := &m.Root[i]
		e.pose(r.Start)
		e.vec(r.Point)
		e.vec(r.Velocity)
		e.vec(r.Turn)
	}
	return e.sum()
}

// encoder hashes in blocks of some kilobytes, because SHA-256 is fast only then. It hashes a
// mesh that several shapes share once.
type encoder struct {
	h      hash.Hash
	buf    []byte
	meshes map[*mesh.Mesh][32]byte
}

// encoders are kept: of a short motion making one takes as long as hashing.
var encoders = sync.Pool{New: func() any { return &encoder{h: sha256.New(), buf: make([]byte, 0, 1<<13)} }}

func newEncoder(what string) *encoder {
	e := encoders.Get().(*encoder)
	e.text("firstcontact digest 1: " + what)
	return e
}

func (e *encoder) flush() {
	e.h.Write(e.buf)
	e.buf = e.buf[:0]
}

// room flushes the buffer unless it has room for n bytes.
func (e *encoder) room(n int) {
	if len(e.buf)+n > cap(e.buf) {
		e.flush()
	}
}

func (e *encoder) word(x uint64) {
	e.room(8)
	e.buf = binary.LittleEndian.AppendUint64(e.buf, x)
}

func (e *encoder) count(n int)      { e.word(uint64(n)) }
func (e *encoder) number(x float64) { e.word(math.Float64bits(x + 0)) } // -0 + 0 is 0

func (e *encoder) text(s string) {
	e.count(len(s))
	e.room(len(s))
	e.buf = append(e.buf, s...)
}

func (e *encoder) vec(v geom.Vec) {
	e.number(v.X)
	e.number(v.Y)
	e.number(v.Z)
}

func (e *encoder) pose(p geom.Pose) {
	r := &p.R
	for _, x := range [...]float64{r.XX, r.XY, r.XZ, r.YX, r.YY, r.YZ, r.ZX, r.ZY, r.ZZ} {
		e.number(x)
	}
	e.vec(p.P)
}

func (e *encoder) vecs(vs []geom.Vec) {
	e.count(len(vs))
	for _, v := range vs {
		e.vec(v)
	}
}

func (e *encoder) shape(s *shape.Shape) {
	if s == nil {
		e.text("none")
		return
	}
	e.text(s.Kind.String())
	e.vec(s.Size)
	e.number(s.Radius)
	e.number(s.Length)
	e.vecs(s.Points)
	e.count(len(s.Cells))
	for _, c := range s.Cells {
		e.vec(c.Min)
		e.vec(c.Max)
	}
	if s.Mesh == nil {
		e.count(0)
		return
	}
	e.count(1)
	sum, known := e.meshes[s.Mesh]
	if !known {
		sum = meshSum(s.Mesh)
		if e.meshes == nil {
			e.meshes = map[*mesh.Mesh][32]byte{}
		}
		e.meshes[s.Mesh] = sum
	}
	e.room(len(sum))
	e.buf = append(e.buf, sum[:]...)
}

func meshSum(m *mesh.Mesh) [32]byte {
	e := newEncoder("mesh")
	e.vecs(m.Vertices)
	e.count(len(m.Triangles))
	for _, t := range m.Triangles {
		for _, k := range t {
			e.count(int(k))
		}
	}
	return e.sum()
}

// sum is the end of an encoder.
func (e *encoder) sum() (out [32]byte) {
	e.flush()
	e.h.Sum(out[:0])
	e.h.Reset()
	e.meshes = nil
	encoders.Put(e)
	return out
}
