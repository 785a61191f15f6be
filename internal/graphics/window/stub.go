//go:build !gl || !cgo

package window

import (
	"context"

	"github.com/firstcontact-ros/firstcontact/internal/graphics/offscreen"
)

// Available tells whether windows were built in.
const Available = false

// Show returns offscreen.ErrNotBuilt.
func Show(context.Context, Stage, Options) error { return offscreen.ErrNotBuilt }
