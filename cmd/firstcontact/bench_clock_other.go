//go:build !linux

package main

import (
	"errors"
	"time"
)

// threadTime fails where we know no clock of a thread's computing: the time on
// the wall would be told as something it is not.
func threadTime() (time.Duration, error) {
	return 0, errors.New("bench needs Linux: no clock of a thread's computing is known here")
}
