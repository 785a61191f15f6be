package action

import (
	"errors"
	"fmt"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/actionmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// Goal is a goal that a server was sent. Its methods are safe for concurrent use.
type Goal[R, F any] struct {
	id        ID
	client    ros.GUID
	bytes     int
	server    keeper[R, F]
	decided   func(accepted bool, stamp builtininterfaces.Time)
	canceling chan struct{} // closed when a request to cancel was accepted

	// The server's lock guards the rest.
	status  Status
	replied bool // accepted or rejected
	stamp   builtininterfaces.Time
	end     time.Time
	result  *R
	asked   bool // for the result
	waiters []func(Status, *R)
}

// keeper is what a goal needs of its server.
type keeper[R, F any] interface {
	accept(*Goal[R, F], bool) error
	execute(*Goal[R, F]) error
	finish(*Goal[R, F], Status, *R) error
	publishFeedback(ID, *F) error
	state(*Goal[R, F]) Status
}

// ID returns the goal's id.
func (g *Goal[R, F]) ID() ID { return g.id }

// Client returns the participant that sent the goal.
func (g *Goal[R, F]) Client() ros.GUID { return g.client }

// Bytes returns the size of the request.
func (g *Goal[R, F]) Bytes() int { return g.bytes }

// Status returns the goal's state; Unknown until it is accepted.
func (g *Goal[R, F]) Status() Status { return g.server.state(g) }

// Accept tells the client that the goal is accepted.
func (g *Goal[R, F]) Accept() error { return g.server.accept(g, true) }

// Reject tells the client that the goal is not accepted. The protocol carries no reason.
func (g *Goal[R, F]) Reject() error { return g.server.accept(g, false) }

// Execute marks an accepted goal as being executed. While it is being canceled, nothing
// changes.
func (g *Goal[R, F]) Execute() error { return g.server.execute(g) }

// Canceling returns a channel that is closed when a client asks to cancel the goal.
func (g *Goal[R, F]) Canceling() <-chan struct{} { return g.canceling }

// Feedback publishes feedback of the goal.
func (g *Goal[R, F]) Feedback(f *F) error { return g.server.publishFeedback(g.id, f) }

// Succeed, Abort and Canceled end an accepted goal. The first of them counts; the others
// return an error. Canceled is possible only after a request to cancel, see Canceling.
func (g *Goal[R, F]) Succeed(r *R) error { return g.server.finish(g, Succeeded, r) }

// Abort ends the goal without success, see Succeed.
func (g *Goal[R, F]) Abort(r *R) error { return g.server.finish(g, Aborted, r) }

// Canceled ends a goal that is being canceled, see Succeed.
func (g *Goal[R, F]) Canceled(r *R) error { return g.server.finish(g, Canceled, r) }

func (g *Goal[R, F]) info() actionmsgs.GoalInfo {
	return actionmsgs.GoalInfo{GoalID: g.id.message(), Stamp: g.stamp}
}

func (s *Server[G, R, F, PG, PR, PF]) state(g *Goal[R, F]) Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	return g.status
}

func (s *Server[G, R, F, PG, PR, PF]) accept(g *Goal[R, F], accepted bool) error {
	s.mu.Lock()
	if g.replied {
		s.mu.Unlock()
		return errors.New("action: the goal was accepted or rejected already")
	}
	g.replied = true
	var unknown []func(Status, *R)
	if accepted {
		g.status, g.stamp = Accepted, builtininterfaces.TimeOf(s.options.Now())
		s.order = append(s.order, g)
	} else {
		delete(s.goals, g.id)
		s.open--
		unknown = s.takeWaiters(g)
	}
	s.mu.Unlock()
	g.decided(accepted, g.stamp)
	if accepted {
		s.announce()
	}
	for _, tell := range unknown {
		tell(Unknown, new(R))
	}
	return nil
}

func (s *Server[G, R, F, PG, PR, PF]) execute(g *Goal[R, F]) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch g.status {
	case Accepted:
		g.status = Executing
		s.announce()
	case Executing, Canceling:
	default:
		return fmt.Errorf("action: a goal that is %v is not executed", g.status)
	}
	return nil
}

func (s *Server[G, R, F, PG, PR, PF]) finish(g *Goal[R, F], as Status, result *R) error {
	s.mu.Lock()
	if g.status == Unknown || g.status.Final() || as == Canceled && g.status != Canceling {
		defer s.mu.Unlock()
		return fmt.Errorf("action: a goal that is %v does not become %v", g.status, as)
	}
	g.status, g.result, g.end = as, result, s.options.Now()
	s.open--
	s.ended++
	waiters := s.takeWaiters(g)
	s.mu.Unlock()
	s.announce()
	for _, tell := range waiters {
		tell(as, result)
	}
	return nil
}

// takeWaiters removes the requests for the goal's result. The caller holds the lock.
func (s *Server[G, R, F, PG, PR, PF]) takeWaiters(g *Goal[R, F]) []func(Status, *R) {
	waiters := g.waiters
	g.waiters = nil
	s.waiting -= len(waiters)
	return waiters
}
