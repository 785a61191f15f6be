//go:build fastdds && cgo

package fastdds

// #include "bridge.h"
import "C"

// Version is that of the Fast DDS that the program runs with; empty without it.
var Version = C.GoString(C.fd_version())
