//go:build !js

package cli

import "github.com/firstcontact-ros/firstcontact/internal/base/progress"

// tellHost returns what hears of progress: the console alone.
func tellHost(console func(progress.Step)) func(progress.Step) { return console }
