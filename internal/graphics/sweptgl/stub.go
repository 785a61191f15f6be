//go:build !gl || !cgo

package sweptgl

// Available tells whether culling on graphics processors was built in.
const Available = false

// Note is told, where a program asked for swept=auto, when the device pays. nil: nobody is.
var Note func(string)
