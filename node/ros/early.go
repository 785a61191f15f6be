package ros

import (
	"sync"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
)

// early holds replies whose clients have no matched reader yet.
type early struct {
	mu      sync.Mutex
	replies map[string][]reply
	bytes   int
	heard   map[string]bool // clients that were matched before
}

// replying is what happens to a reply.
type replying int

const (
	replyNow replying = iota
	replyLater
	replyFirst // later, and it is the client's first that waits
	replyDropped
)

func (e *early) add(client string, answer reply, heard func() bool) replying {
	e.mu.Lock()
	defer e.mu.Unlock()
	waiting, waits := e.replies[client]
	if !waits && (e.heard[client] || heard()) {
		e.note(client)
		return replyNow
	}
	if e.bytes+len(answer.data) > limit.WaitingReplyBytes || !waits && len(e.replies) >= limit.WaitingReplies {
		return replyDropped
	}
	if e.replies == nil {
		e.replies = map[string][]reply{}
	}
	e.replies[client] = append(waiting, answer)
	e.bytes += len(answer.data)
	if waits {
		return replyLater
	}
	return replyFirst
}

// take returns the waiting replies of a client.
func (e *early) take(client string, heard bool) []reply {
	e.mu.Lock()
	defer e.mu.Unlock()
	replies := e.replies[client]
	delete(e.replies, client)
	for _, answer := range replies {
		e.bytes -= len(answer.data)
	}
	if heard {
		e.note(client)
	}
	return replies
}

func (e *early) note(client string) {
	if e.heard == nil || len(e.heard) >= limit.GraphPeers {
		e.heard = map[string]bool{}
	}
	e.heard[client] = true
}
