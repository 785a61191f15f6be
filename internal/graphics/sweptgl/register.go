//go:build gl && cgo

package sweptgl

import (
	"fmt"

	"github.com/firstcontact-ros/firstcontact/internal/engine/articulate"
)

// Available tells whether culling on graphics processors was built in.
const Available = true

// Note is told, where a program asked for swept=auto, when the device pays. nil: nobody is.
var Note func(string)

func init() { articulate.NewGraphics = cullers }

// cullers makes the cullers of a kind.
func cullers(kind string, links *articulate.LinkBVH) (func() articulate.Culler, error) {
	w, err := Open(links)
	if err != nil {
		if kind == "auto" { // asks for what is faster, not for a device
			note("swept=auto: the CPU: %v", err)
			return nil, nil
		}
		return nil, err
	}
	switch kind {
	case "gpu":
		return func() articulate.Culler { return w.Traversal() }, nil
	case "image":
		if _, err := w.Image(0); err != nil {
			return nil, err
		}
		return func() articulate.Culler {
			c, err := w.Image(0)
			if err != nil { // it was made once: the device is lost since
				return articulate.NewHullCuller(links)
			}
			return c
		}, nil
	case "auto":
		c, err := w.Calibrate()
		if err != nil {
			note("swept=auto: the CPU: %v", err)
			return nil, nil
		}
		note("swept=auto on %s: %s", w.device.Info, c)
		return func() articulate.Culler { return w.Auto(c) }, nil
	}
	return nil, fmt.Errorf("there is no culling of kind %q on a graphics processor", kind)
}

func note(format string, args ...any) {
	if Note != nil {
		Note(fmt.Sprintf(format, args...))
	}
}
