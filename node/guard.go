package node

import (
	"errors"
	"fmt"
	"runtime/debug"
)

// ErrInternal is wrapped by the error that Run returns after an internal fault, such as a
// panic.
var ErrInternal = errors.New("internal error")

// guard, deferred, turns a panic into an error. State that a panic may have left inconsistent
// is not used again: the node publishes UNKNOWN and exits.
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
