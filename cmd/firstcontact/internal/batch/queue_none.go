//go:build !js && !nats

package batch

import (
	"context"
	"errors"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/internal/batch"
	"github.com/firstcontact-ros/firstcontact/internal/batch/dataset"
)

// errNoQueue is the error of a program without NATS, which would be half as large again with it.
var errNoQueue = errors.New("this program was built without NATS: build it with 'make build NATS=1', or check on this machine alone")

func work(context.Context, *queueFlags, string, func(string)) error { return errNoQueue }

func (f *flags) distribute(context.Context, cli.Streams, *batch.Subject, dataset.Options, *batch.Store, string) error {
	return errNoQueue
}
