package queue

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"
)

// freeStale removes what the queues have of chunks and hand out to nobody. A server that is started again after its disk was full
// may have lost messages that it had handed out. It numbers later ones as those, and takes them for done; and no other message to
// their subjects is stored as long as they are there.
func (s *submitter) freeStale(ctx context.Context, chunks []int) error {
	for _, q := range []struct{ stream, consumer, subjects string }{
		{doneStream, s.durable(), doneWord + "." + s.id[:short]},
		{workStream, workersOf(s.spec.Program), s.chunks()},
	} {
		stream, err := s.js.Stream(ctx, q.stream)
		if err != nil {
			return err
		}
		consumer, err := stream.Consumer(ctx, q.consumer)
		if errors.Is(err, jetstream.ErrConsumerNotFound) {
			continue // no worker has come yet
		}
		if err != nil {
			return err
		}
		done := consumer.CachedInfo().AckFloor.Stream // it hands out no message up to this one
		for _, chunk := range chunks {
			if err := free(ctx, stream, fmt.Sprintf("%s.%d", q.subjects, chunk), done); err != nil {
				return err
			}
		}
	}
	return nil
}

// free removes the message of a subject if its number is among those that are done.
func free(ctx context.Context, stream jetstream.Stream, subject string, done uint64) error {
	m, err := stream.GetLastMsgForSubject(ctx, subject)
	if err == nil && m.Sequence <= done {
		err = stream.DeleteMsg(ctx, m.Sequence)
	}
	if errors.Is(err, jetstream.ErrMsgNotFound) || errors.Is(err, jetstream.ErrMsgDeleteUnsuccessful) {
		return nil // it has gone meanwhile
	}
	return err
}
