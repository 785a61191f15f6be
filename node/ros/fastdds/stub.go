//go:build !fastdds || !cgo

package fastdds

import (
	"errors"

	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// Available tells whether the transport was built in.
const Available = false

// Version is that of Fast DDS; empty without it.
const Version = ""

// ErrNotBuilt is what Open returns in a program without the transport.
var ErrNotBuilt = errors.New("this program was built without Fast DDS; install libfastrtps-dev and build with CGO_ENABLED=1 go build -tags fastdds")

// Transport carries messages over Fast DDS. Here it is a stub.
type Transport struct{}

// Name is "fastdds".
func (Transport) Name() string { return "fastdds" }

// Open returns ErrNotBuilt.
func (Transport) Open(ros.ParticipantOptions) (ros.Participant, error) { return nil, ErrNotBuilt }
