//go:build cyclone && cgo

package cyclone

// #include "dds/version.h"
import "C"

// Version is that of the Cyclone DDS whose headers the program was built with; empty without
// it.
const Version = C.DDS_VERSION
