package kin

// Sample evaluates the curve at times in [0, 1], with the error that Around allows for.
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
