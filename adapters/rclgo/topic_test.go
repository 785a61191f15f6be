package fcrclgo_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	fcrclgo "github.com/firstcontact-ros/firstcontact/adapters/rclgo"
	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/cdr"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/stdmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/trajectorymsgs"
	"github.com/tiiuae/rclgo/pkg/rclgo"
)

// An Example of a program that asks about a trajectory and hears verdicts and states.
func Example() {
	var node *rclgo.Node // of rclgo.NewContext(...).NewNode("planner", "")
	if node == nil {
		return // there is no ROS here
	}
	var state fcrclgo.State
	state.MaxAge = 100 * time.Millisecond
	failed := func(error) {} // the log
	small := fcrclgo.Bounds{Bytes: 1 << 20, Fields: cdr.Bounds{String: 4096, Elements: 4096}}
	fcrclgo.Subscribe(node, "/firstcontact/state", nil, small, func(m *fcmsgs.CollisionState, _ *rclgo.MessageInfo) { state.Hear(m) }, failed)
	fcrclgo.Subscribe(node, "/firstcontact/verdict", nil, small, func(v *fcmsgs.Verdict, _ *rclgo.MessageInfo) {
		if v.Status == fcmsgs.VerdictFree {
			// the trajectory whose id this is may go on
		}
	}, failed)
	ask, err := fcrclgo.Advertise[trajectorymsgs.JointTrajectory](node, "/firstcontact/trajectory", nil)
	if err == nil {
		err = ask.Publish(&trajectorymsgs.JointTrajectory{})
	}
	failed(err)
}

// subscribed collects what a subscription takes and what fails.
type subscribed struct {
	verdicts []*fcmsgs.Verdict
	infos    []*rclgo.MessageInfo
	errs     []error
}

func subscribe(t *testing.T, n *rclgo.Node, b fcrclgo.Bounds) *subscribed {
	t.Helper()
	got := &subscribed{}
	_, err := fcrclgo.Subscribe(n, "/verdict", nil, b, func(v *fcmsgs.Verdict, info *rclgo.MessageInfo) {
		got.verdicts, got.infos = append(got.verdicts, v), append(got.infos, info)
	}, func(err error) { got.errs = append(got.errs, err) })
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func verdict() *fcmsgs.Verdict {
	return &fcmsgs.Verdict{
		ID: "a", Status: fcmsgs.VerdictContact, Message: "hand touches table", TOCUpper: 1.25, HeldJoints: []string{"finger"},
		Header: stdmsgs.Header{Stamp: builtininterfaces.Time{Sec: 3}, FrameID: "base"},
	}
}

func TestMessagesPass(t *testing.T) {
	var n rclgo.Node
	got := subscribe(t, &n, fcrclgo.Bounds{})
	p, err := fcrclgo.Advertise[fcmsgs.Verdict](&n, "/verdict", nil)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := p.Publish(verdict()); err != nil {
			t.Fatal(err)
		}
	}
	if len(got.verdicts) != 2 || len(got.errs) > 0 || got.verdicts[0] == got.verdicts[1] || got.infos[1].SourceTimestamp.IsZero() {
		t.Fatalf("%+v", got)
	}
	if v := got.verdicts[1]; string(cdr.Marshal(v)) != string(cdr.Marshal(verdict())) {
		t.Errorf("%+v", v)
	}
}

// Data that are not a whole message of the type, or break a bound, are an error and never a message.
func TestBrokenMessagesFail(t *testing.T) {
	whole := cdr.Marshal(verdict())
	for name, c := range map[string]struct {
		data   []byte
		bounds fcrclgo.Bounds
		want   string
	}{
		"nothing":               {nil, fcrclgo.Bounds{}, "/verdict"},
		"cut short":             {whole[:len(whole)-9], fcrclgo.Bounds{}, "Verdict"},
		"of another definition": {append(append([]byte(nil), whole...), make([]byte, 64)...), fcrclgo.Bounds{}, "definition"},
		"too many bytes":        {whole, fcrclgo.Bounds{Bytes: len(whole) - 1}, "bound"},
		"too long a string":     {whole, fcrclgo.Bounds{Fields: cdr.Bounds{String: 5}}, "bound"},
		"within its bounds":     {whole, fcrclgo.Bounds{Bytes: len(whole), Fields: cdr.Bounds{String: 100, Elements: 100}}, ""},
	} {
		var n rclgo.Node
		got := subscribe(t, &n, c.bounds)
		support, err := rclgo.LoadDynamicMessageTypeSupport("firstcontact_msgs", "Verdict")
		if err != nil {
			t.Fatal(err)
		}
		p, err := n.NewPublisher("/verdict", support, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.PublishSerialized(c.data); err != nil {
			t.Fatal(err)
		}
		if c.want == "" {
			if len(got.verdicts) != 1 || len(got.errs) > 0 {
				t.Errorf("%s: %+v", name, got)
			}
			continue
		}
		if len(got.verdicts) > 0 || len(got.errs) != 1 || !strings.Contains(got.errs[0].Error(), c.want) || c.want == "bound" && !errors.Is(got.errs[0], cdr.ErrBound) {
			t.Errorf("%s: %d messages, %v, want %q", name, len(got.verdicts), got.errs, c.want)
		}
	}
}

// Halves of services are no messages of topics, though they are messages of package msgs.
func TestServicesAreRefused(t *testing.T) {
	var n rclgo.Node
	if _, err := fcrclgo.Advertise[fcmsgs.CheckTrajectoryRequest](&n, "/x", nil); err == nil || !strings.Contains(err.Error(), "/x") {
		t.Error(err)
	}
	if _, err := fcrclgo.Subscribe(&n, "/x", nil, fcrclgo.Bounds{}, func(*fcmsgs.GetClearanceResponse, *rclgo.MessageInfo) {}, nil); err == nil {
		t.Error("a subscription of half a service")
	}
}

// A level counts for MaxAge around its stamp, and is UNKNOWN else.
func TestLevel(t *testing.T) {
	stamp := time.Unix(1000, 0)
	at := func(now time.Time, maxAge time.Duration, heard ...uint8) uint8 {
		s := fcrclgo.State{MaxAge: maxAge, Now: func() time.Time { return now }}
		for _, level := range heard {
			s.Hear(&fcmsgs.CollisionState{Level: level, Header: stdmsgs.Header{Stamp: builtininterfaces.Time{Sec: 1000}}})
		}
		level, reason := s.Level()
		if level == fcmsgs.CollisionStateUnknown && reason == "" {
			t.Error("UNKNOWN without a reason")
		}
		return level
	}
	const free, stop = fcmsgs.CollisionStateFree, fcmsgs.CollisionStateStop
	for _, c := range []struct {
		name      string
		got, want uint8
	}{
		{"nothing heard", at(stamp, time.Second), fcmsgs.CollisionStateUnknown},
		{"fresh", at(stamp.Add(99*time.Millisecond), 100*time.Millisecond, free), free},
		{"the newest counts", at(stamp, time.Second, free, stop), stop},
		{"old", at(stamp.Add(100*time.Millisecond), 100*time.Millisecond, free), fcmsgs.CollisionStateUnknown},
		{"from the future", at(stamp.Add(-100*time.Millisecond), 100*time.Millisecond, free), fcmsgs.CollisionStateUnknown},
		{"without an age", at(stamp, 0, free), fcmsgs.CollisionStateUnknown},
	} {
		if c.got != c.want {
			t.Errorf("%s: %d, want %d", c.name, c.got, c.want)
		}
	}
	var zero fcrclgo.State
	zero.MaxAge = time.Hour
	zero.Hear(&fcmsgs.CollisionState{Level: free}) // stamped 1970
	if level, _ := zero.Level(); level != fcmsgs.CollisionStateUnknown {
		t.Error("a state without a stamp counts")
	}
}
