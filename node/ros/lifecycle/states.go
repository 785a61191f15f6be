package lifecycle

import (
	"slices"

	"github.com/firstcontact-ros/firstcontact/msgs/lifecyclemsgs"
)

// State is the id of a state, as in lifecycle_msgs/State.
type State uint8

// The primary states, in which a node waits, and the transition states, in which it works.
const (
	Unknown         = State(lifecyclemsgs.StatePrimaryStateUnknown)
	Unconfigured    = State(lifecyclemsgs.StatePrimaryStateUnconfigured)
	Inactive        = State(lifecyclemsgs.StatePrimaryStateInactive)
	Active          = State(lifecyclemsgs.StatePrimaryStateActive)
	Finalized       = State(lifecyclemsgs.StatePrimaryStateFinalized)
	Configuring     = State(lifecyclemsgs.StateTransitionStateConfiguring)
	CleaningUp      = State(lifecyclemsgs.StateTransitionStateCleaningup)
	ShuttingDown    = State(lifecyclemsgs.StateTransitionStateShuttingdown)
	Activating      = State(lifecyclemsgs.StateTransitionStateActivating)
	Deactivating    = State(lifecyclemsgs.StateTransitionStateDeactivating)
	ErrorProcessing = State(lifecyclemsgs.StateTransitionStateErrorprocessing)
)

// States lists all states in the order in which ROS does.
func States() []State {
	return []State{
		Unknown, Unconfigured, Inactive, Active, Finalized,
		Configuring, CleaningUp, ShuttingDown, Activating, Deactivating, ErrorProcessing,
	}
}

// String returns the label.
func (s State) String() string {
	switch s {
	case Unconfigured:
		return "unconfigured"
	case Inactive:
		return "inactive"
	case Active:
		return "active"
	case Finalized:
		return "finalized"
	case Configuring:
		return "configuring"
	case CleaningUp:
		return "cleaningup"
	case ShuttingDown:
		return "shuttingdown"
	case Activating:
		return "activating"
	case Deactivating:
		return "deactivating"
	case ErrorProcessing:
		return "errorprocessing"
	}
	return "unknown"
}

// Transition is a step from one state to another.
type Transition struct {
	ID         uint8 // as in lifecycle_msgs/Transition
	Label      string
	Start, End State
}

// The labels of transitions that others ask for.
const (
	Configure  = "configure"
	Cleanup    = "cleanup"
	Activate   = "activate"
	Deactivate = "deactivate"
	Shutdown   = "shutdown"
)

// The labels of transitions by which a callback ends.
const (
	succeeded = "transition_success"
	failed    = "transition_failure"
	erred     = "transition_error"
)

// Transitions lists all transitions in the order in which ROS does.
func Transitions() []Transition {
	return slices.Concat(
		[]Transition{{lifecyclemsgs.TransitionTransitionConfigure, Configure, Unconfigured, Configuring}},
		ends(lifecyclemsgs.TransitionTransitionOnConfigureSuccess, Configuring, Inactive, Unconfigured, ErrorProcessing),
		[]Transition{{lifecyclemsgs.TransitionTransitionCleanup, Cleanup, Inactive, CleaningUp}},
		ends(lifecyclemsgs.TransitionTransitionOnCleanupSuccess, CleaningUp, Unconfigured, Inactive, ErrorProcessing),
		[]Transition{{lifecyclemsgs.TransitionTransitionActivate, Activate, Inactive, Activating}},
		ends(lifecyclemsgs.TransitionTransitionOnActivateSuccess, Activating, Active, Inactive, ErrorProcessing),
		[]Transition{{lifecyclemsgs.TransitionTransitionDeactivate, Deactivate, Active, Deactivating}},
		ends(lifecyclemsgs.TransitionTransitionOnDeactivateSuccess, Deactivating, Inactive, Active, ErrorProcessing),
		[]Transition{
			{lifecyclemsgs.TransitionTransitionUnconfiguredShutdown, Shutdown, Unconfigured, ShuttingDown},
			{lifecyclemsgs.TransitionTransitionInactiveShutdown, Shutdown, Inactive, ShuttingDown},
			{lifecyclemsgs.TransitionTransitionActiveShutdown, Shutdown, Active, ShuttingDown},
		},
		ends(lifecyclemsgs.TransitionTransitionOnShutdownSuccess, ShuttingDown, Finalized, Finalized, ErrorProcessing),
		ends(lifecyclemsgs.TransitionTransitionOnErrorSuccess, ErrorProcessing, Unconfigured, Finalized, Finalized),
	)
}

// ends lists the transitions by which the callback of a transition state ends. Their ids follow
// each other.
func ends(id uint8, in, success, failure, fault State) []Transition {
	return []Transition{{id, succeeded, in, success}, {id + 1, failed, in, failure}, {id + 2, erred, in, fault}}
}
