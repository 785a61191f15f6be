package kin

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/premise"
)

// Seams. Between two pieces of a root link's motion the link may jump a little. A proof that
// uses surfaces to exclude containment needs continuity: it holds across a jump if the
// surfaces were farther apart than any point jumps (docs/guarantees.md). So the largest jump
// of the motion counts as an error of the root link's pose, on every piece: all rules then
// prove a larger distance than that.

// Jump bounds how far the root link jumps at a seam: its origin by at most Pos (m), a point at
// distance r from it by at most Pos + Rot r, at every pose between both ends by a translation
// and a rotation about the origin. Rot is the Frobenius norm of the difference of both
// orientations.
type Jump struct{ Rot, Pos float64 }

// jump bounds the jump after a piece, and the error of that bound.
//
// The end's orientation is that of an angle, wrong by at most 16u of itself (a product
// of the rate, the length of a vector, with a time) and 24u (rounding.go), times one
// that was made upright, as was that of the next piece, each with less than 20
// roundings: 80u with the product; the difference rounds once. The end's position is
// three sums of products, and the lever turned like the orientation.
func (b *Course) jump(piece int) (j, err Jump) {
	p, r, next := &b.Motion.Pieces[piece], &b.Motion.Root[piece], &b.Motion.Root[piece+1]
	span := p.End - p.Start
	angle := span * r3.Norm(r.Turn)
	end, start := rootOf(r), rootOf(next)
	turn := geom.AxisAngle(end.Axis, angle)
	way, arm := r3.Scale(span, r.Velocity), end.Pose.P
	at := r3.Add(r3.Add(r.Point, way), turn.Turn(arm))
	err.Rot = (160 + 16*angle) * u
	err.Pos = 16*u*(r3.Norm(r.Point)+r3.Norm(way)+r3.Norm(next.Start.P)) + (err.Rot+32*u)*r3.Norm(arm)
	j.Rot = (differ(turn.Mul(end.Pose.R), start.Pose.R) + err.Rot) * inflate
	j.Pos = (r3.Norm(r3.Sub(next.Start.P, at)) + err.Pos) * inflate
	return j, err
}

// differ is the Frobenius norm of the difference.
func differ(a, b geom.Rot) float64 {
	x := r3.Norm(geom.Vec{X: a.XX - b.XX, Y: a.XY - b.XY, Z: a.XZ - b.XZ})
	y := r3.Norm(geom.Vec{X: a.YX - b.YX, Y: a.YY - b.YY, Z: a.YZ - b.YZ})
	z := r3.Norm(geom.Vec{X: a.ZX - b.ZX, Y: a.ZY - b.ZY, Z: a.ZZ - b.ZZ})
	return r3.Norm(geom.Vec{X: x, Y: y, Z: z})
}

// noteSeams finds the largest jump of the motion, and whether one exceeds rounding.
func (b *Course) noteSeams() {
	b.jumps, b.seams = Jump{}, false
	for p := range len(b.Motion.Root) - 1 {
		j, err := b.jump(p)
		b.jumps.Rot, b.jumps.Pos = max(b.jumps.Rot, j.Rot), max(b.jumps.Pos, j.Pos)
		b.seams = b.seams || j.exceeds(err)
	}
}

// exceeds reports whether a jump exceeds the error of its computation.
func (j Jump) exceeds(err Jump) bool { return j.Rot > 2*err.Rot || j.Pos > 2*err.Pos }

// seamPremises lists the jumps that exceed rounding.
func (b *Course) seamPremises() []premise.Premise {
	if !b.seams {
		return nil
	}
	var out []premise.Premise
	for p := range len(b.Motion.Root) - 1 {
		if j, err := b.jump(p); j.exceeds(err) {
			out = append(out, premise.Premise{
				Kind: premise.Seam, Value: j.Pos, Piece: p + 1,
				Detail: fmt.Sprintf("at the start of piece %d, the root link jumps by %.2g m and %.2g rad: every pair with the world is farther apart than that", p+1, j.Pos, j.Rot/math.Sqrt2),
			})
		}
	}
	return out
}
