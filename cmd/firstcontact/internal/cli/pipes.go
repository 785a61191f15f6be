//go:build !js

package cli

import (
	"os/signal"
	"syscall"
)

// IgnoreBrokenPipes lets the program continue when nobody reads its output any more.
func IgnoreBrokenPipes() { signal.Ignore(syscall.SIGPIPE) }
