package articulate

// Bounds on the positions and derivatives of vertices, edges and face normals over an
// interval of time: RKLM04, section 5.2.1. The matrices of an element are bounded once
// per interval (Mover), and each vertex, edge or normal that equations mention is
// multiplied with them once per interval, however many equations mention it.

import (
	"github.com/firstcontact-ros/firstcontact/internal/numeric/interval"
)

// lens is an interval of time that bounds are asked about.
type lens struct {
	lo, hi float64
	stamp  uint64 // changes with every interval
}

// side is one element of a pair as seen from the frame in which the pair is compared.
type side struct {
	part  *part
	frame int
	base  int

	over, at placed // over the interval, and at an instant in it

	parts      []partPose // 2^level from place 2^level - 1 on
	level      int        // of refinement
	fits       bool
	levelStamp uint64

	vertices, edges, faces table
}

// still reports whether the element rests in the frame it is compared in.
func (s *side) still() bool { return s.frame == s.base }

// placed is where an element is, and how that changes, by the piece's parameter.
type placed struct {
	stamp, rateStamp uint64
	pose, rate       interval.Pose
}

// table numbers the features of one kind that equations mention.
type table struct {
	slot  map[int32]int32
	items []feature
}

// feature is a vertex, an edge or a face's normal.
type feature struct {
	id       int32
	ends     [3]int32     // the slots of its vertices: two of an edge, three of a face
	own      interval.Vec // in the element's frame: the point, from end to end, the normal
	over, at bounded
}

// bounded is a vector and its derivative on an interval.
type bounded struct {
	stamp, rateStamp uint64
	v, rate          interval.Vec
}

func (t *table) clear() {
	clear(t.slot)
	t.items = t.items[:0]
}

// find returns the slot of a feature, and whether it was there.
func (t *table) find(id int32) (slot int32, known bool) {
	if slot, known = t.slot[id]; known {
		return slot, true
	}
	if t.slot == nil {
		t.slot = map[int32]int32{}
	}
	slot = int32(len(t.items))
	t.slot[id] = slot
	t.items = append(t.items, feature{id: id})
	return slot, false
}

func (s *side) forget() {
	s.vertices.clear()
	s.edges.clear()
	s.faces.clear()
}

// vertexSlot, edgeSlot and faceSlot number a feature of a mesh.
func (s *side) vertexSlot(v int32) int32 {
	slot, known := s.vertices.find(v)
	if !known {
		s.vertices.items[slot].own = interval.OfVec(s.part.faces.vertices[v])
	}
	return slot
}

func (s *side) edgeSlot(e int32) int32 {
	slot, known := s.edges.find(e)
	if !known {
		ends := s.part.faces.edges[e]
		a, b := s.vertexSlot(ends[0]), s.vertexSlot(ends[1])
		f := &s.edges.items[slot]
		f.ends = [3]int32{a, b}
		f.own = s.vertices.items[b].own.Sub(s.vertices.items[a].own)
	}
	return slot
}

func (s *side) faceSlot(face int32) int32 {
	slot, known := s.faces.find(face)
	if !known {
		t := s.part.faces.faces[face]
		ends := [3]int32{s.vertexSlot(t[0]), s.vertexSlot(t[1]), s.vertexSlot(t[2])}
		s.faces.items[slot].ends = ends
		s.faces.items[slot].own = s.part.faces.normal(face)
	}
	return slot
}

// poses returns where the element is at any time of the lens.
func (w *Worker) poses(s *side, l *lens, p *placed) *placed {
	if p.stamp == l.stamp || s.still() && p.stamp != 0 {
		return p
	}
	p.stamp = l.stamp
	if s.still() {
		p.pose = s.part.place
		return p
	}
	w.stats.Matrices++
	p.pose = w.mover.PoseBF(s.base, s.frame, l.lo, l.hi).Mul(&s.part.place)
	p.pose.R = p.pose.R.Rotation()
	return p
}

// rates returns the same with derivatives.
func (w *Worker) rates(s *side, l *lens, p *placed) *placed {
	if p.rateStamp == l.stamp || s.still() {
		return p
	}
	p.rateStamp = l.stamp
	m := w.mover.RateBF(s.base, s.frame, l.lo, l.hi)
	p.rate = interval.Pose{R: m.R.Mul(&s.part.place.R), P: m.Apply(s.part.place.P)}
	return p
}

// view is the features of one element over the interval, or at an instant in it.
type view struct {
	w *Worker
	s *side
	l *lens
	p *placed
	// instant says which of a feature's bounds are meant.
	instant bool
}

func (v *view) of(f *feature) *bounded {
	if v.instant {
		return &f.at
	}
	return &f.over
}

// fresh reports whether bounds are those of the lens, and makes them so: what stands
// still is bounded once.
func (v *view) fresh(stamp *uint64) bool {
	if *stamp == v.l.stamp || v.s.still() && *stamp != 0 {
		return true
	}
	*stamp = v.l.stamp
	return false
}

// point returns where a vertex is.
func (v *view) point(slot int32) *interval.Vec {
	f := &v.s.vertices.items[slot]
	b := v.of(f)
	if !v.fresh(&b.stamp) {
		b.v = v.w.poses(v.s, v.l, v.p).pose.Apply(f.own)
	}
	return &b.v
}

// pointRate returns how fast a vertex moves.
func (v *view) pointRate(slot int32) *interval.Vec {
	f := &v.s.vertices.items[slot]
	b := v.of(f)
	if !v.fresh(&b.rateStamp) && !v.s.still() {
		b.rate = v.w.rates(v.s, v.l, v.p).rate.Apply(f.own)
	}
	return &b.rate
}

// direction returns an edge from its first end, or a normal.
func (v *view) direction(f *feature) *interval.Vec {
	b := v.of(f)
	if !v.fresh(&b.stamp) {
		b.v = v.w.poses(v.s, v.l, v.p).pose.R.Apply(f.own)
	}
	return &b.v
}

// directionRate returns how fast a direction changes.
func (v *view) directionRate(f *feature) *interval.Vec {
	b := v.of(f)
	if !v.fresh(&b.rateStamp) && !v.s.still() {
		b.rate = v.w.rates(v.s, v.l, v.p).rate.R.Apply(f.own)
	}
	return &b.rate
}
