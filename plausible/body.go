package plausible

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// body is links that fixed joints connect: they move as one. All coordinates are in the
// frame of its first link.
type body struct {
	link    int         // the first link: that below the joint which moves the body, or the root
	poseBL  []geom.Pose // of its links
	links   []int       // indices into Robot.Links
	anchors []geom.Vec  // where joints move it or others: its own joint's origin and those below
	shapes  []solid     // collision shapes
	joints  []int       // moving joints whose parent is one of the links
	box     geom.Box    // around all shapes
	parent  int         // index of the body above, -1 for the root's
	joint   int         // the joint above, -1 for the root's
	origin  geom.Vec    // of that joint in the parent's frame
}

// solid is one collision shape of a body.
type solid struct {
	link, index int // of Links[link].Collisions[index]
	box         geom.Box
	shape       *shape.Shape
}

// extent is the length of the box's diagonal; 0 if it is empty.
func extent(b geom.Box) float64 {
	if b.Empty() {
		return 0
	}
	return geom.Norm(geom.Vec{X: b.Max.X - b.Min.X, Y: b.Max.Y - b.Min.Y, Z: b.Max.Z - b.Min.Z})
}

// distance from a point to a box; 0 inside.
func distance(b geom.Box, p geom.Vec) float64 {
	d := geom.Vec{
		X: max(b.Min.X-p.X, 0, p.X-b.Max.X),
		Y: max(b.Min.Y-p.Y, 0, p.Y-b.Max.Y),
		Z: max(b.Min.Z-p.Z, 0, p.Z-b.Max.Z),
	}
	return geom.Norm(d)
}

// apart is the distance between two boxes; 0 where they overlap.
func apart(a, b geom.Box) float64 {
	return geom.Norm(geom.Vec{
		X: max(a.Min.X-b.Max.X, 0, b.Min.X-a.Max.X),
		Y: max(a.Min.Y-b.Max.Y, 0, b.Min.Y-a.Max.Y),
		Z: max(a.Min.Z-b.Max.Z, 0, b.Min.Z-a.Max.Z),
	})
}

// farthest is the distance from a point to the farthest point of a box.
func farthest(b geom.Box, p geom.Vec) float64 {
	if b.Empty() {
		return 0
	}
	return geom.Norm(geom.Vec{
		X: max(math.Abs(b.Min.X-p.X), math.Abs(b.Max.X-p.X)),
		Y: max(math.Abs(b.Min.Y-p.Y), math.Abs(b.Max.Y-p.Y)),
		Z: max(math.Abs(b.Min.Z-p.Z), math.Abs(b.Max.Z-p.Z)),
	})
}

// around is a box around a shape at a pose.
func around(s *shape.Shape, pose geom.Pose) geom.Box {
	out := geom.EmptyBox()
	ball := func(p geom.Vec, r float64) {
		q := pose.Apply(p)
		out = out.Extend(geom.Vec{X: q.X - r, Y: q.Y - r, Z: q.Z - r}).Extend(geom.Vec{X: q.X + r, Y: q.Y + r, Z: q.Z + r})
	}
	box := func(lo, hi geom.Vec) {
		for _, p := range corners(lo, hi) {
			ball(p, 0)
		}
	}
	switch s.Kind {
	case shape.Box:
		h := geom.Vec{X: s.Size.X / 2, Y: s.Size.Y / 2, Z: s.Size.Z / 2}
		box(geom.Vec{X: -h.X, Y: -h.Y, Z: -h.Z}, h)
	case shape.Sphere:
		ball(geom.Vec{}, s.Radius)
	case shape.Cylinder, shape.Cone:
		box(geom.Vec{X: -s.Radius, Y: -s.Radius, Z: -s.Length / 2}, geom.Vec{X: s.Radius, Y: s.Radius, Z: s.Length / 2})
	case shape.Capsule:
		ball(geom.Vec{Z: -s.Length / 2}, s.Radius)
		ball(geom.Vec{Z: s.Length / 2}, s.Radius)
	case shape.Mesh:
		if s.Mesh != nil {
			for _, v := range s.Mesh.Vertices {
				out = out.Extend(pose.Apply(v))
			}
		}
	case shape.Points:
		for _, p := range s.Points {
			ball(p, s.Radius)
		}
	case shape.Cells:
		all := geom.EmptyBox()
		for _, c := range s.Cells {
			all = all.Union(c)
		}
		if !all.Empty() {
			box(all.Min, all.Max)
		}
	}
	return out
}

// corners are those of a box.
func corners(lo, hi geom.Vec) (all [8]geom.Vec) {
	for i := range all {
		p := lo
		if i&1 != 0 {
			p.X = hi.X
		}
		if i&2 != 0 {
			p.Y = hi.Y
		}
		if i&4 != 0 {
			p.Z = hi.Z
		}
		all[i] = p
	}
	return all
}

// moves reports whether a joint can move. A floating joint within a robot is held.
func moves(t urdf.JointType) bool { return t != urdf.Fixed && t != urdf.Floating }

// bodies divides a robot into links that move as one, parents before children.
func bodies(r *urdf.Robot) []body {
	below := make([][]int, len(r.Links)) // joints by parent link
	for i := range r.Joints {
		below[r.Joints[i].Parent] = append(below[r.Joints[i].Parent], i)
	}
	all := []body{{link: r.Root, parent: -1, joint: -1}}
	for i := 0; i < len(all); i++ {
		b := &all[i]
		b.box = geom.EmptyBox()
		b.anchors = append(b.anchors, geom.Vec{})
		b.links, b.poseBL = []int{b.link}, []geom.Pose{geom.IdentityPose()}
		var next []body
		for k := 0; k < len(b.links); k++ {
			for _, j := range below[b.links[k]] {
				joint := &r.Joints[j]
				pose := b.poseBL[k].Mul(joint.PosePC)
				if !moves(joint.Type) {
					b.links, b.poseBL = append(b.links, joint.Child), append(b.poseBL, pose)
					continue
				}
				b.anchors, b.joints = append(b.anchors, pose.P), append(b.joints, j)
				next = append(next, body{link: joint.Child, parent: i, joint: j, origin: pose.P})
			}
			link := &r.Links[b.links[k]]
			for c := range link.Collisions {
				s := solid{link: b.links[k], index: c, shape: link.Collisions[c].Shape}
				if s.shape == nil {
					continue
				}
				s.box = around(s.shape, b.poseBL[k].Mul(link.Collisions[c].PoseLS))
				b.box = b.box.Union(s.box)
				b.shapes = append(b.shapes, s)
			}
		}
		all = append(all, next...)
	}
	return all
}

// span is the size of the box around the points where joints move the body.
func (b *body) span() float64 {
	box := geom.EmptyBox()
	for _, p := range b.anchors {
		box = box.Extend(p)
	}
	return extent(box)
}
