package clouds

import (
	"fmt"
	"math"
	"slices"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/linkspheres"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Body is what points may belong to: the links of a robot and what it carries. It is immutable
// and may be shared.
type Body struct {
	parts []part
	own   int // of parts, which come first, those of the robot itself
}

// part is a body that moves with a link.
type part struct {
	link string
	body *linkspheres.Body // in the link's frame
}

// NewBody returns the body of a robot with the attached ones of the objects; others do not
// count. The geometry is taken without padding.
func NewBody(robot *urdf.Robot, objects []scene.Object) (*Body, error) {
	b := &Body{}
	for i := range robot.Links {
		if err := b.add(robot.Links[i].Name, &robot.Links[i]); err != nil {
			return nil, err
		}
	}
	b.own = len(b.parts)
	return b.Carrying(objects)
}

// Carrying returns the body with the attached ones of other objects. The robot's own is shared:
// it takes most of the time to make.
func (b *Body) Carrying(objects []scene.Object) (*Body, error) {
	next := &Body{parts: slices.Clip(b.parts[:b.own]), own: b.own}
	for i := range objects {
		if o := &objects[i]; o.AttachedTo != "" {
			l := &urdf.Link{Name: o.ID, Collisions: []urdf.Collision{{PoseLS: o.PoseWS, Shape: o.Shape}}}
			if err := next.add(o.AttachedTo, l); err != nil {
				return nil, err
			}
		}
	}
	return next, nil
}

func (b *Body) add(link string, l *urdf.Link) error {
	body, err := linkspheres.NewBody(l)
	if err != nil {
		return fmt.Errorf("the robot's own points cannot be told: %w", err)
	}
	if !body.Empty() {
		b.parts = append(b.parts, part{link, body})
	}
	return nil
}

// placed is a body at a moment, with margin.
type placed struct {
	parts  []placedPart
	margin float64
	grid   grid
	near   map[voxel][]int32 // the parts that are in reach of a voxel
}

type placedPart struct {
	body *linkspheres.Body
	pose geom.Pose // of the link in the root link's frame
}

// coarse is the least side (m) of the voxels in which parts are looked up, and maxAcross the
// most of them across a part.
const (
	coarse    = 0.1
	maxAcross = 24
)

// at places the body by the poses of its links in the root link's frame.
func (b *Body) at(poses map[string]geom.Pose, margin float64) (*placed, error) {
	p := &placed{margin: margin, near: map[voxel][]int32{}}
	boxes := make([]geom.Box, len(b.parts))
	across := 0.0
	for i := range b.parts {
		part := &b.parts[i]
		pose, ok := poses[part.link]
		if !ok {
			return nil, fmt.Errorf("where link %s is at the stamp of the cloud is unknown", part.link)
		}
		p.parts = append(p.parts, placedPart{part.body, pose})
		boxes[i] = around(part.body.Box(), pose, margin)
		size := boxes[i].Half()
		across = max(across, size.X, size.Y, size.Z)
	}
	p.grid.side = max(coarse, 2*across/maxAcross)
	for i := range boxes {
		if err := p.register(int32(i), &boxes[i]); err != nil {
			return nil, fmt.Errorf("link %s: %w", b.parts[i].link, err)
		}
	}
	return p, nil
}

// around returns a box about a part and everything within the margin of it.
func around(b geom.Box, pose geom.Pose, margin float64) geom.Box {
	out := geom.EmptyBox()
	for i := range 8 {
		c := b.Min
		if i&1 != 0 {
			c.X = b.Max.X
		}
		if i&2 != 0 {
			c.Y = b.Max.Y
		}
		if i&4 != 0 {
			c.Z = b.Max.Z
		}
		out = out.Extend(pose.Apply(c))
	}
	m := margin + 1e-9 // and rounding
	out.Min, out.Max = geom.Vec{X: out.Min.X - m, Y: out.Min.Y - m, Z: out.Min.Z - m}, geom.Vec{X: out.Max.X + m, Y: out.Max.Y + m, Z: out.Max.Z + m}
	return out
}

// register notes the voxels in which a part is in reach.
func (p *placed) register(part int32, box *geom.Box) error {
	lo, ok := p.grid.of(box.Min)
	hi, also := p.grid.of(box.Max)
	if !ok || !also {
		return fmt.Errorf("it is %.3g m away from the root link", math.Max(geom.Norm(box.Min), geom.Norm(box.Max)))
	}
	x0, y0, z0 := lo.unpack()
	x1, y1, z1 := hi.unpack()
	for z := z0; z <= z1; z++ {
		for y := y0; y <= y1; y++ {
			for x := x0; x <= x1; x++ {
				v := pack(x, y, z)
				p.near[v] = append(p.near[v], part)
			}
		}
	}
	return nil
}

// owns reports whether a point, in the root link's frame, is proved to be within the margin of
// the body.
func (p *placed) owns(v geom.Vec) bool {
	if p == nil {
		return false
	}
	at, ok := p.grid.of(v)
	if !ok {
		return false
	}
	for _, i := range p.near[at] {
		part := &p.parts[i]
		if part.body.Within(part.pose.ApplyInv(v), p.margin) {
			return true
		}
	}
	return false
}
