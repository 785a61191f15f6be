package node

import (
	"crypto/sha256"
	"encoding"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"math"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// hashOf identifies models: equal hashes mean the same links, joints, shapes, padding, allowed
// pairs and accepted gaps. robot is the state of a robotHash.
func hashOf(robot []byte, assumed []ccd.AssumedPair, opts ccd.Options) (string, error) {
	h := hasher{sha256.New()}
	if err := h.Hash.(encoding.BinaryUnmarshaler).UnmarshalBinary(robot); err != nil {
		return "", err
	}
	for _, p := range assumed {
		h.text(p.A)
		h.text(p.B)
	}
	for _, entry := range opts.Accept {
		h.text(entry)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// ModelHash returns the hash by which a node's states and verdicts name a model: that of this
// checker, made with these options.
func ModelHash(c *ccd.Checker, opts ccd.Options) (string, error) {
	robot, err := robotHash(c.Robot(), opts)
	if err != nil {
		return "", err
	}
	return hashOf(robot, c.Pairs().Assumed, opts)
}

// robotHash is the state of a hash that has taken the robot, which no change of the world
// changes.
func robotHash(r *urdf.Robot, opts ccd.Options) ([]byte, error) {
	h := hasher{sha256.New()}
	for i := range r.Links {
		h.link(&r.Links[i], opts)
	}
	for i := range r.Joints {
		h.joint(&r.Joints[i])
	}
	return h.Hash.(encoding.BinaryMarshaler).MarshalBinary()
}

// hasher writes values so that different sequences never produce the same bytes.
type hasher struct{ hash.Hash }

func (h hasher) text(s string) {
	h.numbers(float64(len(s)))
	h.Write([]byte(s))
}

func (h hasher) numbers(xs ...float64) {
	var b [8]byte
	for _, x := range xs {
		binary.LittleEndian.PutUint64(b[:], math.Float64bits(x))
		h.Write(b[:])
	}
}

func (h hasher) flag(b bool) {
	if b {
		h.numbers(1)
	} else {
		h.numbers(0)
	}
}

func (h hasher) points(vs ...geom.Vec) {
	for _, v := range vs {
		h.numbers(v.X, v.Y, v.Z)
	}
}

func (h hasher) pose(p geom.Pose) {
	r := p.R
	h.numbers(r.XX, r.XY, r.XZ, r.YX, r.YY, r.YZ, r.ZX, r.ZY, r.ZZ)
	h.points(p.P)
}

func (h hasher) link(l *urdf.Link, opts ccd.Options) {
	padding, ok := opts.LinkPadding[l.Name]
	if !ok {
		padding = opts.Padding
	}
	h.text(l.Name)
	h.numbers(float64(l.ParentJoint), padding, float64(len(l.Collisions)))
	for i := range l.Collisions {
		h.collision(&l.Collisions[i])
	}
}

func (h hasher) joint(j *urdf.Joint) {
	h.text(j.Name)
	h.numbers(float64(j.Type), float64(j.Parent), float64(j.Child), j.Limit.Lower, j.Limit.Upper)
	h.pose(j.PosePC)
	h.points(j.Axis)
	h.flag(j.Mimic != nil)
	if j.Mimic != nil {
		h.numbers(float64(j.Mimic.Joint), j.Mimic.Multiplier, j.Mimic.Offset)
	}
}

func (h hasher) collision(c *urdf.Collision) {
	s := c.Shape
	h.pose(c.PoseLS)
	h.numbers(float64(s.Kind), s.Radius, s.Length, float64(len(s.Points)))
	h.points(s.Size)
	h.points(s.Points...)
	h.flag(s.Mesh != nil)
	if s.Mesh == nil {
		return
	}
	h.numbers(float64(len(s.Mesh.Vertices)), float64(len(s.Mesh.Triangles)))
	h.points(s.Mesh.Vertices...)
	for _, t := range s.Mesh.Triangles {
		h.numbers(float64(t[0]), float64(t[1]), float64(t[2]))
	}
}
