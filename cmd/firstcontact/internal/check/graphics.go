package check

import (
	"fmt"
	"io"

	"github.com/firstcontact-ros/firstcontact/internal/graphics/sweptgl"
)

// noteGraphics lets swept=auto say on w when the graphics processor pays.
func noteGraphics(w io.Writer) {
	sweptgl.Note = func(s string) { fmt.Fprintln(w, "note:", s) }
}
