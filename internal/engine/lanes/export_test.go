package lanes

// WithVectors calls f with the kernels, where the processor has the instructions, or with
// their twins.
func WithVectors(on bool, f func()) {
	had := vectors
	defer func() { vectors = had }()
	vectors = on && had
	f()
}

// HasVectors reports whether there are kernels here.
func HasVectors() bool { return vectors }

// At is what a search finds at a time: a gap and a square, and where the points are.
func (c *Closest) At(time int, square, gap, of, s, t float32) {
	c.Square[time], c.Gap[time], c.of[time], c.s[time], c.t[time] = square, gap, of, s, t
}
