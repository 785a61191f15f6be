package catch

import (
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/numeric/interval"
)

// What Taylor models are compared with (ZRLK07, section 5.1 and Figure 5): the same
// matrices in interval arithmetic, as in RKLM04.

// plainJoint is a joint's matrix cos(q) A + sin(q) B + C (RKLM04, Equations 2 to 4), with
// the place of its frame in its parent's in front, so that each entry has one cosine
// and one sine.
type plainJoint struct {
	a, b, c interval.Mat
	known   bool // on this piece
}

// plain multiplies the matrices of the chain in intervals.
func (b *TaylorBVH) plain(s *timeInterval, base, frame int) *interval.Pose {
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
	local := b.plainLocal(s, frame)
	*p = b.plain(s, base, b.tree.Frames[frame].Parent).Mul(&local)
	p.R = p.R.Rotation()
	return p
}

// plainLocal bounds a frame's pose in its parent's. The range of the joint's position is
// exact for a polynomial up to the third degree, as it is for the model.
func (b *TaylorBVH) plainLocal(s *timeInterval, frame int) interval.Pose {
	j := &b.joints[frame]
	p := interval.OfPose(j.at)
	if !j.still {
		position := b.position(s, frame)
		q := position.Bound()
		if b.tree.Frames[frame].Prismatic {
			axis := interval.OfVec(j.axis).Grow(8 * roundoff) // of length 1 to within 4u
			p.P = p.P.Add(p.R.Apply(axis).Scale(q))
		} else {
			p.R = b.plainTurn(frame, q)
		}
	}
	for i := range p.R {
		p.R[i] = p.R[i].Grow(j.errR)
	}
	p.R, p.P = p.R.Rotation(), p.P.Grow(j.errP)
	return p
}

func (b *TaylorBVH) plainTurn(frame int, q interval.I) interval.Mat {
	t := &b.turns[frame]
	if !t.known {
		t.set(&b.joints[frame])
	}
	sin, cos := interval.SinCos(q)
	x, y := t.a.Scale(cos), t.b.Scale(sin)
	x = x.Add(&y)
	return x.Add(&t.c)
}

// set finds the matrices of a turn about an axis u: C = u u^T, A = 1 - C, B = u*.
func (t *plainJoint) set(j *jointPath) {
	u, zero := interval.OfVec(j.axis).Grow(8*roundoff), interval.I{}
	r, one := interval.OfRot(j.at.R), interval.OfRot(geom.Identity())
	c := interval.Mat{u.Scale(u.X), u.Scale(u.Y), u.Scale(u.Z)}
	a := c.Scale(interval.Point(-1))
	a = a.Add(&one)
	b := interval.Mat{{X: zero, Y: u.Z.Neg(), Z: u.Y}, {X: u.Z, Y: zero, Z: u.X.Neg()}, {X: u.Y.Neg(), Y: u.X, Z: zero}}
	t.a, t.b, t.c, t.known = r.Mul(&a), r.Mul(&b), r.Mul(&c), true
}
