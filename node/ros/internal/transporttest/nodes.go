package transporttest

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/cdr"
	"github.com/firstcontact-ros/firstcontact/msgs/rclinterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/stdmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/stdsrvs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

func soon(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	return ctx
}

func nodesExchange(t *testing.T, a, b Side) {
	ns := "/" + uniqueName()
	robot := a.Node(t, ros.Options{Name: "robot", Namespace: ns})
	monitor := b.Node(t, ros.Options{Name: "monitor"})
	pub, err := ros.Advertise[sensormsgs.JointState](robot, "joint_states", ros.QoS{})
	if err != nil {
		t.Fatal(err)
	}
	type received struct {
		state *sensormsgs.JointState
		info  ros.MessageInfo
	}
	got := make(chan received, 10)
	sub, err := ros.Subscribe(monitor, ns+"/joint_states", ros.JointStateQoS, func(m *sensormsgs.JointState, info ros.MessageInfo) {
		got <- received{m, info}
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := pub.WaitSubscribers(soon(t), 1); err != nil {
		t.Fatal(err)
	}
	if err := sub.WaitPublishers(soon(t), 1); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		m := sensormsgs.JointState{Name: []string{"shoulder", "elbow"}, Position: []float64{float64(i), 0.5}}
		m.Header.Stamp.Sec = 7
		m.Header.FrameID = "base"
		if err := pub.Publish(&m); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 3 {
		select {
		case r := <-got:
			s := r.state
			if s.Header.Stamp.Sec != 7 || s.Header.FrameID != "base" || !slices.Equal(s.Name, []string{"shoulder", "elbow"}) || !slices.Equal(s.Position, []float64{float64(i), 0.5}) {
				t.Errorf("message %d arrives as %+v", i, s)
			}
			if r.info.Topic != ns+"/joint_states" || r.info.Sequence != uint64(i+1) || !r.info.Writer.SameParticipant(robot.Participant().GUID()) {
				t.Errorf("message %d has info %+v", i, r.info)
			}
		case <-time.After(patience):
			t.Fatal("no message arrived")
		}
	}
}

func malformedMessage(t *testing.T, a, b Side) {
	topic := "/" + uniqueName()
	n := b.Node(t, ros.Options{Name: "monitor", Logger: ros.NewLogger(new(bytes.Buffer), "monitor", ros.LevelInfo)})
	got := make(chan string, 10)
	sub, err := ros.Subscribe(n, topic, ros.QoS{}, func(m *stdmsgs.String, _ ros.MessageInfo) { got <- m.Data })
	if err != nil {
		t.Fatal(err)
	}
	w := newWriter(t, a.Open(t), ros.Endpoint{Topic: "rt" + topic, Type: "std_msgs::msg::dds_::String_"})
	waitMatch(t, 1, w)
	if err := sub.WaitPublishers(soon(t), 1); err != nil {
		t.Fatal(err)
	}
	hostile := [][]byte{
		{0, 1, 0, 0},                                          // nothing
		{0, 1, 0, 0, 0xff, 0xff, 0xff, 0xff},                  // a length of 4 GB
		{0, 1, 0, 0, 2, 0, 0, 0, 'a', 'b'},                    // no closing NUL
		{0, 7, 0, 0, 1, 0, 0, 0, 0},                           // XCDR2
		append(text("\x01\x00\x00\x00"), text("12345678")...), // trailing bytes
	}
	for _, data := range hostile {
		write(t, w, data)
	}
	write(t, w, text("\x03\x00\x00\x00ok\x00"))
	select {
	case s := <-got:
		if s != "ok" {
			t.Errorf("received %q", s)
		}
	case <-time.After(patience):
		t.Fatal("the message after the malformed ones did not arrive")
	}
	if got := sub.Malformed(); got != uint64(len(hostile)) {
		t.Errorf("%d of %d malformed messages are counted", got, len(hostile))
	}
}

type (
	request  = stdsrvs.SetBoolRequest
	response = stdsrvs.SetBoolResponse
)

const (
	requestType  = "std_srvs::srv::dds_::SetBool_Request_"
	responseType = "std_srvs::srv::dds_::SetBool_Response_"
)

func toggle(_ context.Context, r *request) *response {
	return &response{Success: r.Data, Message: "toggled"}
}

// quiet is a logger for nodes that are expected to log warnings.
func quiet() *ros.Logger { return ros.NewLogger(new(bytes.Buffer), "quiet", ros.LevelInfo) }

// waitClient waits until requests of a client that was just made arrive. The client may have
// discovered the server before the server has discovered the client.
func waitClient(t testing.TB, s *ros.Service) {
	t.Helper()
	if err := s.WaitClients(soon(t), 1); err != nil {
		t.Fatal(err)
	}
}

func serveToggle(t testing.TB, s Side, handle func(context.Context, *request) *response, options ...ros.ServeOption) (service *ros.Service, name string) {
	t.Helper()
	name = "/" + uniqueName()
	n := s.Node(t, ros.Options{Name: "server", Logger: quiet()})
	service, err := ros.Serve(n, name, ros.ParameterQoS, handle, options...)
	if err != nil {
		t.Fatal(err)
	}
	return service, name
}

// firstCall checks the two ways in which a first call can get lost: a client
// that calls as soon as it exists, and one whose reader for the reply the
// server discovers only after the request.
func firstCall(t *testing.T, a, b Side) {
	_, name := serveToggle(t, a, toggle)
	user := b.Node(t, ros.Options{Name: "user"})
	resp, err := ros.Call[request, response](soon(t), user, name, ros.ServiceQoS, &request{Data: true})
	if err != nil {
		t.Fatal(err)
	}
	if !resp.Success || resp.Message != "toggled" {
		t.Errorf("the response is %+v", resp)
	}
	const id = "clientid= 1.2.3;"
	service, name := serveToggle(t, a, toggle)
	p := b.Open(t)
	w := newWriter(t, p, ros.Endpoint{Topic: "rq" + name + "Request", Type: requestType, UserData: id})
	waitMatch(t, 1, w)
	waitClient(t, service)
	call := cdr.RequestID{Client: 77, Sequence: 1}
	data, err := cdr.AppendService(nil, call, &request{Data: true})
	if err != nil {
		t.Fatal(err)
	}
	write(t, w, data)
	time.Sleep(100 * time.Millisecond)
	in := newInbox(t, p, ros.Endpoint{Topic: "rr" + name + "Reply", Type: responseType, UserData: id})
	var first response
	if got, err := cdr.UnmarshalService(in.next(t).Data, &first); err != nil || got != call || !first.Success {
		t.Errorf("the reply is %+v to %+v, error %v", first, got, err)
	}
}

// foreignRequests checks that a request is not read if its writer does not announce that it
// sends the client's id before the body, even if the bytes would decode.
func foreignRequests(t *testing.T, a, b Side) {
	for _, userData := range []string{"", "typehash=RIHS01_00;", "clientid=;", "serviceid= 1.2.3;"} {
		service, name := serveToggle(t, a, func(context.Context, *request) *response {
			t.Errorf("a request of a writer that announces %q is handled", userData)
			return nil
		})
		w := newWriter(t, b.Open(t), ros.Endpoint{Topic: "rq" + name + "Request", Type: requestType, UserData: userData})
		waitMatch(t, 1, w)
		waitClient(t, service)
		write(t, w, append([]byte{0, 1, 0, 0}, make([]byte, 17)...))
		for deadline := time.Now().Add(patience); service.Foreign() == 0; time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("the request of a writer that announces %q is not counted", userData)
			}
		}
		if got := service.Malformed(); got != 0 {
			t.Errorf("%d requests of a writer that announces %q are counted as malformed", got, userData)
		}
	}
}

func parallelCalls(t *testing.T, a, b Side) {
	var mu sync.Mutex
	running, most := 0, 0
	echo := func(_ context.Context, r *request) *response {
		mu.Lock()
		running++
		most = max(most, running)
		mu.Unlock()
		time.Sleep(20 * time.Millisecond)
		mu.Lock()
		running--
		mu.Unlock()
		return &response{Success: r.Data}
	}
	for _, limit := range []int{1, 3} {
		most = 0
		var options []ros.ServeOption
		if limit > 1 {
			options = append(options, ros.Concurrent(limit))
		}
		_, name := serveToggle(t, a, echo, options...)
		user := b.Node(t, ros.Options{Name: "user"})
		client, err := ros.NewClient[request, response](user, name, ros.ServiceQoS)
		if err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Add(1)
			go func() {
				defer wg.Done()
				want := i%2 == 0
				resp, err := client.Call(soon(t), &request{Data: want})
				if err != nil || resp.Success != want {
					t.Errorf("call %d: %+v, %v", i, resp, err)
				}
			}()
		}
		wg.Wait()
		if most > limit || limit > 1 && most == 1 {
			t.Errorf("%d handlers ran at once, where %d may", most, limit)
		}
	}
}

// severalClients lets clients call concurrently with equal sequence numbers and different
// expected answers.
func severalClients(t *testing.T, a, b Side) {
	_, name := serveToggle(t, a, toggle)
	var wg sync.WaitGroup
	for i := range 4 {
		user := b.Node(t, ros.Options{Name: fmt.Sprintf("user%d", i)})
		client, err := ros.NewClient[request, response](user, name, ros.ParameterQoS)
		if err != nil {
			t.Fatal(err)
		}
		want := i%2 == 0
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 20 {
				resp, err := client.Call(soon(t), &request{Data: want})
				if err != nil || resp.Success != want {
					t.Errorf("client %d: %+v, %v", i, resp, err)
					return
				}
			}
		}()
	}
	wg.Wait()
}

// lateNode checks that announcements of many participants, which are one instance to the
// middleware, all reach a node that joins later.
func lateNode(t *testing.T, a, b Side) {
	ns := "/" + uniqueName()
	var early []string
	for i := range 6 {
		early = append(early, a.Node(t, ros.Options{Name: fmt.Sprintf("early%d", i), Namespace: ns}).FullName())
	}
	late := b.Node(t, ros.Options{Name: "late", Namespace: ns})
	for _, name := range early {
		waitNode(t, late, name)
	}
}

// waitNode waits until a node has discovered another.
func waitNode(t testing.TB, viewer *ros.Node, name string) {
	t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		g, err := viewer.Graph()
		if err != nil {
			t.Fatal(err)
		}
		if _, seen := g.Node(name); seen {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s does not see %s", viewer.FullName(), name)
		}
	}
}

func hostileRequests(t *testing.T, a, b Side) {
	service, name := serveToggle(t, a, toggle)
	p := b.Open(t)
	w := newWriter(t, p, ros.Endpoint{Topic: "rq" + name + "Request", Type: requestType, QoS: ros.QoS{Depth: ros.KeepAll}, UserData: "clientid=hostile;"})
	waitMatch(t, 1, w)
	waitClient(t, service)
	sent := uint64(0)
	for n := range 17 { // a request takes 16 bytes of header and one of body
		data := append([]byte{0, 1, 0, 0}, bytes.Repeat([]byte{0xff}, n)...)
		write(t, w, data)
		sent++
	}
	write(t, w, append([]byte{0, 1, 0, 0}, bytes.Repeat([]byte{0xff}, 1000)...))
	sent++
	user := b.Node(t, ros.Options{Name: "user"})
	if _, err := ros.Call[request, response](soon(t), user, name, ros.ServiceQoS, &request{Data: true}); err != nil {
		t.Fatal(err)
	}
	if got := service.Malformed(); got != sent {
		t.Errorf("%d of %d malformed requests are counted", got, sent)
	}
}

func unheardReply(t *testing.T, a, b Side) {
	service, name := serveToggle(t, a, toggle)
	w := newWriter(t, b.Open(t), ros.Endpoint{Topic: "rq" + name + "Request", Type: requestType, UserData: "clientid=deaf;"})
	waitMatch(t, 1, w)
	waitClient(t, service)
	data, err := cdr.AppendService(nil, cdr.RequestID{Client: 1, Sequence: 1}, &request{})
	if err != nil {
		t.Fatal(err)
	}
	write(t, w, data)
	for deadline := time.Now().Add(patience); service.Unheard() == 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the reply is not given up")
		}
	}
}

// graphOfNodes checks that nodes discover each other's endpoints, whatever the length of the
// ids that they announce.
func graphOfNodes(t *testing.T, a, b Side) {
	ns := "/" + uniqueName()
	humble := a.Node(t, ros.Options{
		Name: "humble", Namespace: ns,
		Args: ros.Args{Enclave: "/cell"}, Env: ros.Environment{Distro: "humble"},
	})
	jazzy := b.Node(t, ros.Options{Name: "jazzy", Namespace: ns})
	for _, n := range []*ros.Node{humble, jazzy} {
		if _, err := ros.Advertise[sensormsgs.JointState](n, "joint_states", ros.LatchedQoS); err != nil {
			t.Fatal(err)
		}
		if _, err := ros.Subscribe(n, "~/command", ros.SensorQoS, func(*stdmsgs.Bool, ros.MessageInfo) {}); err != nil {
			t.Fatal(err)
		}
		if _, err := ros.Serve(n, "~/toggle", ros.ServiceQoS, toggle); err != nil {
			t.Fatal(err)
		}
		if _, err := ros.NewClient[request, response](n, "/switch", ros.ServiceQoS); err != nil {
			t.Fatal(err)
		}
	}
	hash := (*sensormsgs.JointState)(nil).ROSType().Hash
	for _, viewer := range []*ros.Node{humble, jazzy} {
		checkNode(t, viewer, humble, "/cell", "")
		checkNode(t, viewer, jazzy, "/", hash)
	}
	name := humble.FullName()
	humble.Close()
	for deadline := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		g, err := jazzy.Graph()
		if err != nil {
			t.Fatal(err)
		}
		if _, there := g.Node(name); !there {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("a closed node stays in the graph")
		}
	}
}

// checkNode waits until the viewer has discovered all endpoints of a node.
func checkNode(t *testing.T, viewer, node *ros.Node, enclave, hash string) {
	t.Helper()
	var seen ros.GraphNode
	for deadline := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		g, err := viewer.Graph()
		if err != nil {
			t.Fatal(err)
		}
		var there bool
		if seen, there = g.Node(node.FullName()); there && len(seen.Publishers)*len(seen.Subscribers)*len(seen.Services)*len(seen.Clients) > 0 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s sees of %s only %+v", viewer.FullName(), node.FullName(), seen)
		}
	}
	got := fmt.Sprintf("%s %v %s %s %v %v %v | %s %s %v | %s %s | %s %s",
		seen.Enclave, seen.Participant == node.Participant().GUID(),
		seen.Publishers[0].Name, seen.Publishers[0].Type, seen.Publishers[0].QoS.Durability, seen.Publishers[0].TypeHash == hash, len(seen.Publishers),
		seen.Subscribers[0].Name, seen.Subscribers[0].Type, seen.Subscribers[0].QoS.Reliability,
		seen.Services[0].Name, seen.Services[0].Type,
		seen.Clients[0].Name, seen.Clients[0].Type)
	want := fmt.Sprintf("%s true %s sensor_msgs/msg/JointState transient local true 1 | %s std_msgs/msg/Bool best effort | %s std_srvs/srv/SetBool | /switch std_srvs/srv/SetBool",
		enclave, node.Namespace()+"/joint_states", node.FullName()+"/command", node.FullName()+"/toggle")
	if got != want {
		t.Errorf("%s sees %s as\n%s\nnot as\n%s", viewer.FullName(), node.FullName(), got, want)
	}
}

// endpointUserData checks the user data that the other side reads: the type's
// hash from Iron on, and the id that the two halves of a service share.
func endpointUserData(t *testing.T, a, b Side) {
	viewer := b.Open(t)
	for distro, hashed := range map[string]bool{"humble": false, "jazzy": true} {
		topic, service := "/"+uniqueName(), "/"+uniqueName()
		n := a.Node(t, ros.Options{Name: "guard", Env: ros.Environment{Distro: distro}})
		if _, err := ros.Advertise[stdmsgs.Bool](n, topic, ros.QoS{}); err != nil {
			t.Fatal(err)
		}
		if _, err := ros.Serve(n, service, ros.ServiceQoS, toggle); err != nil {
			t.Fatal(err)
		}
		typeHash := func(m cdr.Message) string {
			if !hashed {
				return ""
			}
			return "typehash=" + m.ROSType().Hash + ";"
		}
		published := discover(t, viewer, false, "rt"+topic)
		if want := typeHash(new(stdmsgs.Bool)); published.UserData != want {
			t.Errorf("%s: a publisher announces %q, not %q", distro, published.UserData, want)
		}
		requests, replies := discover(t, viewer, true, "rq"+service+"Request"), discover(t, viewer, false, "rr"+service+"Reply")
		id, found := strings.CutSuffix(requests.UserData, typeHash(new(request)))
		if !found || !regexp.MustCompile(`^serviceid=[ 0-9a-f][0-9a-f](\.[0-9a-f]{1,2}){15};$`).MatchString(id) {
			t.Errorf("%s: the reader of requests announces %q", distro, requests.UserData)
		}
		if want := id + typeHash(new(response)); replies.UserData != want {
			t.Errorf("%s: the writer of replies announces %q, not %q", distro, replies.UserData, want)
		}
		if requests.Type != requestType || replies.Type != responseType {
			t.Errorf("%s: the service has types %s and %s", distro, requests.Type, replies.Type)
		}
	}
}

// discover waits for the reader or writer of a DDS topic.
func discover(t testing.TB, viewer ros.Participant, isReader bool, topic string) ros.DiscoveredEndpoint {
	t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		d, err := viewer.Discovered()
		if err != nil {
			t.Fatal(err)
		}
		endpoints := d.Writers
		if isReader {
			endpoints = d.Readers
		}
		for _, e := range endpoints {
			if e.Topic == topic {
				return e
			}
		}
	}
	t.Fatalf("no endpoint of %s is discovered", topic)
	return ros.DiscoveredEndpoint{}
}

// hostileAnnouncements sends garbage, and a forged announcement that another participant has
// no nodes.
func hostileAnnouncements(t *testing.T, a, b Side) {
	ns := "/" + uniqueName()
	n := a.Node(t, ros.Options{Name: "honest", Namespace: ns, Logger: quiet()})
	victim := b.Node(t, ros.Options{Name: "victim", Namespace: ns, Logger: quiet()})
	waitNode(t, n, victim.FullName())
	p := b.Open(t)
	w := newWriter(t, p, ros.Endpoint{
		Topic: "ros_discovery_info", Type: "rmw_dds_common::msg::dds_::ParticipantEntitiesInfo_",
		QoS: ros.QoS{Durability: ros.TransientLocal, Depth: ros.KeepAll},
	})
	id := func(p ros.Participant) []byte {
		g := p.GUID()
		return append([]byte{0, 1, 0, 0}, g[:]...)
	}
	hostile := [][]byte{
		{0, 1, 0, 0},
		append([]byte{0, 1, 0, 0}, bytes.Repeat([]byte{0xff}, 60)...),
		append(id(p), 0xff, 0xff, 0xff, 0x7f),
		append(id(victim.Participant()), 0, 0, 0, 0),
		append(id(n.Participant()), 0, 0, 0, 0),
	}
	for _, data := range hostile {
		write(t, w, data)
	}
	// The marker is read after the garbage.
	marker := fmt.Sprintf("\x01\x00\x00\x00\x02\x00\x00\x00/\x00\x00\x00\x12\x00\x00\x00%s\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00", uniqueName())
	write(t, w, append(id(p), marker...))
	waitNode(t, n, "/"+marker[16:33])
	g, err := n.Graph()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{n.FullName(), victim.FullName()} {
		if _, there := g.Node(name); !there {
			t.Errorf("%s vanished from the graph", name)
		}
	}
}

// lateLog checks that a late subscriber receives earlier lines, those of the node and its
// descendants only.
func lateLog(t *testing.T, a, b Side) {
	name := uniqueName()
	var out bytes.Buffer
	log := ros.NewLogger(&out, name, ros.LevelInfo)
	n := a.Node(t, ros.Options{Name: name, Logger: log})
	n.Logger().Warnf("first")
	log.Named("stranger", ros.LevelInfo).Infof("not ours")
	log.Named(name+".child", ros.LevelInfo).Infof("second")
	log.Debugf("hidden")
	lines := make(chan *rclinterfaces.Log, 100)
	listener := b.Node(t, ros.Options{Name: "listener"})
	_, err := ros.Subscribe(listener, "/rosout", ros.RosoutQoS, func(m *rclinterfaces.Log, _ ros.MessageInfo) {
		if strings.HasPrefix(m.Name, name) || m.Name == "stranger" {
			lines <- m
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []rclinterfaces.Log{
		{Level: rclinterfaces.LogWarn, Name: name, Msg: "first"},
		{Level: rclinterfaces.LogInfo, Name: name + ".child", Msg: "second"},
	} {
		select {
		case m := <-lines:
			if m.Level != want.Level || m.Name != want.Name || m.Msg != want.Msg || m.Stamp.Sec == 0 {
				t.Errorf("heard %+v, not %+v", m, want)
			}
			if m.File != "node/ros/internal/transporttest/nodes.go" || m.Function != "transporttest.lateLog" || m.Line == 0 {
				t.Errorf("%q comes from %s:%d, %s", m.Msg, m.File, m.Line, m.Function)
			}
		case <-time.After(patience):
			t.Fatalf("%q is not heard", want.Msg)
		}
	}
}
