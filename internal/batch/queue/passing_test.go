package queue

import (
	"errors"
	"fmt"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// A cluster whose servers are still on their way is waited for; one that has too few, or no room, is not.
func TestWhatPasses(t *testing.T) {
	answer := func(code jetstream.ErrorCode, text string) error {
		return fmt.Errorf("stream: %w", &jetstream.APIError{Code: 400, ErrorCode: code, Description: text})
	}
	for _, c := range []struct {
		err    error
		passes bool
	}{
		{answer(10005, "no suitable peers for placement, peer offline"), true},
		{answer(10005, "no suitable peers for placement"), false},
		{answer(10005, "no suitable peers for placement, insufficient storage"), false},
		{answer(unavailable, "JetStream system temporarily unavailable"), true},
		{answer(notLeader, "JetStream cluster can not handle request"), true},
		{answer(10074, "replicas > 1 not supported in non-clustered mode"), false},
		{fmt.Errorf("ask: %w", nats.ErrNoResponders), true},
		{errors.New("peer offline"), false},
	} {
		if passing(c.err) != c.passes {
			t.Errorf("%v: passes %v, want %v", c.err, !c.passes, c.passes)
		}
	}
}
