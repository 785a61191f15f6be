package action

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/msgs/actionmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// ResultTimeout is how long a server keeps a result by default, as servers of ROS 2 Jazzy do.
const ResultTimeout = 10 * time.Second

// ServerOptions change a server. The zero value is usable.
type ServerOptions struct {
	// ResultTimeout is how long a result is kept after a goal's end; 0 means ResultTimeout.
	ResultTimeout time.Duration
	// Bounds replace ros.MessageBounds as the bounds of goals.
	Bounds ros.Bounds
	// Cancel, if not nil, decides whether a goal may be canceled. It must not block.
	Cancel func(ID) bool
	// Refused, if not nil, is told of goals that the server rejects by itself: those that
	// cannot be read or have a known id, and those beyond the limit. It must not block.
	Refused func(client ros.GUID, id ID, reason error)
	// Now replaces time.Now.
	Now func() time.Time
}

// Server offers an action with goals G, results R and feedback F. It is safe for concurrent
// use.
type Server[G, R, F any, PG Part[G], PR Part[R], PF Part[F]] struct {
	name    string
	options ServerOptions
	take    func(*Goal[R, F], *G)

	services []*ros.Service
	feedback *ros.Publisher[feedbackMessage[F, PF]]
	status   *ros.Publisher[actionmsgs.GoalStatusArray]
	changed  chan struct{} // capacity 1: the status is to be published
	done     chan struct{}
	once     sync.Once

	mu      sync.Mutex
	goals   map[ID]*Goal[R, F]
	order   []*Goal[R, F] // accepted goals, oldest first
	ended   int           // of them have ended
	open    int           // goals that have not ended, those not yet accepted included
	waiting int           // requests for results
}

// NewServer offers an action. take gets every goal that can be read, one after another, on a
// goroutine of the server; it must not block. It or whoever it hands the goal to calls Accept
// or Reject once, and after Accept one of Succeed, Abort and Canceled.
func NewServer[G, R, F any, PG Part[G], PR Part[R], PF Part[F]](n *ros.Node, name string, o ServerOptions, take func(*Goal[R, F], *G)) (*Server[G, R, F, PG, PR, PF], error) {
	names, err := namesOf(n, name)
	if err != nil {
		return nil, err
	}
	s := &Server[G, R, F, PG, PR, PF]{
		name: names.action, options: o.withDefaults(), take: take,
		changed: make(chan struct{}, 1), done: make(chan struct{}), goals: map[ID]*Goal[R, F]{},
	}
	if err := s.advertise(n, names); err != nil {
		for _, service := range s.services {
			service.Close()
		}
		return nil, fmt.Errorf("action %s: %w", names.action, err)
	}
	go s.keep()
	return s, nil
}

func (o ServerOptions) withDefaults() ServerOptions {
	if o.ResultTimeout == 0 {
		o.ResultTimeout = ResultTimeout
	}
	if o.Bounds.Bytes == 0 {
		o.Bounds = ros.MessageBounds
	}
	if o.Cancel == nil {
		o.Cancel = func(ID) bool { return true }
	}
	if o.Refused == nil {
		o.Refused = func(ros.GUID, ID, error) {}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// advertise makes the topics and services. The one that goals come by is the last.
func (s *Server[G, R, F, PG, PR, PF]) advertise(n *ros.Node, names names) (err error) {
	if s.feedback, err = ros.Advertise[feedbackMessage[F, PF]](n, names.of("feedback"), FeedbackQoS); err != nil {
		return err
	}
	if s.status, err = ros.Advertise[actionmsgs.GoalStatusArray](n, names.of("status"), StatusQoS); err != nil {
		return err
	}
	serve := func(service *ros.Service, err error) error {
		if err == nil {
			s.services = append(s.services, service)
		}
		return err
	}
	return errors.Join(
		serve(ros.ServeEach(n, names.of("get_result"), ros.ServiceQoS, s.getResult)),
		serve(ros.ServeEach(n, names.of("cancel_goal"), ros.ServiceQoS, s.cancelGoal)),
		serve(ros.ServeEach(n, names.of("send_goal"), ros.ServiceQoS, s.sendGoal, ros.RequestsWithin(s.options.Bounds))),
	)
}

// Name returns the absolute, remapped name.
func (s *Server[G, R, F, PG, PR, PF]) Name() string { return s.name }

// sendGoal hands a goal to take, or rejects it.
func (s *Server[G, R, F, PG, PR, PF]) sendGoal(r *sendRequest[G, PG], info ros.RequestInfo, reply func(*sendResponse[G, PG])) {
	g := &Goal[R, F]{
		id: r.ID, client: info.Client, bytes: info.Bytes, server: s, canceling: make(chan struct{}),
		decided: func(accepted bool, stamp builtininterfaces.Time) {
			reply(&sendResponse[G, PG]{Accepted: accepted, Stamp: stamp})
		},
	}
	err := info.Err
	if err == nil {
		err = s.admit(g)
	}
	if err != nil {
		s.options.Refused(info.Client, r.ID, err)
		reply(&sendResponse[G, PG]{})
		return
	}
	s.take(g, &r.Goal)
}

// admit registers a goal that is not decided about yet.
func (s *Server[G, R, F, PG, PR, PF]) admit(g *Goal[R, F]) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case g.id.IsZero():
		return errors.New("the goal has no id")
	case s.goals[g.id] != nil:
		return fmt.Errorf("there is a goal with the id %s already", g.id)
	case s.open >= limit.ActionGoals:
		return fmt.Errorf("%d goals wait or are executed already: send it again later", s.open)
	}
	s.goals[g.id] = g
	s.open++
	return nil
}

// publishFeedback sends feedback of a goal.
func (s *Server[G, R, F, PG, PR, PF]) publishFeedback(id ID, f *F) error {
	return s.feedback.Publish(&feedbackMessage[F, PF]{ID: id, Feedback: *f})
}

func (s *Server[G, R, F, PG, PR, PF]) announce() {
	select {
	case s.changed <- struct{}{}:
	default:
	}
}

// keep publishes the status after every change, and forgets results in time.
func (s *Server[G, R, F, PG, PR, PF]) keep() {
	tick := time.NewTicker(max(s.options.ResultTimeout/10, time.Millisecond))
	defer tick.Stop()
	for {
		select {
		case <-s.done:
			return
		case <-tick.C:
			if !s.forget() {
				continue
			}
		case <-s.changed:
		}
		s.status.Publish(s.statuses()) // a reader that is missing or slow gets the next one
	}
}

// forget drops results that were kept long enough.
func (s *Server[G, R, F, PG, PR, PF]) forget() (any bool) {
	oldest := s.options.Now().Add(-s.options.ResultTimeout)
	s.mu.Lock()
	defer s.mu.Unlock()
	kept := s.order[:0]
	for _, g := range s.order {
		if g.status.Final() && (g.end.Before(oldest) || s.ended > limit.ActionResults) {
			delete(s.goals, g.id)
			s.ended--
			any = true
			continue
		}
		kept = append(kept, g)
	}
	clear(s.order[len(kept):])
	s.order = kept
	return any
}

// statuses lists the goals that were accepted and are not forgotten.
func (s *Server[G, R, F, PG, PR, PF]) statuses() *actionmsgs.GoalStatusArray {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]actionmsgs.GoalStatus, len(s.order))
	for i, g := range s.order {
		list[i] = actionmsgs.GoalStatus{GoalInfo: g.info(), Status: int8(g.status)}
	}
	return &actionmsgs.GoalStatusArray{StatusList: list}
}

// Close withdraws the action. Goals that have not ended get no result: end them first. A client asks for the result in
// a request of its own, which may still be on its way: Close waits up to a second for those of goals that have just ended.
func (s *Server[G, R, F, PG, PR, PF]) Close() (err error) {
	s.once.Do(func() {
		for begin := time.Now(); s.awaitsRequests() && time.Since(begin) < lateRequests; {
			time.Sleep(lateRequests / 100)
		}
		close(s.done)
		for _, service := range s.services {
			err = errors.Join(err, service.Close())
		}
		err = errors.Join(err, s.feedback.Close(), s.status.Close())
	})
	return err
}

// lateRequests is how long after a goal's end a closing server waits for the first request for its result.
const lateRequests = time.Second

// awaitsRequests reports whether nobody has asked yet for the result of a goal that has just ended.
func (s *Server[G, R, F, PG, PR, PF]) awaitsRequests() bool {
	now := s.options.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, g := range s.order {
		if g.status.Final() && !g.asked && now.Before(g.end.Add(lateRequests)) {
			return true
		}
	}
	return false
}
