package lifecycle

import (
	"context"
	"errors"

	"github.com/firstcontact-ros/firstcontact/msgs/lifecyclemsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// Server is a machine in the graph.
type Server struct {
	*Machine
	events *ros.Publisher[lifecyclemsgs.TransitionEvent]
	log    *ros.Logger
}

// Serve offers the five services of a managed node below the node's name, and the topic
// ~/transition_event, until the node closes. A request to change the state is answered when the
// transition has ended; the node's other services work meanwhile.
func Serve(n *ros.Node, work Work) (*Server, error) {
	s := &Server{log: n.Logger()}
	s.Machine = NewMachine(work, s.publish)
	var err error
	// The depth and durability are those of rcl_lifecycle.
	if s.events, err = ros.Advertise[lifecyclemsgs.TransitionEvent](n, "~/transition_event", ros.QoS{Depth: 10}); err != nil {
		return nil, err
	}
	_, change := ros.Serve(n, "~/change_state", ros.ServiceQoS, s.change, ros.Concurrent(changesAtOnce))
	_, state := ros.Serve(n, "~/get_state", ros.ServiceQoS, s.getState)
	_, states := ros.Serve(n, "~/get_available_states", ros.ServiceQoS, s.getStates)
	_, transitions := ros.Serve(n, "~/get_available_transitions", ros.ServiceQoS, s.getAvailable)
	_, graph := ros.Serve(n, "~/get_transition_graph", ros.ServiceQoS, s.getGraph)
	return s, errors.Join(change, state, states, transitions, graph)
}

// changesAtOnce is how many requests to change the state are answered at once: one that works,
// and others that are refused.
const changesAtOnce = 4

// publish publishes a transition. What cannot be published is logged: the state can be asked for.
func (s *Server) publish(e Event) {
	err := s.events.Publish(&lifecyclemsgs.TransitionEvent{
		Timestamp:  uint64(max(0, e.Time.UnixNano())),
		Transition: lifecyclemsgs.Transition{ID: e.ID, Label: e.Label},
		StartState: stateOf(e.Start), GoalState: stateOf(e.End),
	})
	if err != nil {
		s.log.Warnf("%v", err)
	}
	s.log.Debugf("%s: from %s to %s", e.Label, e.Start, e.End)
}

func stateOf(s State) lifecyclemsgs.State {
	return lifecyclemsgs.State{ID: uint8(s), Label: s.String()}
}

// change answers change_state. The label counts for more than the id, which is 0 where a caller
// gives a label alone.
func (s *Server) change(ctx context.Context, r *lifecyclemsgs.ChangeStateRequest) *lifecyclemsgs.ChangeStateResponse {
	err := s.Change(ctx, r.Transition.Label, r.Transition.ID)
	switch {
	case errors.Is(err, ErrNotAvailable):
		s.log.Warnf("a request to change the state is refused: %v", err)
	case err != nil:
		s.log.Errorf("a request to change the state fails: %v", err)
	}
	return &lifecyclemsgs.ChangeStateResponse{Success: err == nil}
}

func (s *Server) getState(context.Context, *lifecyclemsgs.GetStateRequest) *lifecyclemsgs.GetStateResponse {
	return &lifecyclemsgs.GetStateResponse{CurrentState: stateOf(s.State())}
}

func (s *Server) getStates(context.Context, *lifecyclemsgs.GetAvailableStatesRequest) *lifecyclemsgs.GetAvailableStatesResponse {
	r := &lifecyclemsgs.GetAvailableStatesResponse{}
	for _, state := range States() {
		r.AvailableStates = append(r.AvailableStates, stateOf(state))
	}
	return r
}

func (s *Server) getAvailable(context.Context, *lifecyclemsgs.GetAvailableTransitionsRequest) *lifecyclemsgs.GetAvailableTransitionsResponse {
	return descriptions(s.Available())
}

func (s *Server) getGraph(context.Context, *lifecyclemsgs.GetAvailableTransitionsRequest) *lifecyclemsgs.GetAvailableTransitionsResponse {
	return descriptions(Transitions())
}

func descriptions(transitions []Transition) *lifecyclemsgs.GetAvailableTransitionsResponse {
	r := &lifecyclemsgs.GetAvailableTransitionsResponse{}
	for _, t := range transitions {
		r.AvailableTransitions = append(r.AvailableTransitions, lifecyclemsgs.TransitionDescription{
			Transition: lifecyclemsgs.Transition{ID: t.ID, Label: t.Label},
			StartState: stateOf(t.Start), GoalState: stateOf(t.End),
		})
	}
	return r
}
