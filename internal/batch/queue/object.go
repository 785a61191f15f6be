package queue

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// errLost is the error of an object of which the server has a part only: one whose disk was full loses what it has
// said to have.
var errLost = errors.New("the server has lost a part of it")

// slowest is how many bytes of an object come in a second at least.
const slowest = 100_000

// fetched returns an object, whose sum has been checked. nats.go waits until ctx ends for what the server has lost.
func fetched(ctx context.Context, objects jetstream.ObjectStore, name string) ([]byte, error) {
	info, err := objects.GetInfo(ctx, name)
	if err != nil {
		return nil, err
	}
	soon, stop := context.WithTimeout(ctx, stall+time.Duration(info.Size/slowest)*time.Second)
	defer stop()
	data, err := objects.GetBytes(soon, name)
	if ctx.Err() == nil && (errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded)) {
		if _, err = objects.GetInfo(ctx, name); err == nil { // the server is there, and knows it
			err = errLost
		}
	}
	if err != nil {
		return nil, fmt.Errorf("object %s: %w", name, err)
	}
	return data, nil
}

// putOnce stores an object unless it is there, whole.
func putOnce(ctx context.Context, objects jetstream.ObjectStore, name string, make func() ([]byte, error)) error {
	_, err := fetched(ctx, objects, name)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, errLost), errors.Is(err, jetstream.ErrDigestMismatch):
		if err := objects.Delete(ctx, name); err != nil {
			return err
		}
	case !errors.Is(err, jetstream.ErrObjectNotFound):
		return err
	}
	data, err := make()
	if err != nil {
		return err
	}
	ctx, stop := context.WithTimeout(ctx, transfer)
	defer stop()
	_, err = objects.Put(ctx, jetstream.ObjectMeta{Name: name}, bytes.NewReader(data))
	return err
}
