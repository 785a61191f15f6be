package kin

// Sample evaluates the curve at the times, each in [0, 1], with the error that Around allows
// for.
func (c *Curve) Sample(times, out []float64) {
	for i, t := range times {
		switch len(c.pos) {
		case 1:
			out[i] = c.pos[0]
		case 2:
			out[i] = (1-t)*c.pos[0] + t*c.pos[1]
		default:
			out[i] = bernsteinAt(c.pos, t)
		}
	}
}

// Line reports whether the curve is linear or constant.
func (c *Curve) Line() bool { return len(c.pos) <= 2 }

// SetRates sets the bounds of the joints' rates on an interval, without placing any frame: for
// Acceleration. It holds until Place.
func (s *State) SetRates(dofs []Around) {
	for k := 1; k < len(s.Tree.Frames); k++ {
		f := &s.Tree.Frames[k]
		d, m := &dofs[f.Dof], abs(f.Mult)
		s.Omega[k], s.Alpha[k], s.Beta[k] = m*d.Omega, m*d.Alpha, m*d.Beta
	}
}

func abs(x float64) float64 {
	if x < 0 {
		return -x
	}
	return x
}
