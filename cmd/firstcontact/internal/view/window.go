//go:build !gl || !cgo

package view

import (
	"context"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/internal/graphics/window"
)

// play would show a motion in a window.
func (f *flags) play(ctx context.Context, _ cli.Streams, _ []string) error {
	return window.Show(ctx, window.Stage{}, window.Options{})
}

// showLive would show in a window what a running node says.
func (f *flags) showLive(ctx context.Context, _ *feed) error {
	return window.Show(ctx, window.Stage{}, window.Options{})
}
