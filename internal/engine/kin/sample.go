package kin

// Sample evaluates the curve at times in [0, 1], with the error that Around allows for.
func (c *Curve) Sample(times, out []float64) {
	out = out[:len(times)]
	if !c.Line() {
		for i, t := range times {
			out[i] = bernsteinAt(c.pos, t)
		}
		return
	}
	from, to := c.pos[0], c.pos[len(c.pos)-1]
	for i, t := range times {
		out[i] = (1-t)*from + t*to
	}
}

// Ends evaluates a line at two times as Sample does.
func (c *Curve) Ends(first, last float64) (from, to float64) {
	from, to = c.pos[0], c.pos[len(c.pos)-1]
	return (1-first)*from + first*to, (1-last)*from + last*to
}

// Line reports whether the curve is linear or constant.
func (c *Curve) Line() bool { return len(c.pos) <= 2 }
