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
