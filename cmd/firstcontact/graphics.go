package main

import (
	"fmt"
	"io"

	"github.com/firstcontact-ros/firstcontact/internal/graphics/offscreen"
	"github.com/firstcontact-ros/firstcontact/internal/graphics/sweptgl"
)

// noteGraphics lets swept=auto say on w when the graphics processor pays.
func noteGraphics(w io.Writer) {
	sweptgl.Note = func(s string) { fmt.Fprintln(w, "note:", s) }
}

// graphicsDevice describes the device that swept=gpu would use, or says why there is none; ""
// in a program without graphics.
func graphicsDevice() string {
	if !offscreen.Available {
		return ""
	}
	d, err := offscreen.Open()
	if err != nil {
		return "none: " + err.Error()
	}
	defer d.Close()
	return d.Info.String()
}
