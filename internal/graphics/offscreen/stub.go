//go:build !gl || !cgo

package offscreen

import (
	"errors"
	"time"
)

// Available tells whether graphics processors were built in.
const Available = false

// ErrNotBuilt is what Open returns in a program without them.
var ErrNotBuilt = errors.New("this program was built without graphics; install libegl-dev and libgl-dev and build with CGO_ENABLED=1 go build -tags gl")

// Device is a graphics processor. Here it is a stub.
type Device struct{ Info }

// Open returns ErrNotBuilt.
func Open() (*Device, error) { return nil, ErrNotBuilt }

// Do returns ErrNotBuilt.
func (*Device) Do(time.Duration, func() error) error { return ErrNotBuilt }

// Err returns ErrNotBuilt.
func (*Device) Err() error { return ErrNotBuilt }

// Close does nothing.
func (*Device) Close() {}
