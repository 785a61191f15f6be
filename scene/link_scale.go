package scene

import (
	"maps"
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
)

// maxScale is the largest scale of a link that is taken for one.
const maxScale = 10

// scaleLinks takes link_scale. MoveIt scales each collision shape of the link about its middle.
// Here a larger link is padded by so much that it holds the scaled one, and a smaller one is
// checked at its full size.
func (p *planning) scaleLinks(list []LinkNumber) error {
	for _, n := range list {
		if n.Value == 1 {
			delete(p.scaled, n.Link)
			continue
		}
		if p.robot == nil || !(n.Value > 0 && n.Value <= maxScale) {
			return n.From.Errorf("link %s is scaled by %g, which is not supported: use link_padding", n.Link, n.Value)
		}
		link := p.robot.Link(n.Link)
		if link < 0 {
			continue // as in MoveIt
		}
		more := 0.0
		for _, c := range p.robot.Links[link].Collisions {
			more = max(more, (n.Value-1)*reach(c.Shape))
		}
		if p.scaled == nil {
			p.scaled = map[string]float64{}
		}
		p.scaled[n.Link] = more
		p.warn(n.From, "link %s is scaled by %g: it is checked at its size with %.4g m of padding, which holds the scaled link", n.Link, n.Value, more)
	}
	return nil
}

// paddings returns the padding of links, with that which stands for scales.
func (p *planning) paddings() map[string]float64 {
	out := maps.Clone(p.padding)
	for link, more := range p.scaled {
		if out == nil {
			out = map[string]float64{}
		}
		out[link] += more
	}
	return out
}

// reach returns the largest distance (m) of a point of the shape from the point about which
// MoveIt scales it: the middle or, of a mesh, the mean of the vertices in its file, which is
// somewhere in its box.
func reach(s *Shape) float64 {
	switch s.Kind {
	case shape.Box:
		return geom.Norm(s.Size) / 2
	case shape.Sphere:
		return s.Radius
	case shape.Cylinder, shape.Cone:
		return math.Hypot(s.Radius, s.Length/2)
	case shape.Capsule:
		return s.Radius + s.Length/2
	}
	least, most := geom.Vec{X: math.Inf(1), Y: math.Inf(1), Z: math.Inf(1)}, geom.Vec{X: math.Inf(-1), Y: math.Inf(-1), Z: math.Inf(-1)}
	grow := func(v geom.Vec) {
		least = geom.Vec{X: min(least.X, v.X), Y: min(least.Y, v.Y), Z: min(least.Z, v.Z)}
		most = geom.Vec{X: max(most.X, v.X), Y: max(most.Y, v.Y), Z: max(most.Z, v.Z)}
	}
	if s.Mesh != nil {
		for _, v := range s.Mesh.Vertices {
			grow(v)
		}
	}
	for _, v := range s.Points {
		grow(v)
	}
	for _, c := range s.Cells {
		grow(c.Min)
		grow(c.Max)
	}
	if !(least.X <= most.X) {
		return 0
	}
	return 2*s.Radius + geom.Norm(geom.Vec{X: most.X - least.X, Y: most.Y - least.Y, Z: most.Z - least.Z})
}
