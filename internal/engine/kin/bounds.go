package kin

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// Radii writes into radii, for each joint k of the chain of frame f (root first), the local
// radius R_k: no point of the ball gets farther from axis k during the interval than R_k; 1
// for a prismatic joint. center is the ball's centre in W at c. reach is the constant of
// Tree.Reach for the same ball.
//
//	R_k = min( r_k , d_k + sum over deeper j of R_j ch_j )
//
// with joint j's deviation (SetStray) added to ch_j. In the frame that joint k moves only
// deeper joints move the points, and the distance to a line is 1-Lipschitz.
func (s *State) Radii(f int, center geom.Vec, radius float64, reach, radii []float64) {
	chain := s.Tree.chain[f]
	errP := s.ErrP[f] + s.ErrR[f]*(geom.Norm(r3.Sub(center, s.PoseWF[f].P))+radius)
	var deeper float64
	for i := len(chain) - 1; i >= 0; i-- {
		k := chain[i]
		if s.Tree.Frames[k].Prismatic {
			radii[i] = 1
		} else {
			// The cross product errs by 8u |w|, the axis by ErrR, its origin by ErrP; the
			// reach bounds |w| as well, as the origin lies on the axis.
			w := r3.Sub(center, s.OriginW[k])
			d := geom.Norm(r3.Cross(w, s.AxisW[k])) + reach[i]*(8*u+s.ErrR[k]) + s.ErrP[k] + errP + radius
			radii[i] = min(reach[i], (d+deeper)*inflate)
		}
		deeper += radii[i] * (s.Chord[k] + s.StrayChord[k])
	}
}

// Displacement bounds how far any point of the ball with the given local radii moves from its
// position at c during the interval, in the frame after the first `from` joints of the chain
// of frame f: M = sum of R_k ch_k.
func (s *State) Displacement(f, from int, radii []float64) float64 {
	chain := s.Tree.chain[f]
	var m float64
	for i := from; i < len(chain); i++ {
		m += radii[i] * s.Chord[chain[i]]
	}
	return m * inflate
}

// Tube bounds how far any point of the ball may be from its position at the same time if every
// joint after the first `from` of the chain of frame f deviates by as much as SetStray allows:
// the sum of R_k chord(tol_k).
func (s *State) Tube(f, from int, radii []float64) float64 {
	chain := s.Tree.chain[f]
	var m float64
	for i := from; i < len(chain); i++ {
		m += radii[i] * s.StrayChord[chain[i]]
	}
	return m * inflate
}

// Acceleration bounds the acceleration |d²x/dt²| of every point during the interval, in the
// frame after the first `from` joints of the chain of frame f: (A) with all s = 1. jerk bounds
// |d³x/dt³| likewise.
//
// The third derivative by joints i, j and k, k the deepest of them, is u_i x (u_j x J_k), no
// longer than R_k, and zero if a joint other than k is prismatic. Summed over all orders of
// three, of two where one joint's own acceleration enters, three times, and of one with its
// jerk, with the sums S over the revolute joints before k:
//
//	J = sum of R_k ( (S_omega + omega_k)^3 - S_omega^3 + 3 alpha_k (S_omega + omega_k) + 3 omega_k S_alpha + beta_k )
//
// A prismatic k enters each product at most once, because J_k depends on no q_k.
func (s *State) Acceleration(f, from int, radii []float64) (accel, jerk float64) {
	chain := s.Tree.chain[f]
	var a, j, turn, turning float64
	for i := from; i < len(chain); i++ {
		k, r := chain[i], radii[i]
		w, alpha := s.Omega[k], s.Alpha[k]
		a += r * (alpha + 2*w*turn)
		j += r * (s.Beta[k] + 3*(w*turn*turn+alpha*turn+w*turning))
		if !s.Tree.Frames[k].Prismatic {
			a += r * w * w
			j += r * w * (3*(turn*w+alpha) + w*w)
			turn += w
			turning += alpha
		}
	}
	return a * inflate, j * inflate
}

// AccelerationAlong bounds the acceleration's component |n.d²x/dt²| for the unit vector n of
// W, fixed in the same frame, in which it is no longer than 1 + 4u:
//
//	s_k = min(1, |n x u_k| + sum over revolute j < k of delta_j)
//	A   = sum s_k R_k alpha_k + sum R_k omega_k (omega_k s_k + 2 sum over revolute m < k of omega_m s_m)
//
// where a prismatic k has alpha_k itself and no omega_k s_k. Only joints after
// `from` enter, the delta_j included.
func (s *State) AccelerationAlong(f, from int, radii []float64, n geom.Vec) float64 {
	chain := s.Tree.chain[f]
	var a, turn, delta float64
	for i := from; i < len(chain); i++ {
		k, r := chain[i], radii[i]
		w := s.Omega[k]
		if s.Tree.Frames[k].Prismatic {
			a += r * (s.Alpha[k] + 2*w*turn)
			continue
		}
		// The cross product errs by 8u and the axis by ErrR.
		sk := min(1, geom.Norm(r3.Cross(n, s.AxisW[k]))+delta+8*u+s.ErrR[k])
		a += r * (sk*s.Alpha[k] + w*(w*sk+2*turn))
		turn += w * sk
		delta += s.Delta[k]
	}
	return a * inflate
}
