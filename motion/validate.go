package motion

import (
	"errors"
	"fmt"
	"slices"
)

// maxControlPoints is that of a quintic, the highest degree of controllers.
const maxControlPoints = 6

var errNoMotion = errors.New("there is no motion (nil)")

// Validate returns the first reason why m is not a valid motion: no joints, a joint name that
// is empty or repeated, no pieces, a piece that does not last, does not start where and when
// the previous one ends (exactly: a gap of any size is a jump), or gives a joint no control
// points, more than six, or one that is not finite or beyond MaxPosition. Joints of one piece
// may differ in degree. If the root link moves: another number of pieces than the joints have,
// a number that is not finite, a position beyond MaxPosition, more than 1e4 rad on one piece,
// an orientation that is no rotation, and gaps between pieces of more than 1e-9 m or, in the
// axes' ends, 1e-9. A smaller gap is a jump that every proof allows for.
//
// The constructors return valid motions. Validate motions built by hand once.
func (m *Motion) Validate() error {
	if m == nil {
		return errNoMotion
	}
	if err := checkJoints(m.Joints); err != nil {
		return err
	}
	return m.ValidatePieces()
}

// ValidatePieces is Validate for joints that are known to be valid, as those of a motion that was validated before are.
func (m *Motion) ValidatePieces() error {
	if m == nil {
		return errNoMotion
	}
	if len(m.Pieces) == 0 {
		return errors.New("motion has no pieces: give at least one")
	}
	for i := range m.Pieces {
		if err := m.validatePiece(i); err != nil {
			return err
		}
	}
	return m.validateRoot()
}

func (m *Motion) validatePiece(i int) error {
	p := &m.Pieces[i]
	if !(p.Start >= 0 && p.Start < p.End && p.End <= MaxTime+1) {
		return fmt.Errorf("piece %d lasts from %g to %g s: it must start at zero or later and end after it starts, by %g s", i, p.Start, p.End, float64(MaxTime))
	}
	if len(p.Ctrl) != len(m.Joints) {
		return fmt.Errorf("piece %d has control points for %d joints of %d: give a row per joint", i, len(p.Ctrl), len(m.Joints))
	}
	for j, c := range p.Ctrl {
		if len(c) < 1 || len(c) > maxControlPoints {
			return fmt.Errorf("piece %d: joint %s has %d control points: give 1 to %d", i, m.Joints[j], len(c), maxControlPoints)
		}
		for k, x := range c {
			if !inRange(x) {
				return fmt.Errorf("piece %d: control point %d of joint %s is %g: give a finite number, no larger than %g (rad or m)", i, k, m.Joints[j], x, float64(MaxPosition))
			}
		}
	}
	if i == 0 {
		return nil
	}
	return m.validateSeam(i)
}

// validateSeam compares piece i with the previous one.
func (m *Motion) validateSeam(i int) error {
	a, b := &m.Pieces[i-1], &m.Pieces[i]
	if a.End != b.Start {
		return fmt.Errorf("piece %d starts at %g s but the previous one ends at %g s: pieces must be contiguous", i, b.Start, a.End)
	}
	for j := range m.Joints {
		from, to := a.Ctrl[j][len(a.Ctrl[j])-1], b.Ctrl[j][0]
		if from != to {
			return fmt.Errorf("joint %s jumps from %g to %g at %g s, between pieces %d and %d: a motion must be continuous", m.Joints[j], from, to, b.Start, i-1, i)
		}
	}
	return nil
}

func checkJoints(joints []string) error {
	if len(joints) == 0 {
		return errors.New("motion names no joints")
	}
	var seen map[string]int
	if len(joints) > 64 { // for few joints, comparing all is faster and allocates nothing
		seen = make(map[string]int, len(joints))
	}
	var marked [256 / 64]uint64 // marks of the names so far: one that is not among them is new
	for i, name := range joints {
		if name == "" {
			return fmt.Errorf("joint %d of the motion has no name", i)
		}
		k, twice := 0, false
		m := markOf(name)
		switch {
		case seen != nil:
			k, twice = seen[name]
			seen[name] = i
		case marked[m/64]>>(m%64)&1 != 0:
			k = slices.Index(joints[:i], name)
			twice = k >= 0
		}
		marked[m/64] |= 1 << (m % 64)
		if twice {
			return fmt.Errorf("joint %s is named twice in the motion, as joints %d and %d", name, k, i)
		}
	}
	return nil
}

// markOf returns a number in which the names of a robot's joints mostly differ.
func markOf(name string) uint8 {
	n := len(name)
	return uint8(7*n) + 11*name[0] + 13*name[n/2] + 17*name[n/3] + 29*name[n-1]
}
