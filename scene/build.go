package scene

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/premise"
)

// New returns a snapshot of the given objects, at Version 1. Poses are in frame; an empty
// frame means the robot's root link.
//
// An empty or repeated id, a pose that is not rigid, a size that is not positive, a negative
// padding, touch links without a link to be attached to and numbers beyond geom.MaxLength are
// errors that name the object.
//
// New copies the objects but shares their shapes: Hash covers their present state. A checker
// copies the shapes too, and computes the hash again.
func New(frame string, objects ...Object) (*Snapshot, error) {
	return seal(&Snapshot{Frame: frame, Objects: copies(objects), Version: 1})
}

// copies returns the objects with new slices; shapes are shared.
func copies(objects []Object) []Object {
	out := slices.Clone(objects)
	for i := range out {
		out[i].TouchLinks = slices.Clone(out[i].TouchLinks)
	}
	return out
}

// With returns the next version of s with the objects added. They replace objects of s with
// the same id. What WithGaps told of an object goes if its shape does.
func (s *Snapshot) With(objects ...Object) (*Snapshot, error) {
	next := s.next()
	at := make(map[string]int, len(next.Objects))
	for i := range next.Objects {
		at[next.Objects[i].ID] = i
	}
	given := map[string]bool{}
	for _, o := range copies(objects) {
		if given[o.ID] {
			return nil, duplicate(o.ID)
		}
		given[o.ID] = true
		if i, ok := at[o.ID]; ok {
			if len(s.gapsOf[o.ID]) > 0 && !reflect.DeepEqual(o.Shape, next.Objects[i].Shape) { // a checker's snapshot has copies
				next.dropGapsOf(o.ID)
			}
			next.Objects[i], next.digests[i] = o, [sha256.Size]byte{}
			continue
		}
		next.Objects = append(next.Objects, o)
		next.digests = append(next.digests, [sha256.Size]byte{})
	}
	return seal(next)
}

// Without returns the next version of s without the named objects and what WithGaps told of them. A
// name that s does not have is an error, because an obstacle believed removed would still be there.
func (s *Snapshot) Without(ids ...string) (*Snapshot, error) {
	next := s.next()
	for _, id := range ids {
		i := slices.IndexFunc(next.Objects, func(o Object) bool { return o.ID == id })
		if i < 0 {
			return nil, fmt.Errorf("object %s cannot be removed: the scene has no object of that name", id)
		}
		next.Objects = slices.Delete(next.Objects, i, i+1)
		next.digests = slices.Delete(next.digests, i, i+1)
		next.Absent = append(slices.Clip(next.Absent), id)
		next.dropGapsOf(id)
	}
	return seal(next)
}

// WithGaps returns the next version of s with what the shape of one of its objects leaves open, as
// LoadMesh returns it. It goes when the shape does; the other gaps of s stay. What s knows of the
// object already it does not repeat.
func (s *Snapshot) WithGaps(id string, gaps ...premise.Premise) (*Snapshot, error) {
	if !slices.ContainsFunc(s.Objects, func(o Object) bool { return o.ID == id }) {
		return nil, fmt.Errorf("object %s cannot have gaps: the scene has no object of that name", id)
	}
	gaps = slices.DeleteFunc(premise.Clone(gaps), func(g premise.Premise) bool {
		return slices.ContainsFunc(s.gapsOf[id], func(known premise.Premise) bool { return reflect.DeepEqual(g, known) })
	})
	next := s.next()
	next.Gaps = append(slices.Clip(next.Gaps), premise.Clone(gaps)...)
	next.gapsOf = maps.Clone(s.gapsOf)
	if next.gapsOf == nil {
		next.gapsOf = map[string][]premise.Premise{}
	}
	next.gapsOf[id] = append(slices.Clip(next.gapsOf[id]), premise.Clone(gaps)...)
	return seal(next)
}

// dropGapsOf forgets what the shape of an object left open, no other gap that names the object.
func (s *Snapshot) dropGapsOf(id string) {
	s.Gaps = slices.Clone(s.Gaps)
	for _, g := range s.gapsOf[id] {
		if i := slices.IndexFunc(s.Gaps, func(other premise.Premise) bool { return reflect.DeepEqual(g, other) }); i >= 0 {
			s.Gaps = slices.Delete(s.Gaps, i, i+1)
		}
	}
	s.gapsOf = maps.Clone(s.gapsOf)
	delete(s.gapsOf, id)
}

// WithAllowed returns the next version of s with the given pairs of names as its only allowed
// pairs. Names in pairs that s allowed already may go on being absent.
func (s *Snapshot) WithAllowed(pairs ...[2]string) (*Snapshot, error) {
	next := s.next()
	next.Allowed, next.Absent = slices.Clone(pairs), nil
	for _, name := range s.Absent {
		if slices.ContainsFunc(pairs, func(p [2]string) bool { return slices.Contains(p[:], name) && slices.Contains(s.Allowed, p) }) {
			next.Absent = append(next.Absent, name)
		}
	}
	return seal(next)
}

// WithLinkPadding returns the next version of s with the given paddings (m, by link name) as
// its only link paddings.
func (s *Snapshot) WithLinkPadding(padding map[string]float64) (*Snapshot, error) {
	next := s.next()
	next.LinkPadding = maps.Clone(padding)
	return seal(next)
}

// Moved returns the next version of s in the frame T, where poseTS is the pose of s's frame in
// T. Attached objects keep their poses on their links.
func (s *Snapshot) Moved(frame string, poseTS geom.Pose) (*Snapshot, error) {
	if err := checkPose(poseTS); err != nil {
		return nil, fmt.Errorf("scene cannot be moved: %w", err)
	}
	next := s.next()
	next.Frame = frame
	for i := range next.Objects {
		if o := &next.Objects[i]; o.AttachedTo == "" {
			o.PoseWS = poseTS.Mul(o.PoseWS)
			next.digests[i] = [sha256.Size]byte{}
		}
	}
	return seal(next)
}

// Clone returns a deep copy of s at the same Version, with shapes copied by the function
// shape, and the hash of its present content. If s was changed after it was built, Clone fails
// like New.
func (s *Snapshot) Clone(shape func(*Shape) *Shape) (*Snapshot, error) {
	c := *s
	c.Objects, c.digests = slices.Clone(s.Objects), nil
	for i := range c.Objects {
		o := &c.Objects[i]
		o.Shape, o.TouchLinks = shape(o.Shape), slices.Clone(o.TouchLinks)
	}
	c.Allowed, c.LinkPadding = slices.Clone(s.Allowed), maps.Clone(s.LinkPadding)
	c.Absent, c.Warnings = slices.Clone(s.Absent), slices.Clone(s.Warnings)
	c.Gaps = premise.Clone(s.Gaps)
	return seal(&c)
}

// WithShapes returns a copy of s at the same Version and with the same Hash whose objects have
// other shapes: those that the function returns, which must be equal to the ones that it is given.
// The copy shares everything else with s, which must not have been changed since it was built.
func (s *Snapshot) WithShapes(shape func(*Shape) *Shape) *Snapshot {
	c := *s
	c.Objects = slices.Clone(s.Objects)
	for i := range c.Objects {
		c.Objects[i].Shape = shape(c.Objects[i].Shape)
	}
	return &c
}

// Object returns the index of the named object, or -1.
func (s *Snapshot) Object(id string) int {
	return slices.IndexFunc(s.Objects, func(o Object) bool { return o.ID == id })
}

// next returns a copy to modify and seal.
func (s *Snapshot) next() *Snapshot {
	n := *s
	n.Version++
	n.Objects = slices.Clone(s.Objects)
	n.digests = make([][sha256.Size]byte, len(s.Objects))
	copy(n.digests, s.digests)
	return &n
}

// seal validates s and sets its hash.
func seal(s *Snapshot) (*Snapshot, error) {
	if err := checkSize(s); err != nil {
		return nil, err
	}
	seen := make(map[string]bool, len(s.Objects))
	for i := range s.Objects {
		o := &s.Objects[i]
		if i >= len(s.digests) || s.digests[i] == ([sha256.Size]byte{}) {
			if err := o.Validate(); err != nil {
				return nil, fmt.Errorf("object %s: %w", o.ID, err)
			}
		}
		if seen[o.ID] {
			return nil, duplicate(o.ID)
		}
		seen[o.ID] = true
	}
	for _, p := range s.Allowed {
		if p[0] == "" || p[1] == "" {
			return nil, fmt.Errorf("allowed pair [%q, %q] has an empty name: name two links or objects", p[0], p[1])
		}
	}
	for _, link := range slices.Sorted(maps.Keys(s.LinkPadding)) {
		if err := checkPadding(s.LinkPadding[link]); err != nil {
			return nil, fmt.Errorf("link %q: %w", link, err)
		}
	}
	s.rehash()
	return s, nil
}

func duplicate(id string) error {
	return fmt.Errorf("object %s appears twice: rename one of them", id)
}

// Validate returns the first reason why o is not a valid object.
func (o *Object) Validate() error {
	if o.ID == "" {
		return errors.New("has no id: name it")
	}
	if err := checkPose(o.PoseWS); err != nil {
		return err
	}
	if err := checkPadding(o.Padding); err != nil {
		return err
	}
	if o.Shape == nil {
		return errors.New("has no shape")
	}
	if err := o.Shape.Validate(); err != nil {
		return err
	}
	if o.AttachedTo == "" && len(o.TouchLinks) > 0 {
		return errors.New("has touch_links but is attached to no link: set attached_to")
	}
	if slices.Contains(o.TouchLinks, "") {
		return errors.New("has a touch link without a name")
	}
	return nil
}

func checkPadding(p float64) error {
	if !(p >= 0 && p <= geom.MaxLength) {
		return fmt.Errorf("padding is %g m: give zero or more, and at most %g", p, float64(geom.MaxLength))
	}
	return nil
}

// rotationTolerance bounds the entries of R'R - 1. Rotations computed in float64 keep within
// 1e-15. A larger error than 1e-9 comes from rounding to float32 or from scaling, and bodies
// would be checked larger or smaller than they are.
const rotationTolerance = 1e-9

func checkPose(p geom.Pose) error {
	if !geom.Bounded(p.P) {
		return fmt.Errorf("position (%g, %g, %g) is not within %g m: check the unit", p.P.X, p.P.Y, p.P.Z, float64(geom.MaxLength))
	}
	x := geom.Vec{X: p.R.XX, Y: p.R.YX, Z: p.R.ZX}
	y := geom.Vec{X: p.R.XY, Y: p.R.YY, Z: p.R.ZY}
	z := geom.Vec{X: p.R.XZ, Y: p.R.YZ, Z: p.R.ZZ}
	for _, off := range []float64{
		r3.Dot(x, x) - 1, r3.Dot(y, y) - 1, r3.Dot(z, z) - 1,
		r3.Dot(x, y), r3.Dot(y, z), r3.Dot(z, x), r3.Dot(r3.Cross(x, y), z) - 1,
	} {
		if !(math.Abs(off) <= rotationTolerance) {
			return errors.New("orientation is not a rotation: make it with geom.Quat, geom.RPY or geom.Identity")
		}
	}
	return nil
}
