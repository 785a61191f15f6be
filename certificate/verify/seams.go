package verify

import (
	"github.com/firstcontact-ros/firstcontact/certificate"
	"github.com/firstcontact-ros/firstcontact/geom"
)

// The pieces of a moving root link need meet only to within 1e-9 (motion.Validate), so at a
// seam every point of the robot may jump. A point outside a solid is outside after the jump
// too if its surface was farther from the solid's than any of its points jump: then a
// translation and a rotation about the root link's origin take it from one pose to the other
// without crossing the solid. So every item of a pair with the world must prove a distance
// larger by that amount.

// jump is the difference of the root link's poses at a seam: of its origin, and of the columns
// of its rotation together (the Frobenius norm, which bounds how far a point at distance 1
// moves). It is rounded up; err bounds what rounding may have added.
type jump struct{ origin, turn, err float64 }

// of bounds how far a point moves whose distance from the root link's origin is at most r.
func (j jump) of(r float64) float64 { return above(j.origin + j.turn*r) }

// noteSeams finds the jumps at the seams of the root link's motion.
func (v *verifier) noteSeams() error {
	if len(v.motion.Root) == 0 {
		return nil
	}
	var end pose
	for p := range v.motion.Pieces {
		start, err := v.rootAt(p, 0)
		if err != nil {
			return err
		}
		if p > 0 {
			v.jumps = append(v.jumps, between(&end, &start))
		}
		if end, err = v.rootAt(p, 1); err != nil {
			return err
		}
	}
	return nil
}

func between(a, b *pose) jump {
	j := jump{origin: b.p.sub(a.p).size(), err: above(a.p.err + b.p.err + 2*(a.r.err+b.r.err))}
	x, y, z := minus(b.r.x, a.r.x), minus(b.r.y, a.r.y), minus(b.r.z, a.r.z)
	// A rotation within err of the matrix for unit vectors differs from it by at most
	// sqrt(3) err in all.
	j.turn = above(length(geom.Vec{X: length(x), Y: length(y), Z: length(z)}) + 2*(a.r.err+b.r.err))
	return j
}

// rootAt places the root link at parameter s of a piece.
func (v *verifier) rootAt(piece int, s float64) (pose, error) {
	m, err := v.momentAt(certificate.At{Piece: piece, Lo: s, Hi: s})
	if err != nil {
		return pose{}, err
	}
	w := m.tree.mount(v.robot.Root)
	if w.joint < 0 {
		return w.pose, nil
	}
	return m.joints[w.joint].pose.then(&w.pose), nil
}

// giveJumps gives each moving body the largest jump of one of its points.
func (v *verifier) giveJumps() error {
	if len(v.jumps) == 0 {
		return nil
	}
	t, err := newTree(v.robot, nil, interval{})
	if err != nil {
		return err
	}
	for _, b := range v.bodies {
		if b.link < 0 {
			continue
		}
		r := v.reachFromRoot(t, b)
		for _, j := range v.jumps {
			b.jump = max(b.jump, j.of(r))
		}
	}
	return nil
}

// reachFromRoot bounds the distance of a point of the body from the root link's origin: the
// sum of lengths along the links.
func (v *verifier) reachFromRoot(t *tree, b *body) float64 {
	w := t.mount(b.link)
	r := above(b.far + b.err + w.pose.p.size())
	for _, k := range t.chain(w) {
		j := &t.joints[k]
		r = above(r + j.fixed.p.size())
		if !j.slides {
			continue
		}
		far := 0.0
		for p := range v.motion.Pieces {
			for _, q := range v.course.ctrl(j, p) {
				far = max(far, q.mag())
			}
		}
		r = above(r + far + v.tubeOf(j))
	}
	return r
}
