package jtc

import "github.com/firstcontact-ros/firstcontact/motion"

// sample returns position, velocity and acceleration of a joint at time t (s). Outside the
// motion the joint rests.
func sample(m *motion.Motion, row int, t float64) (p, v, a float64) {
	c := &m.Pieces[m.PieceAt(t)]
	ctrl := c.Ctrl[row]
	switch {
	case t <= c.Start && t < m.Pieces[0].Start:
		return ctrl[0], 0, 0
	case t >= m.Duration():
		return ctrl[len(ctrl)-1], 0, 0
	}
	dt := c.End - c.Start
	s := (t - c.Start) / dt
	d1 := derivative(ctrl, dt)
	return value(ctrl, s), value(d1, s), value(derivative(d1, dt), s)
}

// value evaluates a Bernstein polynomial by de Casteljau; none is zero.
func value(c []float64, s float64) float64 {
	if len(c) == 0 {
		return 0
	}
	b := append([]float64(nil), c...)
	for n := len(b) - 1; n > 0; n-- {
		for k := range n {
			b[k] = (1-s)*b[k] + s*b[k+1]
		}
	}
	return b[0]
}

// derivative returns the control points of the derivative over a piece of dt seconds.
func derivative(c []float64, dt float64) []float64 {
	if len(c) < 2 {
		return nil
	}
	d := make([]float64, len(c)-1)
	for k := range d {
		d[k] = float64(len(c)-1) * (c[k+1] - c[k]) / dt
	}
	return d
}

// cut returns the control points of a joint between two times on one piece of the motion, or
// beyond its ends.
func cut(m *motion.Motion, row int, from, to float64) []float64 {
	mid := from + (to-from)/2
	p := &m.Pieces[m.PieceAt(mid)]
	c := p.Ctrl[row]
	switch {
	case mid < m.Pieces[0].Start:
		return []float64{c[0]}
	case mid > m.Duration():
		return []float64{c[len(c)-1]}
	}
	dt := p.End - p.Start
	lo, hi := (from-p.Start)/dt, (to-p.Start)/dt
	lo, hi = max(lo, 0), min(hi, 1)
	_, right := subdivide(c, lo)
	if lo < 1 {
		left, _ := subdivide(right, (hi-lo)/(1-lo))
		return left
	}
	return right
}

// subdivide returns the control points of both parts of the Bernstein polynomial c cut at s.
func subdivide(c []float64, s float64) (left, right []float64) {
	n := len(c)
	left, right = make([]float64, n), append([]float64(nil), c...)
	for k := range n {
		left[k] = right[0]
		for i := range n - 1 - k {
			right[i] = (1-s)*right[i] + s*right[i+1]
		}
	}
	return left, right
}
