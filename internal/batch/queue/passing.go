package queue

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/firstcontact-ros/firstcontact/internal/base/progress"
)

// passes are the errors that end by themselves: the server is away, slow, or being elected.
var passes = []error{
	context.DeadlineExceeded, nats.ErrTimeout, nats.ErrNoResponders, nats.ErrDisconnected, nats.ErrConnectionReconnecting,
	jetstream.ErrNoStreamResponse, jetstream.ErrNoHeartbeat, jetstream.ErrConsumerLeadershipChanged, jetstream.ErrServerShutdown,
	errLost,                                                      // until the submitter stores it again
	syscall.ENETUNREACH, syscall.EHOSTUNREACH, syscall.ETIMEDOUT, // its network, or this machine's, is down
	nats.ErrNoServers, syscall.ECONNRESET, syscall.EPIPE, io.EOF, os.ErrDeadlineExceeded, // it dies while it is being reached
}

// The codes of answers of a cluster in which there is no leader, for now, or in which servers are away.
const (
	noPeers     = 10005
	unavailable = 10008
	notLeader   = 10009
)

// passing reports whether an error ends by itself.
func passing(err error) bool {
	for _, e := range passes {
		if errors.Is(err, e) {
			return true
		}
	}
	var api *jetstream.APIError
	if !errors.As(err, &api) {
		return false
	}
	switch api.ErrorCode {
	case unavailable, notLeader:
		return true
	case noPeers: // for a stream's replicas; the text tells why
		return strings.Contains(api.Description, "offline")
	}
	return false
}

// ofServer reports whether an error is the server's: it passes, or its disk is full.
func ofServer(err error) bool {
	var api *jetstream.APIError
	return passing(err) || errors.As(err, &api) && api.Code == 503
}

// waiting is what is shown meanwhile.
const waiting = "waiting for the server of the queue"

// untilItPasses does something again as long as the server is away, and returns its last error if ctx ends. It must be something
// that can be done again.
func untilItPasses(ctx context.Context, do func() error) error {
	for {
		err := do()
		if err == nil || !passing(err) {
			return err
		}
		progress.Tell(ctx, progress.Step{What: waiting, Note: err.Error()})
		if !wait(ctx) {
			return fmt.Errorf("%w (%w)", err, context.Cause(ctx))
		}
	}
}

// wait waits a moment, and reports whether ctx goes on.
func wait(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(time.Second / 2):
		return true
	}
}
