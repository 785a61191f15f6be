//go:build !js

package main

import (
	"os/signal"
	"syscall"
)

// ignoreBrokenPipes lets the program continue when nobody reads its output any more.
func ignoreBrokenPipes() { signal.Ignore(syscall.SIGPIPE) }
