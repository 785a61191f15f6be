package node

import (
	"errors"
	"fmt"
	"runtime/debug"
)

// ErrInternal is wrapped by the error that Run returns after a fault of this
// program.
var ErrInternal = errors.New("internal error")

// guard, deferred, turns a panic into an error. What panicked once is not used
// again: the node says UNKNOWN and ends.
func guard(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("%w: %v\n%s", ErrInternal, p, debug.Stack())
	}
}

// guarded runs work and returns its panic as an error.
func guarded(work func() error) (err error) {
	defer guard(&err)
	return work()
}
