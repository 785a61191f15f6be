package lanes

import "golang.org/x/sys/cpu"

// vectors reports whether the processor has the instructions.
var vectors = cpu.X86.HasAVX2
