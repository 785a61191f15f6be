package live

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// fake is a source that counts how often it is asked.
type fake struct {
	board   Board
	checker *ccd.Checker
	asked   atomic.Int64
	broken  atomic.Bool
}

func (f *fake) Model() (*ccd.Checker, string) { return f.checker, "" }

func (f *fake) Now() View {
	f.asked.Add(1)
	if f.broken.Load() {
		panic("broken")
	}
	f.board.State(&fcmsgs.CollisionState{Level: fcmsgs.CollisionStateFree, DistanceLower: float64(f.asked.Load()), DistanceUpper: math.Inf(1)})
	return f.board.View(map[string]float64{"elbow": 0.5, "none": math.NaN()})
}

// serve runs a server on loopback for the time of a test, after which nothing of it is left.
func serve(t *testing.T, f *fake) (address string) {
	t.Helper()
	s, err := Listen(":0", f, t.Logf)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		select {
		case err := <-ended:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(10 * time.Second):
			t.Error("the server does not end")
		}
		for try := 0; ; try++ {
			stacks := make([]byte, 1<<20)
			stacks = stacks[:runtime.Stack(stacks, true)]
			left := bytes.Count(stacks, []byte("live.(*"))
			if left == 0 {
				return
			}
			if try == 50 {
				t.Errorf("%d goroutines are left:\n%s", left, stacks)
				return
			}
			time.Sleep(20 * time.Millisecond)
		}
	})
	for s.context() == nil {
		time.Sleep(time.Millisecond)
	}
	return s.listener.Addr().String()
}

// context is that of Run, nil before.
func (s *Server) context() context.Context {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ctx
}

func twoLink(t *testing.T) *ccd.Checker {
	t.Helper()
	robot, err := urdf.Load("../../testdata/two_link.urdf", urdf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := ccd.New(robot, nil, ccd.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

const asking = "Connection: keep-alive, Upgrade\r\nUpgrade: WebSocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"

// dial sends a request and returns the connection and the answer's first line.
func dial(t *testing.T, address, path, host, headers string) (net.Conn, *bufio.Reader, string) {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	_ = c.SetDeadline(time.Now().Add(10 * time.Second))
	fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: %s\r\n%s\r\n", path, host, headers)
	r := bufio.NewReader(c)
	line, err := r.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return c, r, strings.TrimSpace(line)
}

// watching opens a WebSocket as a browser does, and checks the answer of RFC 6455, section 1.3.
func watching(t *testing.T, address string) (net.Conn, *bufio.Reader) {
	t.Helper()
	c, r, line := dial(t, address, "/watch", address, asking+"Origin: http://"+address+"\r\n")
	if !strings.Contains(line, "101") {
		t.Fatalf("no WebSocket: %s", line)
	}
	accepted := false
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		accepted = accepted || line == "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"
		if line == "\r\n" {
			break
		}
	}
	if !accepted {
		t.Error("the key is not answered as RFC 6455 says")
	}
	return c, r
}

// receive reads a view as a page does, which says that it has come.
func receive(t *testing.T, c io.Writer, r io.Reader) (v View) {
	t.Helper()
	for {
		op, payload, err := next(r)
		if err != nil {
			t.Fatal(err)
		}
		switch op {
		case opText:
			v = View{}
			if err := json.Unmarshal(payload, &v); err != nil {
				t.Fatal(err)
			}
		case opPing:
			_, _ = c.Write(frameOf(0x80|opPong, string(payload)))
			return v
		default:
			t.Fatalf("frame %x %q", op, payload)
		}
	}
}

// next reads a frame of the server.
func next(r io.Reader) (op byte, payload []byte, err error) {
	var head [2]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, nil, err
	}
	size := uint64(head[1])
	switch size {
	case 126:
		var n uint16
		err = binary.Read(r, binary.BigEndian, &n)
		size = uint64(n)
	case 127:
		err = binary.Read(r, binary.BigEndian, &size)
	}
	if err != nil || size > maxMessage {
		return 0, nil, fmt.Errorf("%d bytes: %w", size, err)
	}
	payload = make([]byte, size)
	_, err = io.ReadFull(r, payload)
	return head[0] & 0xF, payload, err
}

// frameOf is a frame of a client.
func frameOf(head byte, payload string) []byte {
	out := []byte{head, 0x80 | byte(len(payload)), 1, 2, 3, 4}
	for i := range len(payload) {
		out = append(out, payload[i]^out[2+i%4])
	}
	return out
}

// Views come while somebody watches, and the source is left alone otherwise. A source that panics
// ends nothing.
func TestViews(t *testing.T) {
	f := &fake{checker: twoLink(t)}
	address := serve(t, f)
	time.Sleep(150 * time.Millisecond)
	if n := f.asked.Load(); n != 0 {
		t.Errorf("asked %d times while nobody watches", n)
	}
	begin := uint64(time.Now().UnixMilli())
	c, r := watching(t, address)
	var last float64
	var model uint64
	for i := range 4 {
		if i == 2 {
			f.broken.Store(true)
			time.AfterFunc(200*time.Millisecond, func() { f.broken.Store(false) })
		}
		v := receive(t, c, r)
		if i == 0 {
			model = v.Model
		}
		if v.Model != model || v.State == nil || v.State.Level != "FREE" || v.State.Upper != nil || *v.State.Lower <= last || len(v.Positions) != 1 || v.Unmeasured != 1 {
			t.Errorf("view %+v", v)
		}
		last = *v.State.Lower
	}
	if model > uint64(time.Now().UnixMilli()) || model+10000 < begin {
		t.Errorf("the model's number is %d", model)
	}
	answer, err := http.Get("http://" + address + "/model")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if data, err := io.ReadAll(answer.Body); err != nil || answer.Header.Get("X-Model") != fmt.Sprint(model) || len(data) < 500 {
		t.Errorf("the model has %d bytes, %v", len(data), err)
	}
}

// What is not the server's own page, by its own name, is refused.
func TestStrangersOfTheView(t *testing.T) {
	address := serve(t, &fake{})
	_, port, _ := net.SplitHostPort(address)
	for _, c := range []struct{ path, host, headers, want string }{
		{"/", address, "", "200"},
		{"/", "localhost:" + port, "", "200"},
		{"/", "evil.example:" + port, "", "421"},
		{"/watch", "evil.example:" + port, asking + "Origin: http://evil.example:" + port + "\r\n", "421"}, // DNS rebinding
		{"/watch", address, asking + "Origin: http://evil.example\r\n", "403"},
		{"/watch", address, asking + "Origin: http://" + address + ".evil.example\r\n", "403"},
		{"/watch", address, asking + "Origin: null\r\n", "403"},
		{"/watch", address, asking + "Origin: https://" + address + "\r\n", "403"},
		{"/watch", address, asking + "Origin: http://localhost:" + port + "\r\n", "403"}, // another origin than the host's
		{"/model", address, "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\n", "403"},
		{"/", address, "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n", "200"}, // a link
		{"/watch", address, "", "426"},
		{"/watch", address, strings.Replace(asking, "13", "8", 1), "426"},
		{"/watch", address, strings.Replace(asking, "dGhlIHNhbXBsZSBub25jZQ==", "short", 1), "426"},
		{"/none", address, "", "404"},
		{"/", address, "X: " + strings.Repeat("x", 2*maxHeader) + "\r\n", "431"},
		{"/", address, "Host: " + address + "\r\n", "400"}, // a second one
		{"/", address, "X: 1\r\n continued\r\n", "400"},
		{"/", address, "X : 1\r\n", "400"},
		{"/", address, "X: a\x00b\r\n", "400"},
		{"/", address, "X: 1\n", "400"},
		{"/", "127.0.0.1:80; script-src *", "", "421"},
		{"/", "", "", "400"},
		{"http://" + address + "/", address, "", "400"}, // of a proxy
		{"/%2e%2e/model", address, "", "404"},
		{"/?a=/model", address, "", "200"},
		{"/", address, "Content-Length: 4\r\n", "413"},
		{"/", address, "Transfer-Encoding: chunked\r\n", "413"},
	} {
		if _, _, line := dial(t, address, c.path, c.host, c.headers); !strings.Contains(line, " "+c.want+" ") {
			t.Errorf("%s of %s with %.60q: %s, want %s", c.path, c.host, c.headers, line, c.want)
		}
	}
	for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodDelete} {
		request, _ := http.NewRequest(method, "http://"+address+"/", nil)
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		if answer.StatusCode != http.StatusMethodNotAllowed {
			t.Errorf("%s: %s", method, answer.Status)
		}
	}
	http.DefaultClient.CloseIdleConnections()
}

// A client may say goodbye and ask for signs of life, and nothing else.
func TestClientsOnlyListen(t *testing.T) {
	f := &fake{}
	address := serve(t, f)
	until := func(r io.Reader, want byte) []byte {
		t.Helper()
		for range 100 {
			op, payload, err := next(r)
			if err != nil {
				t.Fatal(err)
			}
			if op == want {
				return payload
			}
		}
		t.Fatalf("no frame %x comes", want)
		return nil
	}
	c, r := watching(t, address)
	_, _ = c.Write(frameOf(0x80|opPing, "hello"))
	if got := until(r, opPong); string(got) != "hello" {
		t.Errorf("the sign of life is %q", got)
	}
	_, _ = c.Write(frameOf(0x80|opClose, "\x03\xe8"))
	until(r, opClose)
	for name, bad := range map[string][]byte{
		"text": frameOf(0x80|opText, "stop"), "a fragment": frameOf(opText, "s"), "a reserved bit": frameOf(0xC0|opPing, ""),
		"without a mask": {0x80 | opPing, 0}, "too long a ping": {0x80 | opPing, 0x80 | 126, 1, 0},
	} {
		c, r := watching(t, address)
		_, _ = c.Write(bad)
		if got := until(r, opClose); binary.BigEndian.Uint16(got) != closePolicy {
			t.Errorf("%s: closed with %x", name, got)
		}
	}
}

// A model of a server that starts where another one was has another number: a page that stays
// open asks for it.
func TestModelsOfTwoServers(t *testing.T) {
	numbers := map[uint64]bool{}
	for range 2 {
		t.Run("server", func(t *testing.T) { // which has ended after it
			c, r := watching(t, serve(t, &fake{checker: twoLink(t)}))
			numbers[receive(t, c, r).Model] = true
		})
	}
	if len(numbers) != 2 {
		t.Errorf("two servers have models of the numbers %v", numbers)
	}
}

// A client gets the next view once it says that it has received one, and then the newest: what is
// on the way is never older than the patience. One that says nothing, and one that reads nothing, is
// dropped.
func TestOneViewIsOnTheWay(t *testing.T) {
	f := &fake{}
	address := serve(t, f)
	c, r := watching(t, address)
	nothing, _ := watching(t, address)
	first := receive(t, c, r)
	time.Sleep(300 * time.Millisecond) // for several views, of which one has been sent
	receive(t, c, r)
	if newest := receive(t, c, r); *newest.State.Lower < *first.State.Lower+4 {
		t.Errorf("after view %g a client that was slow gets view %g", *first.State.Lower, *newest.State.Lower)
	}
	begin := time.Now()
	texts := 0
	for {
		op, _, err := next(r) // without an answer
		if err != nil {
			t.Fatal(err)
		}
		if op == opText {
			texts++
		}
		if op == opClose {
			break
		}
	}
	if took := time.Since(begin); texts != 1 || took > 2*patience {
		t.Errorf("a client that says nothing got %d views and was dropped after %v", texts, took)
	}
	_ = nothing.SetReadDeadline(time.Now().Add(patience))
	if rest, err := io.ReadAll(nothing); err != nil || len(rest) > 4096 {
		t.Errorf("a client that reads nothing had %d bytes on their way, %v", len(rest), err)
	}
}

// What cannot be shown is told once, and not tried again.
func TestModelThatCannotBeShown(t *testing.T) {
	told := 0
	checker := twoLink(t)
	s := &Server{source: &fake{checker: checker}, tell: func(string, ...any) { told++ }}
	s.modelled = model{of: checker, number: 5, remark: "no"}
	for range 3 {
		if n, remark := s.encode(); n != 0 || remark != "no" {
			t.Errorf("model %d, %q", n, remark)
		}
	}
	if told != 0 {
		t.Errorf("told %d times", told)
	}
}

// A view that is ready after the last client has left is not kept for the next one.
func TestNothingIsKeptForLater(t *testing.T) {
	s := &Server{source: &leaving{}, tell: t.Logf, changed: make(chan struct{}), clients: 1}
	s.source.(*leaving).s = s
	s.look()
	if s.newest != nil {
		t.Errorf("%s is kept", s.newest)
	}
}

// leaving is a source during whose answer the last client leaves.
type leaving struct{ s *Server }

func (l *leaving) Model() (*ccd.Checker, string) { return nil, "" }

func (l *leaving) Now() View {
	l.s.leave()
	return View{}
}

// One client too many is refused with the reason, until another leaves.
func TestClientsAreBounded(t *testing.T) {
	address := serve(t, &fake{})
	var others []net.Conn
	for range MaxClients {
		c, r := watching(t, address)
		receive(t, c, r) // the server counts a client after its handshake, and before the first view
		others = append(others, c)
	}
	_, r := watching(t, address)
	if op, why, err := next(r); err != nil || op != opClose || binary.BigEndian.Uint16(why) != closeFull || !strings.Contains(string(why), "8 others watch") {
		t.Errorf("one too many: frame %x %q, %v", op, why, err)
	}
	_ = others[0].Close()
	deadline := time.Now().Add(patience)
	for {
		_, r := watching(t, address)
		if op, _, err := next(r); err == nil && op == opText {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("there is no room after a client has left")
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// A write to a client that does not read ends within the patience.
func TestSlowClientsAreDropped(t *testing.T) {
	a, b := net.Pipe() // without any buffer
	defer b.Close()
	s := &socket{conn: a, in: bufio.NewReader(a)}
	begin := time.Now()
	if err := s.view([]byte("view"), 1); err == nil {
		t.Error("a client that does not read took a view")
	}
	if took := time.Since(begin); took > 2*patience {
		t.Errorf("it took %v", took)
	}
}

// Addresses: a port alone is this machine alone.
func TestAddresses(t *testing.T) {
	for address, want := range map[string]string{
		"8080": "no address", "host": "no address", ":port": "not a number", ":70000": "not a number", "256.0.0.1:80": "cannot be served", "": "no address",
	} {
		if s, err := Listen(address, &fake{}, t.Logf); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", address, err, want)
			if s != nil {
				_ = s.Close()
			}
		}
	}
	for address, open := range map[string]bool{":0": false, "127.0.0.1:0": false, "localhost:0": false, "0.0.0.0:0": true} {
		s, err := Listen(address, &fake{}, t.Logf)
		if err != nil {
			t.Fatal(err)
		}
		if s.Open() != open || !strings.HasPrefix(s.URL(), "http://") {
			t.Errorf("%q is open: %v, %s", address, s.Open(), s.URL())
		}
		_ = s.Close()
	}
}

// Whatever is published, a view has a bounded size and is JSON; an unknown level or status is never
// good news.
func TestBoardIsBounded(t *testing.T) {
	var b Board
	long := strings.Repeat("\x1b\"<", 1<<16)
	many := slices.Repeat([]string{long[:1<<10]}, 100)
	m := &fcmsgs.CollisionState{
		Level: 77, Reason: long, DistanceLower: math.NaN(), TimeToContact: math.Inf(1), ModelHash: long, SceneHash: long,
		ModelWarning: long, AcceptedGaps: many, BeyondLimits: many, JointStateConflicts: many, Impostors: 1, Stopped: true, AssumedPairs: 1,
	}
	premises := slices.Repeat([]fcmsgs.Premise{{Detail: long[:1<<10], Gap: true}}, 100)
	for range 1000 {
		p := fcmsgs.PairDistance{Lower: math.NaN(), Upper: math.Inf(1)}
		p.PointA.X, p.Pair.A.Name = math.Inf(-1), long
		m.ClosestPairs = append(m.ClosestPairs, p)
		b.Verdict(&fcmsgs.Verdict{Status: 99, ID: long, Message: long, ProvenUntil: math.NaN(), Duration: math.Inf(1), Premises: premises, Warnings: many})
	}
	b.State(m)
	positions := map[string]float64{}
	for i := range 5000 {
		positions[fmt.Sprint(i)] = 1
	}
	v := b.View(positions)
	text, err := json.Marshal(&v)
	if err != nil || len(text) > maxMessage/4 {
		t.Errorf("%d bytes, %v", len(text), err)
	}
	if v.State.Level != "UNKNOWN" || v.Verdicts[0].Status != "UNDECIDED" || len(v.Verdicts) != maxVerdicts || v.Verdicts[maxVerdicts-1].Number != 1000 {
		t.Errorf("%s, %s, %d verdicts", v.State.Level, v.Verdicts[0].Status, len(v.Verdicts))
	}
}

// The board tells what a state and a verdict rest on and what makes them doubtful, and which
// verdicts are about something else.
func TestBoardTellsWhatItRestsOn(t *testing.T) {
	var b Board
	b.Verdict(&fcmsgs.Verdict{ID: "before", Status: fcmsgs.VerdictFree, ModelHash: "m", SceneHash: "old"})
	b.Verdict(&fcmsgs.Verdict{
		ID: "now", Status: fcmsgs.VerdictFree, ModelHash: "m", SceneHash: "new", Warnings: []string{"in degrees"}, AssumedPairs: 3, BeyondLimits: []string{"elbow"},
		Premises: []fcmsgs.Premise{{Kind: "start", Detail: "it begins elsewhere", Gap: true}, {Kind: "implausible", Detail: "millimetres", Gap: true, Accepted: true}, {Kind: "held"}},
	})
	if v := b.View(nil); !v.Verdicts[0].Other || !v.Verdicts[1].Other {
		t.Error("without a state a verdict is about what is there now")
	}
	b.State(&fcmsgs.CollisionState{
		Level: fcmsgs.CollisionStateFree, ModelHash: "m", SceneHash: "new", ModelWarning: "another description", AcceptedGaps: []string{"octree"}, AssumedPairs: 31,
		BeyondLimits: []string{"wrist"}, JointStateConflicts: []string{"two of them"}, Impostors: 2, Stopped: true,
	})
	v := b.View(nil)
	if !v.Verdicts[0].Other || v.Verdicts[1].Other {
		t.Errorf("about something else: %v, %v", v.Verdicts[0].Other, v.Verdicts[1].Other)
	}
	has := func(list []string, want ...string) {
		t.Helper()
		for _, w := range want {
			if !strings.Contains(strings.Join(list, "\n"), w) {
				t.Errorf("%q lacks %q", list, w)
			}
		}
	}
	has(v.State.Notes, "another description", "1 gaps of the model are accepted: octree", "31 pairs", "wrist", "two of them", "2 publishers", "other pairs may be closer")
	has(v.Verdicts[1].Notes, "Not covered: it begins elsewhere", "Accepted: millimetres", "Warning: in degrees", "3 pairs", "elbow", "1 other premises")
}

// BenchmarkBoard measures what a state costs the node that is watched.
func BenchmarkBoard(b *testing.B) {
	m := &fcmsgs.CollisionState{Reason: "the closest pair within its range, torso and right_hand, is 0.0541 m apart", ClosestPairs: make([]fcmsgs.PairDistance, 5)}
	for i := range m.ClosestPairs {
		m.ClosestPairs[i].Pair.A.Name, m.ClosestPairs[i].Pair.B.Name = "torso", "right_hand"
	}
	var board Board
	for b.Loop() {
		board.State(m)
	}
}
