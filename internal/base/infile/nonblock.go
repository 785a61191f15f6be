//go:build !js

package infile

import "syscall"

// nonblock makes opening a pipe not wait for a writer.
const nonblock = syscall.O_NONBLOCK
