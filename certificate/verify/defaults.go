package verify

import (
	"fmt"
	"math"

	"github.com/firstcontact-ros/firstcontact/certificate"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/premise"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Without an SRDF, pairs of links that touch at the model's default state are allowed pairs.
// The certificate shows each contact by a point of both links. If too many pairs of a robot
// touch, that is a gap.

// defaultState gives every variable its position by the model alone: that of the first SRDF
// group state that names it, otherwise 0, or the middle of the range if 0 is outside.
func defaultState(r *urdf.Robot) map[string]float64 {
	state := map[string]float64{}
	for i := range r.Joints {
		j := &r.Joints[i]
		switch {
		case j.Mimic != nil:
		case j.Type == urdf.Planar:
			for _, axis := range [...]string{"/x", "/y", "/theta"} {
				state[j.Name+axis] = 0
			}
		case j.Type == urdf.Revolute || j.Type == urdf.Continuous || j.Type == urdf.Prismatic:
			state[j.Name] = 0
			if l := j.Limit; l.Bounded && (l.Lower > 0 || l.Upper < 0) {
				state[j.Name] = l.Lower + (l.Upper-l.Lower)/2
			}
		}
	}
	if r.Semantic == nil {
		return state
	}
	given := map[string]bool{}
	for _, s := range r.Semantic.States {
		for name, x := range s.Positions {
			if _, known := state[name]; known && !given[name] {
				state[name] = x
			}
		}
		for name := range s.Positions {
			given[name] = true
		}
	}
	return state
}

// atDefault places the robot at its default state, in the root link's frame.
func (v *verifier) atDefault() (*moment, error) {
	if v.resting == nil {
		t, err := newTree(v.robot, nil, interval{})
		if err != nil {
			return nil, err
		}
		c := newCourse(&motion.Motion{}, defaultState(v.robot))
		if v.resting, err = newMoment(t, v.bodies, c, certificate.At{}); err != nil {
			return nil, err
		}
	}
	return v.resting, nil
}

// touchTolerance in m: the distance from a point within which a link touches there.
const touchTolerance = 1e-6

// touches reports whether both links, without padding, contain the point at the default state.
func (v *verifier) touches(a, b string, p geom.Vec) (bool, error) {
	m, err := v.atDefault()
	if err != nil {
		return false, err
	}
	if !(length(p) <= maxLength) {
		return false, nil
	}
	for _, name := range [...]string{a, b} {
		has, err := v.has(m, name, p)
		if !has || err != nil {
			return false, err
		}
	}
	return true, nil
}

// has reports whether a link contains the point. Rounding errors are far below the tolerance.
func (v *verifier) has(m *moment, name string, p geom.Vec) (bool, error) {
	link := v.robot.Link(name)
	w := m.tree.mount(link)
	where := w.pose
	if w.joint >= 0 {
		where = m.joints[w.joint].pose.then(&w.pose)
	}
	for i := range v.robot.Links[link].Collisions {
		c := &v.robot.Links[link].Collisions[i]
		own, err := loaded(&c.PoseLS)
		if err != nil {
			return false, err
		}
		frame := where.then(&own)
		back := frame.r.inverse()
		local := back.apply(at(p).sub(frame.p))
		if shapeHas(c.Shape, local, touchTolerance) {
			return true, nil
		}
	}
	return false, nil
}

// shapeHas reports whether a shape has a point within the given distance (m) of p.
func shapeHas(s *shape.Shape, p ball, within float64) bool {
	v, flat := p.v, math.Hypot(p.v.X, p.v.Y)
	half := s.Length / 2
	switch s.Kind {
	case shape.Box:
		return beside(v, geom.Box{Min: times(-0.5, s.Size), Max: times(0.5, s.Size)}) <= within
	case shape.Sphere:
		return length(v)-s.Radius <= within
	case shape.Capsule:
		return math.Hypot(flat, max(0, math.Abs(v.Z)-half))-s.Radius <= within
	case shape.Cylinder:
		return math.Hypot(max(0, flat-s.Radius), max(0, math.Abs(v.Z)-half)) <= within
	case shape.Cone:
		return besideCone(flat, v.Z, s.Radius, half) <= within
	case shape.Points:
		for _, x := range s.Points {
			if length(minus(v, x))-s.Radius <= within {
				return true
			}
		}
	case shape.Cells:
		for i := range s.Cells {
			if beside(v, s.Cells[i]) <= within {
				return true
			}
		}
	case shape.Mesh:
		return meshHas(s, p, within)
	}
	return false
}

// beside returns the distance of a point from a box.
func beside(p geom.Vec, b geom.Box) float64 {
	off := func(x, lo, hi float64) float64 { return max(0, lo-x, x-hi) }
	return length(geom.Vec{X: off(p.X, b.Min.X, b.Max.X), Y: off(p.Y, b.Min.Y, b.Max.Y), Z: off(p.Z, b.Min.Z, b.Max.Z)})
}

// besideCone returns the distance from a cone, in the half-plane through its axis: from the
// triangle (0, half), (radius, -half), (0, -half).
func besideCone(flat, z, radius, half float64) float64 {
	if z >= -half && flat*2*half <= radius*(half-z) {
		return 0
	}
	a, b := geom.Vec{Y: half}, geom.Vec{X: radius, Y: -half}
	p := geom.Vec{X: flat, Y: z}
	return min(fromSegment(p, a, b), fromSegment(p, b, geom.Vec{Y: -half}))
}

func fromSegment(p, a, b geom.Vec) float64 {
	ab, ap := minus(b, a), minus(p, a)
	t := 0.0
	if l := dot(ab, ab); l > 0 {
		t = max(0, min(1, dot(ap, ab)/l))
	}
	return length(minus(ap, times(t, ab)))
}

// meshHas reports whether p is in a solid of the mesh, or near one of its triangles.
func meshHas(s *shape.Shape, p ball, within float64) bool {
	solids, _ := solidsOf(s.Mesh, placesOf(s.Mesh), still, 0)
	for i := range solids {
		if solids[i].locate(p) == inside {
			return true
		}
	}
	for _, t := range s.Mesh.Triangles {
		v := s.Mesh.Vertices
		if fromTriangle(p.v, v[t[0]], v[t[1]], v[t[2]]) <= within {
			return true
		}
	}
	return false
}

// fromTriangle returns the distance of p from a triangle: from its plane if p projects into
// it, otherwise from an edge.
func fromTriangle(p, a, b, c geom.Vec) float64 {
	d := min(fromSegment(p, a, b), fromSegment(p, b, c), fromSegment(p, c, a))
	n := cross(minus(b, a), minus(c, a))
	above := func(x, y geom.Vec) bool { return dot(cross(minus(y, x), minus(p, x)), n) >= 0 }
	if l := length(n); l > 0 && above(a, b) && above(b, c) && above(c, a) {
		d = min(d, math.Abs(dot(minus(p, a), n))/l)
	}
	return d
}

// maxTouchingShare is the share of the pairs with relative motion that may be left out because
// they touch at the default state (docs/guarantees.md).
const maxTouchingShare = 0.2

// doubts returns a gap for each robot, single or joined, of which more pairs are left out than
// that. touching are those pairs, as links.
func (v *verifier) doubts(touching [][2]int) []premise.Premise {
	names := []string{v.robot.Name}
	if len(v.robot.Parts) > 0 {
		names = nil
		for i := range v.robot.Parts {
			names = append(names, v.robot.Parts[i].Name)
		}
	}
	all, some := make([]int, len(names)), make([]int, len(names))
	part := func(link int) int { return max(v.robot.Part(link), 0) }
	moved := func(a, b int) bool { return v.tree.links[a].joint != v.tree.links[b].joint }
	for i, a := range v.bodies {
		for _, b := range v.bodies[i+1:] {
			if a.kind == certificate.Link && b.kind == certificate.Link && part(a.link) == part(b.link) && moved(a.link, b.link) && !joined(v.robot, a.link, b.link) {
				all[part(a.link)]++
			}
		}
	}
	for _, p := range touching {
		if moved(p[0], p[1]) {
			some[part(p[0])]++
		}
	}
	var out []premise.Premise
	for i, name := range names {
		if share := float64(some[i]) / float64(all[i]); share > maxTouchingShare {
			out = append(out, premise.Premise{
				Kind: premise.DefaultPairs, Names: []string{name}, Value: share,
				Detail: fmt.Sprintf("%d of the %d pairs of links with relative motion are left out because they touch at the default state", some[i], all[i]),
			})
		}
	}
	return out
}
