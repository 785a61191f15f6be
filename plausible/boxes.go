package plausible

import (
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
)

// boxMemory holds boxes around shapes of many points. A mesh may be in several shapes.
type boxMemory map[boxed]geom.Box

type boxed struct {
	shape *shape.Shape
	mesh  *shape.TriangleMesh
	pose  geom.Pose
}

// boxMaker measures shapes, unless they were measured in the world before.
type boxMaker struct{ known, made boxMemory }

func (b *boxMaker) around(s *shape.Shape, pose geom.Pose) geom.Box {
	of := boxed{pose: pose}
	switch {
	case s.Kind == shape.Mesh && s.Mesh != nil:
		of.mesh = s.Mesh
	case s.Kind == shape.Points || s.Kind == shape.Cells:
		of.shape = s
	default:
		return around(s, pose)
	}
	box, known := b.known[of]
	if !known {
		box = around(s, pose)
	}
	b.made[of] = box
	return box
}
