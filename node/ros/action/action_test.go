package action_test

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/msgs/actionmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/controlmsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/node/ros/action"
)

type (
	goalMsg  = controlmsgs.FollowJointTrajectoryGoal
	result   = controlmsgs.FollowJointTrajectoryResult
	feedback = controlmsgs.FollowJointTrajectoryFeedback
	goal     = action.Goal[result, feedback]
	client   = action.Client[goalMsg, result, feedback, *goalMsg, *result, *feedback]
)

const name = "arm/follow_joint_trajectory"

// scene is a server and a client in one domain. The test decides about each goal.
type scene struct {
	server interface{ Close() error }
	client *client
	goals  chan *goal
	ctx    context.Context
}

func start(t *testing.T, server action.ServerOptions, options action.ClientOptions[feedback]) *scene {
	t.Helper()
	controller, user := nodes(t)
	s := &scene{goals: make(chan *goal, 2000)}
	var cancel context.CancelFunc
	s.ctx, cancel = context.WithTimeout(context.Background(), 10*time.Second)
	t.Cleanup(cancel)
	made, err := action.NewServer[goalMsg, result, feedback](controller, name, server, func(g *goal, _ *goalMsg) { s.goals <- g })
	if err != nil {
		t.Fatal(err)
	}
	s.server = made
	if s.client, err = action.NewClient[goalMsg, result, feedback](user, name, options); err != nil {
		t.Fatal(err)
	}
	return s
}

// nodes opens the nodes of the server and the client.
var nodes = inMemory

func inMemory(t *testing.T) (controller, user *ros.Node) {
	transport := ros.NewMemory()
	return newNode(t, transport, "controller", ros.Environment{}), newNode(t, transport, "user", ros.Environment{})
}

func newNode(t *testing.T, transport ros.Transport, name string, env ros.Environment) *ros.Node {
	t.Helper()
	n, err := ros.NewNode(transport, ros.Options{Name: name, Env: env, Logger: ros.NewLogger(io.Discard, name, ros.LevelWarn)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { n.Close() })
	return n
}

// sent sends a goal, which the server accepts or rejects, and returns the server's side of it.
func (s *scene) sent(t *testing.T, id action.ID, accept bool) *goal {
	t.Helper()
	g := make(chan *goal, 1)
	go func() {
		received := <-s.goals
		if accept {
			received.Accept()
		} else {
			received.Reject()
		}
		g <- received
	}()
	accepted, at, err := s.client.Send(s.ctx, id, &goalMsg{})
	if err != nil || accepted != accept || accept && time.Since(at) > time.Minute {
		t.Fatalf("accepted %v at %v (%v), want %v", accepted, at, err, accept)
	}
	return <-g
}

func TestGoalIsAcceptedExecutedAndSucceeds(t *testing.T) {
	type fed struct {
		id    action.ID
		joint string
	}
	feeds, states := make(chan fed, 10), make(chan *actionmsgs.GoalStatusArray, 100)
	s := start(t, action.ServerOptions{}, action.ClientOptions[feedback]{
		Feedback: func(id action.ID, f *feedback) { feeds <- fed{id, f.JointNames[0]} },
		Status:   func(m *actionmsgs.GoalStatusArray) { states <- m },
	})
	id := action.NewID()
	g := s.sent(t, id, true)
	if g.ID() != id || g.Status() != action.Accepted || g.Client().IsZero() || g.Bytes() == 0 {
		t.Errorf("the server has goal %s, %v, of %s with %d bytes", g.ID(), g.Status(), g.Client(), g.Bytes())
	}
	if err := g.Execute(); err != nil || g.Status() != action.Executing {
		t.Errorf("executing: %v, %v", g.Status(), err)
	}
	g.Feedback(&feedback{JointNames: []string{"elbow"}})
	if f := <-feeds; f != (fed{id, "elbow"}) {
		t.Errorf("feedback %+v", f)
	}
	go func() {
		time.Sleep(10 * time.Millisecond) // the request for the result comes first, or not
		if err := g.Succeed(&result{ErrorString: "done"}); err != nil {
			t.Error(err)
		}
	}()
	for range 2 { // the second comes after the end
		status, r, err := s.client.Result(s.ctx, id)
		if err != nil || status != action.Succeeded || r.ErrorString != "done" {
			t.Errorf("result %v %+v (%v)", status, r, err)
		}
	}
	if err := g.Abort(&result{}); err == nil || !strings.Contains(err.Error(), "SUCCEEDED does not become ABORTED") {
		t.Errorf("a goal ended twice: %v", err)
	}
	for m := range states {
		if len(m.StatusList) != 1 || m.StatusList[0].GoalInfo.GoalID.UUID != id {
			t.Fatalf("states %+v", m)
		}
		if action.Status(m.StatusList[0].Status) == action.Succeeded {
			break
		}
	}
}

func TestRejectedGoalIsUnknown(t *testing.T) {
	s := start(t, action.ServerOptions{}, action.ClientOptions[feedback]{})
	id := action.NewID()
	g := s.sent(t, id, false)
	if status, _, err := s.client.Result(s.ctx, id); status != action.Unknown || err != nil {
		t.Errorf("result of a rejected goal: %v (%v)", status, err)
	}
	if g.Accept() == nil || g.Succeed(&result{}) == nil || g.Execute() == nil {
		t.Error("a rejected goal goes on")
	}
	s.sent(t, id, true) // its id is free again
}

func TestSecondGoalOfAnIDIsRefused(t *testing.T) {
	refused := make(chan error, 1)
	s := start(t, action.ServerOptions{Refused: func(_ ros.GUID, _ action.ID, err error) { refused <- err }}, action.ClientOptions[feedback]{})
	id := action.NewID()
	s.sent(t, id, true)
	for id, want := range map[action.ID]string{id: "already", {}: "no id"} {
		accepted, _, err := s.client.Send(s.ctx, id, &goalMsg{})
		if why := <-refused; accepted || err != nil || !strings.Contains(why.Error(), want) {
			t.Errorf("accepted %v (%v), because %v, want %q", accepted, err, why, want)
		}
	}
}

func TestCancel(t *testing.T) {
	unwilling := action.NewID()
	s := start(t, action.ServerOptions{Cancel: func(id action.ID) bool { return id != unwilling }}, action.ClientOptions[feedback]{})
	a, b := action.NewID(), action.NewID()
	ga := s.sent(t, a, true)
	time.Sleep(2 * time.Millisecond)
	gb := s.sent(t, b, true)
	if ga.Canceled(&result{}) == nil {
		t.Error("a goal that nobody canceled becomes canceled")
	}
	s.cancels(t, action.NewID(), actionmsgs.CancelGoalResponseErrorUnknownGoalID)
	s.cancels(t, a, actionmsgs.CancelGoalResponseErrorNone, a)
	<-ga.Canceling()
	select {
	case <-gb.Canceling():
		t.Error("the other goal is canceled, too")
	default:
	}
	s.cancels(t, a, actionmsgs.CancelGoalResponseErrorGoalTerminated) // it is being canceled already
	if err := ga.Canceled(&result{ErrorString: "as you wish"}); err != nil {
		t.Error(err)
	}
	if status, r, err := s.client.Result(s.ctx, a); status != action.Canceled || r.ErrorString != "as you wish" {
		t.Errorf("result %v %+v (%v)", status, r, err)
	}
	gb.Execute()
	s.cancels(t, action.ID{}, actionmsgs.CancelGoalResponseErrorNone, b)
	if err := gb.Succeed(&result{}); err != nil { // it was too late to stop
		t.Error(err)
	}
	s.cancels(t, action.ID{}, actionmsgs.CancelGoalResponseErrorNone)
	s.sent(t, unwilling, true)
	s.cancels(t, unwilling, actionmsgs.CancelGoalResponseErrorRejected)
}

// cancels asks to cancel, all goals if the id is zero.
func (s *scene) cancels(t *testing.T, id action.ID, code int8, want ...action.ID) {
	t.Helper()
	answer, err := s.client.Cancel(s.ctx, id)
	if err != nil || answer.ReturnCode != code || len(answer.GoalsCanceling) != len(want) {
		t.Fatalf("canceling %s: %+v (%v), want code %d and %v", id, answer, err, code, want)
	}
	for i, w := range want {
		if answer.GoalsCanceling[i].GoalID.UUID != w {
			t.Errorf("canceling %s stops %x, want %s", id, answer.GoalsCanceling[i].GoalID.UUID, w)
		}
	}
}

func TestCancelByTime(t *testing.T) {
	now := time.Now()
	s := start(t, action.ServerOptions{Now: func() time.Time { now = now.Add(time.Second); return now }, ResultTimeout: time.Hour}, action.ClientOptions[feedback]{})
	early := s.sent(t, action.NewID(), true)
	middle := now
	late := s.sent(t, action.NewID(), true)
	answer, err := s.client.CancelGoals(s.ctx, action.ID{}, middle)
	if err != nil || len(answer.GoalsCanceling) != 1 || answer.GoalsCanceling[0].GoalID.UUID != early.ID() {
		t.Errorf("canceled %+v (%v), want %s only", answer, err, early.ID())
	}
	third := s.sent(t, action.NewID(), true)
	answer, err = s.client.CancelGoals(s.ctx, third.ID(), middle)
	if err != nil || len(answer.GoalsCanceling) != 1 || answer.GoalsCanceling[0].GoalID.UUID != third.ID() {
		t.Errorf("canceled %+v (%v), want %s only", answer, err, third.ID())
	}
	if late.Status() != action.Accepted {
		t.Errorf("the goal between is %v", late.Status())
	}
}

func TestResultsAreForgotten(t *testing.T) {
	s := start(t, action.ServerOptions{ResultTimeout: 20 * time.Millisecond}, action.ClientOptions[feedback]{})
	g := s.sent(t, action.NewID(), true)
	g.Abort(&result{})
	for {
		status, _, err := s.client.Result(s.ctx, g.ID())
		if err != nil {
			t.Fatal(err)
		}
		if status == action.Unknown {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// A server that is closed when a goal has just ended answers the client that is about to ask for the result. It waits for
// one that never asks, but not long, and for none that has asked.
func TestClosingServerAnswersLateRequests(t *testing.T) {
	for name, ask := range map[string]func(s *scene, g *goal){
		"late": func(s *scene, g *goal) {
			go s.server.Close()
			time.Sleep(200 * time.Millisecond)
			if status, r, err := s.client.Result(s.ctx, g.ID()); err != nil || status != action.Aborted || r.ErrorString != "closed" {
				t.Errorf("a late request is answered with %v %+v (%v)", status, r, err)
			}
		},
		"never": func(s *scene, _ *goal) {
			begin := time.Now()
			s.server.Close()
			if took := time.Since(begin); took < 500*time.Millisecond || took > 5*time.Second {
				t.Errorf("a request that never comes was awaited for %v", took)
			}
		},
		"before": func(s *scene, g *goal) {
			if _, _, err := s.client.Result(s.ctx, g.ID()); err != nil {
				t.Error(err)
			}
			begin := time.Now()
			s.server.Close()
			if took := time.Since(begin); took > 500*time.Millisecond {
				t.Errorf("closing took %v after the result was told", took)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := start(t, action.ServerOptions{}, action.ClientOptions[feedback]{})
			g := s.sent(t, action.NewID(), true)
			if err := g.Abort(&result{ErrorString: "closed"}); err != nil {
				t.Fatal(err)
			}
			ask(s, g)
		})
	}
}

// The limits hold while clients ask for more, and what is beyond them is told.
func TestGoalsBeyondTheLimitAreRefused(t *testing.T) {
	refused := make(chan error, 10)
	s := start(t, action.ServerOptions{Refused: func(_ ros.GUID, _ action.ID, err error) { refused <- err }}, action.ClientOptions[feedback]{})
	var open []*goal
	for range limit.ActionGoals {
		open = append(open, s.sent(t, action.NewID(), true))
	}
	if accepted, _, err := s.client.Send(s.ctx, action.NewID(), &goalMsg{}); accepted || err != nil {
		t.Errorf("one more is accepted: %v (%v)", accepted, err)
	}
	if err := <-refused; !strings.Contains(err.Error(), "1000 goals") {
		t.Error(err)
	}
	open[0].Abort(&result{})
	s.sent(t, action.NewID(), true)
}

// The bytes on the wire are those of rosidl: the goal's id comes first.
func TestNamesAndIDs(t *testing.T) {
	id := action.ID{0x12, 0x34}
	if got := id.String(); got != "12340000-0000-0000-0000-000000000000" {
		t.Error(got)
	}
	if a, b := action.NewID(), action.NewID(); a == b || a.IsZero() || a[6]>>4 != 4 || a[8]>>6 != 2 {
		t.Errorf("ids %s and %s", a, b)
	}
	if action.Canceling.Final() || !action.Aborted.Final() || action.Status(7).String() != "Status(7)" || action.Executing.String() != "EXECUTING" {
		t.Error("states")
	}
}

func TestActionsAreSeenInTheGraph(t *testing.T) {
	s := start(t, action.ServerOptions{}, action.ClientOptions[feedback]{})
	if got := s.client.Name(); got != "/arm/follow_joint_trajectory" {
		t.Error(got)
	}
	if !s.client.Available() {
		t.Error("the server is not available")
	}
	s.server.Close()
	if s.client.Available() {
		t.Error("the server is available after its end")
	}
}
