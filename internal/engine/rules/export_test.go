package rules

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

// RawBall returns a ball of any numbers.
func RawBall(x [8]float64) Ball {
	return Ball{center: [3]float64(x[:3]), far: x[3], vel: [3]float64(x[4:7]), bent: x[7]}
}
