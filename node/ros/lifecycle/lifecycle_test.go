package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/firstcontact-ros/firstcontact/msgs/cdr"
	"github.com/firstcontact-ros/firstcontact/msgs/lifecyclemsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// graphOfROS is the default state machine of rcl_lifecycle: id, label, from, to.
const graphOfROS = `1 configure unconfigured configuring
10 transition_success configuring inactive
11 transition_failure configuring unconfigured
12 transition_error configuring errorprocessing
2 cleanup inactive cleaningup
20 transition_success cleaningup unconfigured
21 transition_failure cleaningup inactive
22 transition_error cleaningup errorprocessing
3 activate inactive activating
30 transition_success activating active
31 transition_failure activating inactive
32 transition_error activating errorprocessing
4 deactivate active deactivating
40 transition_success deactivating inactive
41 transition_failure deactivating active
42 transition_error deactivating errorprocessing
5 shutdown unconfigured shuttingdown
6 shutdown inactive shuttingdown
7 shutdown active shuttingdown
50 transition_success shuttingdown finalized
51 transition_failure shuttingdown finalized
52 transition_error shuttingdown errorprocessing
60 transition_success errorprocessing unconfigured
61 transition_failure errorprocessing finalized
62 transition_error errorprocessing finalized
`

func TestGraphIsThatOfROS(t *testing.T) {
	var text strings.Builder
	for _, tr := range Transitions() {
		fmt.Fprintf(&text, "%d %s %s %s\n", tr.ID, tr.Label, tr.Start, tr.End)
	}
	if d := cmp.Diff(graphOfROS, text.String()); d != "" {
		t.Errorf("transitions (-ROS +ours):\n%s", d)
	}
	var states []string
	for _, s := range States() {
		states = append(states, fmt.Sprintf("%d %s", s, s))
	}
	want := []string{
		"0 unknown", "1 unconfigured", "2 inactive", "3 active", "4 finalized", "10 configuring", "11 cleaningup",
		"12 shuttingdown", "13 activating", "14 deactivating", "15 errorprocessing",
	}
	if d := cmp.Diff(want, states); d != "" {
		t.Errorf("states (-ROS +ours):\n%s", d)
	}
}

// Whatever is asked for and however the work ends, the machine takes only transitions that the
// graph has, tells each of them, and ends in a primary state.
func TestMachineFollowsTheGraph(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var result, recovery error
		var events []Event
		work := func(context.Context) error { return result }
		m := NewMachine(Work{
			Configure: work, Cleanup: work, Activate: work, Deactivate: work, Shutdown: work,
			Recover: func(context.Context) error { return recovery },
		}, func(e Event) { events = append(events, e) })
		ends := []error{nil, errors.New("no"), fmt.Errorf("bad: %w", ErrFault)}
		for range 30 {
			before := m.State()
			result, recovery = rapid.SampledFrom(ends).Draw(t, "result"), rapid.SampledFrom(ends).Draw(t, "recovery")
			label := rapid.SampledFrom([]string{"", Configure, Cleanup, Activate, Deactivate, Shutdown, succeeded, failed, erred, "x"}).Draw(t, "label")
			id := rapid.Uint8Range(0, 63).Draw(t, "id")
			events = nil
			err := m.Change(context.Background(), label, id)
			asked := slices.ContainsFunc(from(before), func(tr Transition) bool { return tr.Label == label || label == "" && tr.ID == id })
			if errors.Is(err, ErrNotAvailable) == asked {
				t.Fatalf("from %s, label %q, id %d: %v", before, label, id, err)
			}
			at := before
			for _, e := range events {
				if e.Start != at || !slices.Contains(Transitions(), e.Transition) {
					t.Fatalf("from %s an event %+v", at, e)
				}
				at = e.End
			}
			if at != m.State() || at >= Configuring || asked && !errors.Is(err, result) {
				t.Fatalf("from %s, label %q, id %d: in %s after %v: %v", before, label, id, m.State(), events, err)
			}
			if asked && errors.Is(result, ErrFault) != (len(events) == 3) {
				t.Fatalf("%d events after %v", len(events), result)
			}
		}
	})
}

func TestPanicIsAFault(t *testing.T) {
	m := NewMachine(Work{Configure: func(context.Context) error { panic("oh") }}, func(Event) {})
	if err := m.Change(context.Background(), Configure, 0); !errors.Is(err, ErrFault) || m.State() != Unconfigured {
		t.Errorf("%v, %s", err, m.State())
	}
	m = NewMachine(Work{Shutdown: func(context.Context) error { panic("oh") }, Recover: func(context.Context) error { panic("again") }}, func(Event) {})
	if err := m.Change(context.Background(), Shutdown, 0); !errors.Is(err, ErrFault) || m.State() != Finalized || len(m.Available()) > 0 {
		t.Errorf("%v, %s", err, m.State())
	}
}

// client calls a service and fails the test if no answer comes.
func client[Req, Resp any, PReq interface {
	*Req
	cdr.Message
}, PResp interface {
	*Resp
	cdr.Message
}](t *testing.T, n *ros.Node, name string) func(*Req) *Resp {
	t.Helper()
	c, err := ros.NewClient[Req, Resp, PReq, PResp](n, "/guard/"+name, ros.ServiceQoS)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	if err := c.Wait(ctx); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return func(r *Req) *Resp {
		t.Helper()
		answer, err := c.Call(ctx, r)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return answer
	}
}

func TestServices(t *testing.T) {
	transport := ros.NewMemory()
	newNode := func(name string) *ros.Node {
		n, err := ros.NewNode(transport, ros.Options{Name: name, Logger: ros.NewLogger(io.Discard, name, ros.LevelError)})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { n.Close() })
		return n
	}
	working, release := make(chan struct{}), make(chan struct{})
	guard, manager := newNode("guard"), newNode("manager")
	var mu sync.Mutex
	var heard []string
	_, err := ros.Subscribe(manager, "/guard/transition_event", ros.QoS{Depth: 100}, func(e *lifecyclemsgs.TransitionEvent, _ ros.MessageInfo) {
		mu.Lock()
		defer mu.Unlock()
		heard = append(heard, fmt.Sprintf("%d %s %s %s", e.Transition.ID, e.Transition.Label, e.StartState.Label, e.GoalState.Label))
		if e.Timestamp == 0 || e.GoalState.ID == 0 {
			t.Errorf("an event without time or ids: %+v", e)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	s, err := Serve(guard, Work{
		Configure: func(context.Context) error {
			close(working)
			<-release
			return nil
		},
		Activate: func(context.Context) error { return errors.New("the self-test fails") },
	})
	if err != nil {
		t.Fatal(err)
	}
	change := client[lifecyclemsgs.ChangeStateRequest, lifecyclemsgs.ChangeStateResponse](t, manager, "change_state")
	state := client[lifecyclemsgs.GetStateRequest, lifecyclemsgs.GetStateResponse](t, manager, "get_state")
	states := client[lifecyclemsgs.GetAvailableStatesRequest, lifecyclemsgs.GetAvailableStatesResponse](t, manager, "get_available_states")
	available := client[lifecyclemsgs.GetAvailableTransitionsRequest, lifecyclemsgs.GetAvailableTransitionsResponse](t, manager, "get_available_transitions")
	all := client[lifecyclemsgs.GetAvailableTransitionsRequest, lifecyclemsgs.GetAvailableTransitionsResponse](t, manager, "get_transition_graph")
	at := func(want State) {
		t.Helper()
		if got := state(&lifecyclemsgs.GetStateRequest{}).CurrentState; got != stateOf(want) {
			t.Errorf("in %+v, want %s", got, want)
		}
	}
	ask := func(label string, id uint8) bool {
		return change(&lifecyclemsgs.ChangeStateRequest{Transition: lifecyclemsgs.Transition{ID: id, Label: label}}).Success
	}
	at(Unconfigured)
	if n := len(states(&lifecyclemsgs.GetAvailableStatesRequest{}).AvailableStates); n != 11 {
		t.Errorf("%d states", n)
	}
	if n := len(all(&lifecyclemsgs.GetAvailableTransitionsRequest{}).AvailableTransitions); n != 25 {
		t.Errorf("%d transitions", n)
	}
	if n := len(available(&lifecyclemsgs.GetAvailableTransitionsRequest{}).AvailableTransitions); n != 2 {
		t.Errorf("%d transitions from unconfigured", n)
	}
	if ask(Activate, 0) || ask("", 3) || ask("fly", 1) {
		t.Error("activated without being configured")
	}
	done := make(chan bool, 1)
	go func() { done <- ask("", 1) }()
	<-working
	at(Configuring) // answered while another request works
	if ask(Configure, 0) || ask(Shutdown, 0) || ask(succeeded, 0) || ask("", 10) {
		t.Error("changed while it was configured")
	}
	close(release)
	if !<-done {
		t.Error("not configured")
	}
	at(Inactive)
	if ask(Activate, 0) {
		t.Error("activated although that fails")
	}
	at(Inactive)
	if !ask("", 6) || s.State() != Finalized {
		t.Error("not shut down")
	}
	want := []string{
		"1 configure unconfigured configuring", "10 transition_success configuring inactive",
		"3 activate inactive activating", "31 transition_failure activating inactive",
		"6 shutdown inactive shuttingdown", "50 transition_success shuttingdown finalized",
	}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		mu.Lock()
		d := cmp.Diff(want, heard)
		mu.Unlock()
		if d == "" {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("events (-want +got):\n%s", d)
		}
	}
}
