package lanes

// vectors says that there are kernels: each processor has NEON.
var vectors = true
