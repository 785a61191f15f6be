package ros_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/stdsrvs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

func newNode(t *testing.T, transport ros.Transport, opts ros.Options) *ros.Node {
	t.Helper()
	n, err := ros.NewNode(transport, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := n.Close(); err != nil {
			t.Error(err)
		}
	})
	return n
}

func shortly(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	t.Cleanup(cancel)
	return ctx
}

func TestNodesExchangeTypedMessages(t *testing.T) {
	transport := ros.NewMemory()
	robot := newNode(t, transport, ros.Options{Name: "robot", Namespace: "/cell"})
	monitor := newNode(t, transport, ros.Options{Name: "monitor", Args: ros.Args{Remaps: []ros.Remap{{From: "joint_states", To: "/cell/joint_states"}}}})

	type received struct {
		state sensormsgs.JointState
		info  ros.MessageInfo
	}
	got := make(chan received, 1)
	_, err := ros.Subscribe(monitor, "joint_states", ros.JointStateQoS, func(m *sensormsgs.JointState, info ros.MessageInfo) {
		got <- received{*m, info}
	})
	if err != nil {
		t.Fatal(err)
	}
	pub, err := ros.Advertise[sensormsgs.JointState](robot, "joint_states", ros.QoS{})
	if err != nil {
		t.Fatal(err)
	}
	if err := pub.Publish(&sensormsgs.JointState{Name: []string{"elbow"}, Position: []float64{0.5}}); err != nil {
		t.Fatal(err)
	}
	r := <-got
	if len(r.state.Name) != 1 || r.state.Name[0] != "elbow" || r.state.Position[0] != 0.5 {
		t.Errorf("received %+v", r.state)
	}
	if r.info.Topic != "/cell/joint_states" || r.info.Sequence != 1 || r.info.SourceTime.IsZero() {
		t.Errorf("info %+v", r.info)
	}
}

// TestNodeSaysWhatItAssumes at its start, and whether it is secured.
func TestNodeSaysWhatItAssumes(t *testing.T) {
	const open = "not secured (ROS_SECURITY_ENABLE is not true)"
	tests := []struct {
		env  ros.Environment
		want []string // what each line contains
	}{
		{ros.Environment{Distro: "humble", Middleware: "rmw_cyclonedds_cpp"}, []string{"this node uses Cyclone DDS", open}},
		{ros.Environment{}, []string{"ROS_DISTRO is not set", "RMW_IMPLEMENTATION is not set", open}},
		{ros.Environment{Distro: "jazzy", Middleware: "rmw_fastrtps_cpp"}, []string{"services and parameters do not", open}},
		{ros.Environment{Distro: "jazzy", Middleware: "rmw_zenoh_cpp"}, []string{"neither topics nor services pass", open}},
		{
			ros.Environment{Distro: "jazzy", Middleware: "rmw_cyclonedds_cpp", Ineffective: []string{"X has no effect"}},
			[]string{"this node uses Cyclone DDS", "X has no effect", open},
		},
		{
			ros.Environment{Distro: "jazzy", Middleware: "rmw_cyclonedds_cpp", Security: ros.Security{Enabled: true, Keystore: "/none"}},
			[]string{"this node uses Cyclone DDS", `not secured: ROS_SECURITY_ENABLE is true, but the keystore /none has no enclave "/"`},
		},
	}
	for _, test := range tests {
		var out strings.Builder
		log := ros.NewLogger(&out, "guard", ros.LevelInfo)
		newNode(t, ros.NewMemory(), ros.Options{Name: "guard", Env: test.env, Logger: log})
		log.Flush(time.Minute)
		if said := strings.Split(strings.TrimSpace(out.String()), "\n"); !slices.EqualFunc(said, test.want, strings.Contains) {
			t.Errorf("%+v: the node says %q", test.env, said)
		}
	}
}

func TestServiceAnswersItsClient(t *testing.T) {
	transport := ros.NewMemory()
	server := newNode(t, transport, ros.Options{Name: "firstcontact"})
	user := newNode(t, transport, ros.Options{Name: "user"})
	_, err := ros.Serve(server, "~/toggle", ros.ServiceQoS, func(_ context.Context, req *stdsrvs.SetBoolRequest) *stdsrvs.SetBoolResponse {
		return &stdsrvs.SetBoolResponse{Success: req.Data, Message: "done"}
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, data := range []bool{true, false} {
		resp, err := ros.Call[stdsrvs.SetBoolRequest, stdsrvs.SetBoolResponse](shortly(t), user, "/firstcontact/toggle", ros.ServiceQoS, &stdsrvs.SetBoolRequest{Data: data})
		if err != nil {
			t.Fatal(err)
		}
		if resp.Success != data || resp.Message != "done" {
			t.Errorf("data %v: response %+v", data, resp)
		}
	}
}
