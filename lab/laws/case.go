package laws

import (
	"maps"
	"slices"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// pose is a pose as files spell it.
type pose struct{ xyz, rpy geom.Vec }

func (p pose) geom() geom.Pose { return geom.Pose{R: geom.RPY(p.rpy.X, p.rpy.Y, p.rpy.Z), P: p.xyz} }

// body is a shape in its own frame.
type body struct {
	kind           string // box, sphere, cylinder, mesh; in scenes also capsule, cone, points, cells
	size           geom.Vec
	radius, length float64
	mesh           *mesh
	format         string  // of the mesh's file: a key of meshFormats
	scale          float64 // that undoes the file's unit; 1 is none
	points         []geom.Vec
	cells          []geom.Box
}

type placed struct {
	pose
	body
}

type link struct {
	name   string
	shapes []placed
}

type joint struct {
	name, kind    string // kind as URDF spells it
	parent, child string
	pose
	axis         geom.Vec
	lower, upper float64
	follows      string // the joint it mimics
	mult, offset float64
}

type object struct {
	id string
	placed
	padding  float64
	attached string
	touch    []string
}

// subject is everything a question rests on, as plain data. The first link is the root.
type subject struct {
	links    []link
	joints   []joint
	srdf     bool
	disabled [][2]string

	frame   string // of the scene; "" is the root link's
	objects []object
	allowed [][2]string
	padded  map[string]float64 // link_padding of the scene

	state      map[string]float64
	optAllowed [][2]string
	padding    float64
	optPadded  map[string]float64

	names     []string // of the motion
	pieces    []motion.Piece
	root      []motion.RootPiece
	keepTurns bool

	clearance, tolerance float64
	tube                 map[string]float64

	inMemoryOnly bool // no file can hold it
}

// clone returns a copy that may be changed, but for meshes and single shapes, which
// are replaced whole.
func (s *subject) clone() *subject {
	c := *s
	c.links = slices.Clone(s.links)
	for i := range c.links {
		c.links[i].shapes = slices.Clone(c.links[i].shapes)
	}
	c.joints, c.disabled = slices.Clone(s.joints), slices.Clone(s.disabled)
	c.objects, c.allowed, c.padded = slices.Clone(s.objects), slices.Clone(s.allowed), maps.Clone(s.padded)
	for i := range c.objects {
		c.objects[i].touch = slices.Clone(c.objects[i].touch)
	}
	c.state, c.optAllowed, c.optPadded = maps.Clone(s.state), slices.Clone(s.optAllowed), maps.Clone(s.optPadded)
	c.names, c.root, c.tube = slices.Clone(s.names), slices.Clone(s.root), maps.Clone(s.tube)
	c.pieces = slices.Clone(s.pieces)
	for i := range c.pieces {
		c.pieces[i].Ctrl = slices.Clone(c.pieces[i].Ctrl)
		for j := range c.pieces[i].Ctrl {
			c.pieces[i].Ctrl[j] = slices.Clone(c.pieces[i].Ctrl[j])
		}
	}
	return &c
}

// joint returns the joint of that name.
func (s *subject) joint(name string) *joint {
	for i := range s.joints {
		if s.joints[i].name == name {
			return &s.joints[i]
		}
	}
	return nil
}

// followers returns the indices of the joints that mimic a joint.
func (s *subject) followers(name string) (out []int) {
	for i := range s.joints {
		if s.joints[i].follows == name {
			out = append(out, i)
		}
	}
	return out
}

// rest returns s with a motion that stands still at a configuration, by name, for
// one second.
func (s *subject) rest(names []string, q []float64) *subject {
	c := s.clone()
	c.names, c.pieces = slices.Clone(names), []motion.Piece{{Start: 0, End: 1}}
	for _, x := range q {
		c.pieces[0].Ctrl = append(c.pieces[0].Ctrl, []float64{x, x})
	}
	c.root = nil
	return c
}

// bodies calls f for every shape of the robot and of the world.
func (s *subject) bodies(f func(b *body)) {
	for i := range s.links {
		for k := range s.links[i].shapes {
			f(&s.links[i].shapes[k].body)
		}
	}
	for i := range s.objects {
		f(&s.objects[i].body)
	}
}

func (s *subject) hasMesh() (has bool) {
	s.bodies(func(b *body) { has = has || b.mesh != nil })
	return has
}

// padsLess reports whether the options give a link less padding than the scene asks
// for, which a verifier of proofs refuses.
func (s *subject) padsLess() bool {
	for name, p := range s.optPadded {
		if p < s.padded[name] {
			return true
		}
	}
	return false
}

// straight reports whether all pieces are straight lines.
func (s *subject) straight() bool {
	for _, p := range s.pieces {
		for _, c := range p.Ctrl {
			if len(c) > 2 {
				return false
			}
		}
	}
	return true
}
