//go:build !cyclone || !cgo

package cyclone

import (
	"errors"

	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// Available tells whether the transport was built in.
const Available = false

// Version is that of Cyclone DDS; empty without it.
const Version = ""

// ErrNotBuilt is what Open returns in a program without the transport.
var ErrNotBuilt = errors.New("this program was built without Cyclone DDS; install cyclonedds-dev and build with CGO_ENABLED=1 go build -tags cyclone")

// Transport carries messages over Cyclone DDS. Here it is a stub.
type Transport struct{}

// Name is "cyclone".
func (Transport) Name() string { return "cyclone" }

// Open returns ErrNotBuilt.
func (Transport) Open(ros.ParticipantOptions) (ros.Participant, error) { return nil, ErrNotBuilt }
