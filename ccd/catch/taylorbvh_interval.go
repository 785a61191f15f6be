package catch

import (
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/interval"
)

// What Taylor models are compared with (ZRLK07, section 5.1 and Figure 5): the same
// matrices in interval arithmetic, as in RKLM04.

// plain multiplies the matrices of the chain in intervals.
func (b *TaylorBVH) plain(s *stretch, base, frame int) *interval.Pose {
	seen := s.from(base)
	p := &seen.plain[frame]
	if seen.hasPlain[frame] {
		return p
	}
	seen.hasPlain[frame] = true
	if frame == base {
		*p = interval.OfPose(geom.IdentityPose())
		return p
	}
	local := b.plainJoint(s, frame)
	*p = b.plain(s, base, b.tree.Frames[frame].Parent).Mul(&local)
	p.R = p.R.Rotation()
	return p
}

// plainJoint is a joint's matrix. The range of its position is exact for a straight line,
// as that of a cubic is for the model.
func (b *TaylorBVH) plainJoint(s *stretch, frame int) interval.Pose {
	j := &b.joints[frame]
	p := interval.PoseWithin(j.at, j.errR, j.errP)
	if j.still {
		return p
	}
	position := b.position(s, frame)
	q := position.Bound()
	if b.tree.Frames[frame].Prismatic {
		p.P = p.P.Add(p.R.Apply(interval.OfVec(j.axis).Scale(q)))
		return p
	}
	turn := interval.Turn(j.axis, q)
	p.R = p.R.Mul(&turn)
	return p
}
