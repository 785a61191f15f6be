// Package offscreen opens a graphics processor for computing, without a display: OpenGL 4.3
// through EGL. It is built with the tag gl. Without the tag, Open returns an error that says how
// to build it.
//
// A Device owns one thread, as OpenGL's contexts belong to threads. What is computed on it is
// never trusted to arrive: every error, every call that takes too long and every loss of the
// context ends the device for good, and its users go on without it.
package offscreen

import "fmt"

// Info describes a device.
type Info struct {
	Name     string // as its driver calls it
	Version  string // of OpenGL and of the driver
	Software bool   // the driver computes on the CPU
}

// String returns the description in one line.
func (i Info) String() string {
	kind := "hardware"
	if i.Software {
		kind = "software renderer"
	}
	return fmt.Sprintf("%s (%s), OpenGL %s", i.Name, kind, i.Version)
}
