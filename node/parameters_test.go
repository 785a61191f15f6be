package node

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/config"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/msgs/cdr"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/rclinterfaces"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

func TestParameterServices(t *testing.T) {
	t.Parallel()
	testParameterServices(t, inMemory())
}

// call calls a service of the node.
func call[Req, Resp any, PReq message[Req], PResp message[Resp]](r *robot, service string, request *Req) *Resp {
	r.Helper()
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	answer, err := ros.Call[Req, Resp, PReq, PResp](ctx, r.node, "firstcontact/"+service, ros.ParameterQoS, request)
	if err != nil {
		r.Fatalf("%s: %v", service, err)
	}
	return answer
}

func doubleOf(name string, x float64) rclinterfaces.Parameter {
	return rclinterfaces.Parameter{Name: name, Value: rclinterfaces.ParameterValue{Type: rclinterfaces.ParameterTypeParameterDouble, DoubleValue: x}}
}

func stringOf(name, s string) rclinterfaces.Parameter {
	return rclinterfaces.Parameter{Name: name, Value: rclinterfaces.ParameterValue{Type: rclinterfaces.ParameterTypeParameterString, StringValue: s}}
}

// set changes a parameter and returns why it was refused, or "".
func (r *robot) set(p rclinterfaces.Parameter) string {
	r.Helper()
	a := call[rclinterfaces.SetParametersRequest, rclinterfaces.SetParametersResponse](r, "set_parameters", &rclinterfaces.SetParametersRequest{Parameters: []rclinterfaces.Parameter{p}})
	if len(a.Results) != 1 || a.Results[0].Successful != (a.Results[0].Reason == "") {
		r.Fatalf("%+v", a)
	}
	return a.Results[0].Reason
}

// testParameterServices lists, reads, describes and changes parameters of a node as ros2 param
// does.
func testParameterServices(t *testing.T, g *graph) {
	r := g.newRobot(t, railArgs(t)...)
	events := collect[rclinterfaces.ParameterEvent](r, "/parameter_events", ros.ParameterQoS)
	r.waitModel()
	names := call[rclinterfaces.ListParametersRequest, rclinterfaces.ListParametersResponse](r, "list_parameters", &rclinterfaces.ListParametersRequest{}).Result.Names
	if !slices.Contains(names, "trajectory.interpolation") || len(names) < len(config.Defaults().All()) {
		t.Errorf("listed are %v", names)
	}
	about := call[rclinterfaces.DescribeParametersRequest, rclinterfaces.DescribeParametersResponse](r, "describe_parameters", &rclinterfaces.DescribeParametersRequest{Names: names}).Descriptors
	for i := range about {
		d := &about[i]
		p, _ := config.Lookup(d.Name)
		if d.Name != names[i] || d.Type == 0 || d.Description != p.Meaning || d.ReadOnly != p.ReadOnly || d.ReadOnly && !strings.Contains(d.AdditionalConstraints, p.Why()) {
			t.Errorf("%s is described as %+v", names[i], d)
		}
	}
	deadline, _ := config.Lookup("trajectory.deadline")
	if i := slices.Index(names, "trajectory.deadline"); len(about[i].FloatingPointRange) != 1 || about[i].FloatingPointRange[0].ToValue != *deadline.Max {
		t.Errorf("the range of trajectory.deadline is %+v", about[i].FloatingPointRange)
	}
	for _, c := range []struct {
		p    rclinterfaces.Parameter
		says string
	}{
		{doubleOf("trajectory.deadline", 0.5), ""},
		{doubleOf("trajectory.deadline", -1), "give 0.001 or more"},
		{stringOf("trajectory.deadline", "soon"), "must be of type double"},
		{stringOf("trajectory.interpolation", "cubic"), "give one of jtc, linear"},
		{doubleOf("trajectory.deadlin", 1), "did you mean trajectory.deadline?"},
		{stringOf("scene", "other.yaml"), "scene cannot change while the node runs, because it is read when the node starts"},
		{doubleOf("check_rate", 50), "because the deadline that the topics of the state offer derives from it"},
		{doubleOf("trajectory.max_distance", 0.1), ""},
		{doubleOf("trajectory.min_distance", 0.2), "below trajectory.min_distance"}, // a conflict of two values
	} {
		if reason := r.set(c.p); (reason == "") != (c.says == "") || !strings.Contains(reason, c.says) {
			t.Errorf("%s = %+v: %q, want %q", c.p.Name, c.p.Value, reason, c.says)
		}
	}
	got := call[rclinterfaces.GetParametersRequest, rclinterfaces.GetParametersResponse](r, "get_parameters", &rclinterfaces.GetParametersRequest{Names: []string{"trajectory.deadline", "trajectory.min_distance", "check_rate"}}).Values
	if len(got) != 3 || got[0].DoubleValue != 0.5 || got[1].DoubleValue != 0 || got[2].DoubleValue != 100 {
		t.Errorf("values %+v", got)
	}
	events.wait(0, "the change", func(e *rclinterfaces.ParameterEvent) bool {
		return e.Node == r.namespace+"/firstcontact" && len(e.ChangedParameters) == 1 && e.ChangedParameters[0].Name == "trajectory.deadline" && e.ChangedParameters[0].Value.DoubleValue == 0.5
	})
}

// A changed parameter holds for the next question, and one that makes answers less strict is
// told with a warning.
func TestChangedParameterHolds(t *testing.T) {
	r := inMemory().newRobot(t, railArgs(t)...)
	r.waitModel()
	ask := func() *fcmsgs.Verdict {
		return &call[fcmsgs.CheckTrajectoryRequest, fcmsgs.CheckTrajectoryResponse](r, "check_trajectory", &fcmsgs.CheckTrajectoryRequest{Trajectory: *swing()}).Verdict
	}
	if v := ask(); v.Status != fcmsgs.VerdictContact || v.Interpolation != "jtc" {
		t.Errorf("by splines: %d, %s", v.Status, v.Interpolation)
	}
	if reason := r.set(stringOf("trajectory.interpolation", "linear")); reason != "" {
		t.Fatal(reason)
	}
	if v := ask(); v.Status != fcmsgs.VerdictFree || v.Interpolation != "linear" {
		t.Errorf("by straight lines: %d, %s", v.Status, v.Interpolation)
	}
}

func TestChangesAreLogged(t *testing.T) {
	out := &lines{}
	n, err := New(ros.NewMemory(), Options{Logger: ros.NewLogger(out, "n", ros.LevelInfo)})
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	if _, err := n.change(map[string]any{"trajectory.interpolation": "linear", "trajectory.deadline": 2.0, "trajectory.each_scope": true}); err != nil {
		t.Fatal(err)
	}
	n.ros.Logger().Flush(time.Second)
	for _, want := range []string{
		"parameter trajectory.interpolation was changed from jtc to linear: answers from now on are less strict",
		"parameter trajectory.deadline was changed from 1 to 2\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the log lacks %q:\n%s", want, out)
		}
	}
	if strings.Count(out.String(), "WARN") != 1 || strings.Contains(out.String(), "each_scope") {
		t.Errorf("the log is\n%s", out)
	}
}

func TestLockedParameters(t *testing.T) {
	r := inMemory().newRobot(t, railArgs(t, "-p", "parameters.changes:=refuse")...)
	if reason := r.set(doubleOf("trajectory.deadline", 2)); !strings.Contains(reason, "parameters.changes is refuse") {
		t.Errorf("refused with %q", reason)
	}
}

// A policy that the parameters give is that of the subscription, and they tell it.
func TestQoSOverrides(t *testing.T) {
	start := func(args ...string) (*Node, *lines, error) {
		out := &lines{}
		parsed, err := ros.ParseArgs(append([]string{"--ros-args", "-r", "joint_states:=arm/states"}, args...))
		if err != nil {
			t.Fatal(err)
		}
		n, err := New(ros.NewMemory(), Options{Args: parsed, Logger: ros.NewLogger(out, "n", ros.LevelInfo)})
		return n, out, err
	}
	n, _, err := start("-p", "qos_overrides./arm/states.subscription.reliability:=reliable", "-p", "qos_overrides./arm/states.subscription.depth:=7")
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	d, err := n.ros.Participant().Discovered()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range d.Readers {
		if e.Topic == "rt/arm/states" && e.QoS != (ros.QoS{Reliability: ros.Reliable, Depth: 7}) {
			t.Errorf("the joint states are read with %+v", e.QoS)
		}
	}
	if all := n.declaredOverrides(); len(all) != 2 || all[0].Value != int64(7) || all[1].Value != "reliable" || !all[0].Descriptor.ReadOnly {
		t.Errorf("declared are %+v", all)
	}
	if _, err := n.change(map[string]any{"qos_overrides./arm/states.subscription.depth": int64(8)}); err == nil || !strings.Contains(err.Error(), "made when the node starts") {
		t.Errorf("a change gives %v", err)
	}
	for says, name := range map[string]string{
		"does not subscribe this topic":        "/joint_states.subscription.depth", // its name before it was remapped
		"publishers offer is fixed":            "/firstcontact/state.publisher.depth",
		"did you mean \"depth\"?":              "/arm/states.subscription.dept",
		"a whole number from 1 to 1000":        "/arm/states.subscription.depth:=0",
		"give TOPIC.subscription.POLICY, with": "/arm/states.depth",
	} {
		if !strings.Contains(name, ":=") {
			name += ":=5"
		}
		says = strings.Replace(says, "give TOPIC", "give qos_overrides.TOPIC", 1)
		if n, _, err := start("-p", "qos_overrides."+name); err == nil {
			n.Close()
			t.Errorf("%s is accepted", name)
		} else if !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", name, err, says)
		}
	}
	n, out, err := start("-p", "qos_overrides./clock.subscription.depth:=5")
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	n.ros.Logger().Flush(time.Second)
	if !strings.Contains(out.String(), "qos_overrides./clock.subscription.depth has no effect") {
		t.Errorf("the log is\n%s", out)
	}
}

// However many requests come, each is answered, an absurd one does no harm, and the states go on.
func TestParameterServicesUnderAFlood(t *testing.T) {
	r := inMemory().newRobot(t, railArgs(t)...)
	r.waitModel()
	r.rest()
	_, at := r.waitLevel(0, levelFree, "")
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	client, err := ros.NewClient[rclinterfaces.SetParametersRequest, rclinterfaces.SetParametersResponse](r.node, "firstcontact/set_parameters", ros.ParameterQoS)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	var all sync.WaitGroup
	for i := range 300 {
		all.Add(1)
		go func() {
			defer all.Done()
			request := &rclinterfaces.SetParametersRequest{Parameters: []rclinterfaces.Parameter{
				doubleOf("trajectory.deadline", 1+float64(i%2)), stringOf("check_rate", strings.Repeat("x", 1000)), {Name: strings.Repeat("y", 1<<15)},
			}}
			a, err := client.Call(ctx, request)
			if err == nil && (len(a.Results) != 3 || !a.Results[0].Successful || a.Results[1].Successful || a.Results[2].Successful || len(a.Results[2].Reason) > 200) {
				err = fmt.Errorf("%d results, %.300v", len(a.Results), a.Results)
			}
			if err != nil {
				t.Error(err)
			}
		}()
	}
	all.Wait()
	absurd := &rclinterfaces.SetParametersRequest{Parameters: make([]rclinterfaces.Parameter, limit.RequestParameters+1)}
	soon, cancel := context.WithTimeout(ctx, 200*ms)
	defer cancel()
	if _, err := client.Call(soon, absurd); err == nil {
		t.Error("a request with too many names is answered")
	}
	r.waitLevel(at, levelFree, "")
	if reason := r.set(doubleOf("trajectory.deadline", 3)); reason != "" {
		t.Error(reason)
	}
}

// message is the constraint of a message type T.
type message[T any] interface {
	*T
	cdr.Message
}
