// Package transporttest holds the tests that every transport must pass: the contracts of the
// interfaces of package ros, and ROS nodes on top of them.
package transporttest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// Side is one of two parties in the same domain.
type Side struct {
	Transport ros.Transport
	Env       ros.Environment
	// Largest is the size of samples beyond which the other side is not sure to get what this
	// one sends; 0 means any.
	Largest int
}

// patience exceeds the duration of every successful step, even under the race detector on a
// busy machine.
const patience = 20 * time.Second

// Open joins the domain until the test ends.
func (s Side) Open(t testing.TB) ros.Participant {
	t.Helper()
	p, err := s.Transport.Open(ros.ParticipantOptions{Domain: s.Env.Domain, Network: s.Env.Network, UserData: "enclave=/test;"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Errorf("closing the participant: %v", err)
		}
	})
	return p
}

// Node makes a node until the test ends.
func (s Side) Node(t testing.TB, opts ros.Options) *ros.Node {
	t.Helper()
	opts.Args.NoRosout = opts.Logger == nil // without this every node has one more topic
	distro := opts.Env.Distro
	opts.Env = s.Env
	opts.Env.Distro = distro
	if distro == "" {
		opts.Env.Distro = "jazzy"
	}
	n, err := ros.NewNode(s.Transport, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := n.Close(); err != nil {
			t.Errorf("closing the node: %v", err)
		}
	})
	return n
}

// Apart returns a function for RunEach that runs the tests side by side, each in a domain of its own.
func Apart(domain func() int) func(t *testing.T, a, b *Side) {
	return func(t *testing.T, a, b *Side) {
		t.Parallel()
		a.Env.Domain = domain()
		b.Env.Domain = a.Env.Domain
	}
}

// Run runs all tests, except those of the given names, with two parties. The first mostly
// writes and the second mostly reads.
func Run(t *testing.T, a, b Side, except ...string) {
	RunEach(t, a, b, func(*testing.T, *Side, *Side) {}, except...)
}

// RunEach is Run with a function that is called at the beginning of each test and may change its
// parties.
func RunEach(t *testing.T, a, b Side, begin func(t *testing.T, a, b *Side), except ...string) {
	tests := []struct {
		name string
		run  func(*testing.T, Side, Side)
	}{
		{"reliable samples arrive once and in order", reliableInOrder},
		{"best effort matches best effort and reliable writers", bestEffort},
		{"incompatible endpoints do not match and say why", incompatible},
		{"other topics and types do not match", otherTopics},
		{"a late reader gets the last samples of a transient-local writer", transientLocal},
		{"a late reader gets nothing of a volatile writer", volatileLate},
		{"a slow reader loses the oldest samples", keepLast},
		{"expired samples are not delivered", lifespan},
		{"promises match who asks for less", promises},
		{"missed deadlines are counted and told", missedDeadlines},
		{"liveliness is told", livelinessTold},
		{"every length arrives as it was sent", lengths},
		{"large samples arrive as they were sent", largeSamples},
		{"several goroutines write at once", concurrentWriters},
		{"matches come and go", matches},
		{"waiting for matches ends with its context", waitEnds},
		{"a reader may ignore its own participant", ignoreLocal},
		{"a reader may refuse samples", refusal},
		{"nothing happens after Close", afterClose},
		{"Discovered lists participants and endpoints", discovered},
		{"many writers on a topic come and go", manyWriters},
		{"nodes exchange messages", nodesExchange},
		{"malformed messages are dropped and counted", malformedMessage},
		{"the first call after discovery is answered", firstCall},
		{"calls in parallel get their own replies", parallelCalls},
		{"clients do not take each other's replies", severalClients},
		{"hostile requests are dropped and counted", hostileRequests},
		{"requests in another form are not read", foreignRequests},
		{"a reply waits for its reader and is given up", unheardReply},
		{"the graph shows nodes of both wire forms", graphOfNodes},
		{"a late node sees all that came before", lateNode},
		{"endpoints announce what their distribution expects", endpointUserData},
		{"hostile announcements are ignored", hostileAnnouncements},
		{"a late listener reads the log on /rosout", lateLog},
	}
	for _, test := range tests {
		if !slices.Contains(except, test.name) {
			t.Run(test.name, func(t *testing.T) {
				a, b := a, b
				begin(t, &a, &b)
				test.run(t, a, b)
			})
		}
	}
}

// uniqueName keeps tests that share a domain apart.
func uniqueName() string { return fmt.Sprintf("t%016x", rand.Uint64()) }

// channel is an endpoint on a topic of its own.
func channel(qos ros.QoS) ros.Endpoint {
	return ros.Endpoint{Topic: "rt/" + uniqueName(), Type: "test_msgs::msg::dds_::Opaque_", QoS: qos}
}

func newWriter(t testing.TB, p ros.Participant, e ros.Endpoint) ros.Writer {
	t.Helper()
	w, err := p.NewWriter(e)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// inbox collects what a reader receives.
type inbox struct {
	ros.Reader
	samples chan ros.Sample
}

func newInbox(t testing.TB, p ros.Participant, e ros.Endpoint) inbox {
	t.Helper()
	samples := make(chan ros.Sample, 10000)
	r, err := p.NewReader(e, func(s ros.Sample) { samples <- s })
	if err != nil {
		t.Fatal(err)
	}
	return inbox{r, samples}
}

func (in inbox) next(t testing.TB) ros.Sample {
	t.Helper()
	select {
	case s := <-in.samples:
		return s
	case <-time.After(patience):
		t.Fatal("no sample arrived")
	}
	return ros.Sample{}
}

// nothing fails if a sample arrives within a time that suffices for one in transit.
func (in inbox) nothing(t testing.TB) {
	t.Helper()
	select {
	case s := <-in.samples:
		t.Fatalf("an unexpected sample arrived: %q, number %d", s.Data, s.Sequence)
	case <-time.After(100 * time.Millisecond):
	}
}

func waitMatch(t testing.TB, n int, peers ...ros.Peer) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for _, p := range peers {
		err := p.WaitMatches(ctx, func(m []ros.Match) bool { return len(m) == n })
		if err != nil {
			t.Fatalf("waiting for %d matches: %v, there are %v", n, err, p.Matches())
		}
	}
}

// text returns a message with a header as the codec writes it.
func text(format string, args ...any) []byte {
	return append([]byte{0, 1, 0, 0}, fmt.Sprintf(format, args...)...)
}

// write writes, and retries if a busy machine makes the reader slow.
func write(t testing.TB, w ros.Writer, data []byte) {
	t.Helper()
	for deadline := time.Now().Add(patience); ; {
		err := w.Write(data)
		switch {
		case err == nil:
			return
		case !errors.Is(err, ros.ErrWriteTimeout) || time.Now().After(deadline):
			t.Fatal(err)
		}
	}
}

func reliableInOrder(t *testing.T, a, b Side) {
	e := channel(ros.QoS{Depth: 1000})
	w := newWriter(t, a.Open(t), e)
	in := newInbox(t, b.Open(t), e)
	waitMatch(t, 1, w, in)
	const count = 500
	start := time.Now()
	for i := range count {
		write(t, w, text("%d", i))
	}
	for i := range count {
		s := in.next(t)
		if want := text("%d", i); !bytes.Equal(s.Data, want) {
			t.Fatalf("sample %d is %q, not %q", i, s.Data, want)
		}
		if s.Writer != w.GUID() || s.Sequence != uint64(i+1) {
			t.Fatalf("sample %d is number %d of %v, not %d of %v", i, s.Sequence, s.Writer, i+1, w.GUID())
		}
		if s.SourceTime.Before(start.Add(-time.Second)) || s.SourceTime.After(time.Now().Add(time.Second)) {
			t.Fatalf("sample %d was written at %v, not between %v and now", i, s.SourceTime, start)
		}
	}
	in.nothing(t)
	if got := in.Stats(); got.Samples != count || got.Lost != 0 || got.Missed != 0 {
		t.Errorf("the reader counts %+v", got)
	}
	if got := w.Stats().Samples; got != count {
		t.Errorf("the writer counts %d", got)
	}
}

func bestEffort(t *testing.T, a, b Side) {
	for _, offered := range []ros.Reliability{ros.Reliable, ros.BestEffort} {
		e := channel(ros.QoS{Reliability: offered})
		w := newWriter(t, a.Open(t), e)
		e.QoS.Reliability = ros.BestEffort
		in := newInbox(t, b.Open(t), e)
		waitMatch(t, 1, w, in)
		write(t, w, text("hello"))
		if s := in.next(t); !bytes.Equal(s.Data, text("hello")) || s.Sequence != 1 {
			t.Errorf("%v: received %q, number %d", offered, s.Data, s.Sequence)
		}
	}
}

func incompatible(t *testing.T, a, b Side) {
	tests := []struct {
		policy             string
		offered, requested ros.QoS
	}{
		{"reliability", ros.QoS{Reliability: ros.BestEffort}, ros.QoS{}},
		{"durability", ros.QoS{}, ros.QoS{Durability: ros.TransientLocal}},
		{"deadline", ros.QoS{Deadline: time.Hour}, ros.QoS{Deadline: time.Minute}},
		{"liveliness", ros.QoS{Lease: time.Hour}, ros.QoS{Lease: time.Minute}},
		{"liveliness", ros.QoS{}, ros.QoS{Lease: time.Minute}},
	}
	pa, pb := a.Open(t), b.Open(t)
	for _, test := range tests {
		e := channel(test.offered)
		w := newWriter(t, pa, e)
		e.QoS = test.requested
		in := newInbox(t, pb, e)
		deadline := time.Now().Add(patience)
		for w.Stats().Incompatible == 0 || in.Stats().Incompatible == 0 {
			if time.Now().After(deadline) {
				t.Fatalf("%s: the counters stay at %+v, %+v", test.policy, w.Stats(), in.Stats())
			}
			time.Sleep(time.Millisecond)
		}
		if p, q := w.Stats().IncompatiblePolicy, in.Stats().IncompatiblePolicy; p != test.policy || q != test.policy {
			t.Errorf("%s: reported as %q and %q", test.policy, p, q)
		}
		if len(w.Matches())+len(in.Matches()) != 0 {
			t.Errorf("%s: they match nonetheless", test.policy)
		}
	}
}

func otherTopics(t *testing.T, a, b Side) {
	pa, pb := a.Open(t), b.Open(t)
	e := channel(ros.QoS{})
	w := newWriter(t, pa, e)
	other := e
	other.Type = "test_msgs::msg::dds_::Other_"
	wrongType := newInbox(t, b.Open(t), other) // a participant may be bound to one type
	other = e
	other.Topic += "x"
	wrongTopic := newInbox(t, pb, other)
	right := newInbox(t, pb, e)
	waitMatch(t, 1, w, right)
	write(t, w, text("hello"))
	right.next(t)
	wrongType.nothing(t)
	wrongTopic.nothing(t)
}

func transientLocal(t *testing.T, a, b Side) {
	e := channel(ros.QoS{Durability: ros.TransientLocal, Depth: 3})
	w := newWriter(t, a.Open(t), e)
	for i := range 5 {
		write(t, w, text("%d", i))
	}
	e.QoS.Depth = 10
	in := newInbox(t, b.Open(t), e)
	for _, want := range []string{"2", "3", "4"} {
		if s := in.next(t); !bytes.Equal(s.Data, text("%s", want)) {
			t.Fatalf("received %q, not %q", s.Data[4:], want)
		}
	}
	write(t, w, text("5"))
	if s := in.next(t); !bytes.Equal(s.Data, text("5")) {
		t.Fatalf("received %q, not 5", s.Data[4:])
	}
	in.nothing(t)
}

func volatileLate(t *testing.T, a, b Side) {
	e := channel(ros.QoS{Durability: ros.TransientLocal})
	w := newWriter(t, a.Open(t), e)
	write(t, w, text("early"))
	e.QoS.Durability = ros.Volatile
	in := newInbox(t, b.Open(t), e)
	waitMatch(t, 1, w, in)
	in.nothing(t)
	write(t, w, text("late"))
	if s := in.next(t); !bytes.Equal(s.Data, text("late")) {
		t.Errorf("received %q", s.Data)
	}
}

func keepLast(t *testing.T, a, b Side) {
	e := channel(ros.QoS{Depth: 20})
	w := newWriter(t, a.Open(t), e)
	p := b.Open(t)
	entered, proceed := make(chan struct{}), make(chan struct{})
	samples := make(chan ros.Sample, 20)
	slow := e
	slow.QoS.Depth = 2
	r, err := p.NewReader(slow, func(s ros.Sample) {
		if s.Sequence == 1 {
			close(entered)
			<-proceed
		}
		samples <- s
	})
	if err != nil {
		t.Fatal(err)
	}
	fast := newInbox(t, p, e)
	waitMatch(t, 2, w)
	waitMatch(t, 1, r, fast)
	write(t, w, text("1"))
	select {
	case <-entered:
	case <-time.After(patience):
		t.Fatal("the slow reader did not receive number 1")
	}
	for i := 2; i <= 10; i++ {
		write(t, w, text("%d", i))
	}
	for range 10 {
		fast.next(t)
	}
	time.Sleep(50 * time.Millisecond) // the slow reader's history is filled beside the fast one's
	close(proceed)
	for _, want := range []uint64{1, 9, 10} {
		select {
		case s := <-samples:
			if s.Sequence != want {
				t.Fatalf("received number %d, not %d", s.Sequence, want)
			}
		case <-time.After(patience):
			t.Fatalf("number %d did not arrive", want)
		}
	}
	if got := r.Stats(); got.Samples != 3 || got.Missed != 7 {
		t.Errorf("the slow reader counts %+v", got)
	}
	if got := fast.Stats(); got.Samples != 10 || got.Missed != 0 {
		t.Errorf("the fast reader counts %+v", got)
	}
}

func lifespan(t *testing.T, a, b Side) {
	e := channel(ros.QoS{Durability: ros.TransientLocal, Lifespan: 100 * time.Millisecond})
	w := newWriter(t, a.Open(t), e)
	write(t, w, text("old"))
	time.Sleep(300 * time.Millisecond)
	e.QoS.Lifespan = 0
	in := newInbox(t, b.Open(t), e)
	waitMatch(t, 1, w, in)
	// A single sample may expire in transit; of many some arrive.
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); {
		write(t, w, text("new"))
		select {
		case s := <-in.samples:
			if !bytes.Equal(s.Data, text("new")) {
				t.Errorf("received %q", s.Data)
			}
			return
		case <-time.After(10 * time.Millisecond):
		}
	}
	t.Error("no sample arrived")
}

func lengths(t *testing.T, a, b Side) {
	e := channel(ros.QoS{Depth: ros.KeepAll})
	w := newWriter(t, a.Open(t), e)
	in := newInbox(t, b.Open(t), e)
	waitMatch(t, 1, w, in)
	for n := range 33 {
		data := append([]byte{0, 1, 0, 0}, bytes.Repeat([]byte{0xa5}, n)...)
		write(t, w, data)
		if s := in.next(t); !bytes.Equal(s.Data, data) {
			t.Errorf("a body of %d bytes arrives as % x", n, s.Data)
		}
	}
}

func largeSamples(t *testing.T, a, b Side) {
	e := channel(ros.QoS{})
	w := newWriter(t, a.Open(t), e)
	in := newInbox(t, b.Open(t), e)
	waitMatch(t, 1, w, in)
	random := rand.NewChaCha8([32]byte{1})
	for _, size := range []int{60_000, 65_531, 70_001, 1 << 20, 5<<20 + 3} {
		if a.Largest > 0 && size > a.Largest {
			break
		}
		data := make([]byte, size)
		random.Read(data)
		copy(data, []byte{0, 1, 0, 0})
		write(t, w, data)
		if s := in.next(t); !bytes.Equal(s.Data, data) {
			t.Errorf("a message of %d bytes arrives as another one, of %d bytes", size, len(s.Data))
		}
	}
}

func concurrentWriters(t *testing.T, a, b Side) {
	e := channel(ros.QoS{Depth: ros.KeepAll})
	w := newWriter(t, a.Open(t), e)
	in := newInbox(t, b.Open(t), e)
	waitMatch(t, 1, w, in)
	const goroutines, each = 4, 100
	var wg sync.WaitGroup
	for g := range goroutines {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range each {
				if err := w.Write(text("%d %d", g, i)); err != nil {
					t.Error(err)
				}
			}
		}()
	}
	wg.Wait()
	next := make([]int, goroutines)
	for range goroutines * each {
		s := in.next(t)
		var g, i int
		if _, err := fmt.Sscanf(string(s.Data[4:]), "%d %d", &g, &i); err != nil {
			t.Fatal(err)
		}
		if i != next[g] {
			t.Fatalf("goroutine %d: sample %d arrives where %d is due", g, i, next[g])
		}
		next[g]++
	}
}

func matches(t *testing.T, a, b Side) {
	pa, pb := a.Open(t), b.Open(t)
	e := channel(ros.QoS{})
	e.UserData = "role=writer;"
	w := newWriter(t, pa, e)
	e.UserData = "role=reader;"
	first, second := newInbox(t, pb, e), newInbox(t, pb, e)
	waitMatch(t, 2, w)
	waitMatch(t, 1, first, second)
	if m := first.Matches(); len(m) != 1 || m[0].GUID != w.GUID() || m[0].UserData != "role=writer;" {
		t.Errorf("the reader matches %+v, not %v", m, w.GUID())
	}
	found := map[ros.GUID]string{}
	for _, m := range w.Matches() {
		found[m.GUID] = m.UserData
	}
	if len(found) != 2 || found[first.GUID()] != "role=reader;" || found[second.GUID()] != "role=reader;" {
		t.Errorf("the writer matches %v", found)
	}
	if !w.GUID().SameParticipant(pa.GUID()) || w.GUID().SameParticipant(pb.GUID()) || !first.GUID().SameParticipant(pb.GUID()) {
		t.Error("the ids do not tell the participants apart")
	}
	first.Close()
	waitMatch(t, 1, w)
	pb.Close()
	waitMatch(t, 0, w)
}

func waitEnds(t *testing.T, a, _ Side) {
	w := newWriter(t, a.Open(t), channel(ros.QoS{}))
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if err := ros.WaitForMatch(ctx, w, 1); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("without a peer: %v", err)
	}
	ended := make(chan error)
	go func() { ended <- ros.WaitForMatch(context.Background(), w, 1) }()
	time.Sleep(10 * time.Millisecond)
	w.Close()
	select {
	case err := <-ended:
		if !errors.Is(err, ros.ErrClosed) {
			t.Errorf("after Close: %v", err)
		}
	case <-time.After(patience):
		t.Error("Close leaves the waiting call behind")
	}
}

func ignoreLocal(t *testing.T, a, b Side) {
	pa := a.Open(t)
	e := channel(ros.QoS{})
	own, foreign := newWriter(t, pa, e), newWriter(t, b.Open(t), e)
	all := newInbox(t, pa, e)
	e.IgnoreLocal = true
	in := newInbox(t, pa, e)
	waitMatch(t, 2, all)
	waitMatch(t, 2, foreign)
	write(t, own, text("own"))
	write(t, foreign, text("foreign"))
	if s := in.next(t); !bytes.Equal(s.Data, text("foreign")) {
		t.Errorf("received %q", s.Data)
	}
	in.nothing(t)
	all.next(t)
	all.next(t)
}

// Samples that Admit refuses are neither received nor missed.
func refusal(t *testing.T, a, b Side) {
	e := channel(ros.QoS{Depth: 100})
	pb := b.Open(t)
	welcome, unwelcome := newWriter(t, pb, e), newWriter(t, pb, e)
	e.Admit = func(writer ros.GUID) bool { return writer == welcome.GUID() }
	in := newInbox(t, a.Open(t), e)
	waitMatch(t, 2, in)
	waitMatch(t, 1, welcome, unwelcome)
	for i := range 10 {
		write(t, unwelcome, text("unwelcome %d", i))
		write(t, welcome, text("welcome %d", i))
	}
	for i := range 10 {
		if s := in.next(t); !bytes.Equal(s.Data, text("welcome %d", i)) {
			t.Errorf("received %q", s.Data)
		}
	}
	in.nothing(t)
	if s := in.Stats(); s.Samples != 10 || s.Refused != 10 || s.Missed != 0 {
		t.Errorf("the counters are %+v", s)
	}
}

func afterClose(t *testing.T, a, b Side) {
	pa, pb := a.Open(t), b.Open(t)
	e := channel(ros.QoS{Depth: ros.KeepAll})
	w := newWriter(t, pa, e)
	var mu sync.Mutex
	open := true
	r, err := pb.NewReader(e, func(ros.Sample) {
		mu.Lock()
		defer mu.Unlock()
		if !open {
			t.Error("the receiver is called after Close")
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	waitMatch(t, 1, w)
	for range 200 {
		write(t, w, text("x"))
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	mu.Lock()
	open = false
	mu.Unlock()
	if err := r.Close(); err != nil {
		t.Errorf("closing twice: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	if err := w.Write(text("x")); !errors.Is(err, ros.ErrClosed) {
		t.Errorf("writing after Close: %v", err)
	}
	if err := pa.Close(); err != nil {
		t.Error(err)
	}
	if err := pa.Close(); err != nil {
		t.Errorf("closing the participant twice: %v", err)
	}
	if _, err := pa.NewWriter(e); !errors.Is(err, ros.ErrClosed) {
		t.Errorf("NewWriter after Close: %v", err)
	}
	if _, err := pa.NewReader(e, func(ros.Sample) {}); !errors.Is(err, ros.ErrClosed) {
		t.Errorf("NewReader after Close: %v", err)
	}
	if _, err := pa.Discovered(); !errors.Is(err, ros.ErrClosed) {
		t.Errorf("Discovered after Close: %v", err)
	}
	if _, err := pa.WritersOn(e.Topic); !errors.Is(err, ros.ErrClosed) {
		t.Errorf("WritersOn after Close: %v", err)
	}
}

func discovered(t *testing.T, a, b Side) {
	pa, pb := a.Open(t), b.Open(t)
	e := channel(ros.QoS{Durability: ros.TransientLocal, Lifespan: time.Hour, Deadline: time.Minute, Lease: time.Second})
	e.UserData = "typehash=x;"
	w := newWriter(t, pa, e)
	e.QoS = ros.QoS{Reliability: ros.BestEffort}
	e.UserData = ""
	in := newInbox(t, pb, e)
	waitMatch(t, 1, w, in)
	for _, p := range []ros.Participant{pa, pb} {
		d, err := p.Discovered()
		if err != nil {
			t.Fatal(err)
		}
		enclaves := map[ros.GUID]string{}
		for _, q := range d.Participants {
			enclaves[q.GUID] = q.UserData
		}
		for _, q := range []ros.Participant{pa, pb} {
			if enclaves[q.GUID()] != "enclave=/test;" {
				t.Errorf("participant %v is discovered with user data %q", q.GUID(), enclaves[q.GUID()])
			}
		}
		checkDiscovered(t, d.Writers, ros.DiscoveredEndpoint{
			GUID: w.GUID(), Participant: pa.GUID(), Topic: e.Topic, Type: e.Type, UserData: "typehash=x;",
			QoS: ros.QoS{Durability: ros.TransientLocal, Lifespan: time.Hour, Deadline: time.Minute, Lease: time.Second},
		})
		checkDiscovered(t, d.Readers, ros.DiscoveredEndpoint{
			GUID: in.GUID(), Participant: pb.GUID(), Topic: e.Topic, Type: e.Type,
			QoS: ros.QoS{Reliability: ros.BestEffort},
		})
		on, err := p.WritersOn("rt/other", e.Topic)
		if err != nil || len(on) != 1 {
			t.Errorf("%d writers on the topic, %v", len(on), err)
		}
		checkDiscovered(t, on, d.Writers[slices.IndexFunc(d.Writers, func(d ros.DiscoveredEndpoint) bool { return d.GUID == w.GUID() })])
		for _, topics := range [][]string{nil, {"rt/other"}} {
			if on, err := p.WritersOn(topics...); err != nil || len(on) != 0 {
				t.Errorf("%d writers on %q, %v", len(on), topics, err)
			}
		}
	}
}

// manyWriters has more writers than an adapter expects, and queries them as they come and go.
func manyWriters(t *testing.T, a, b Side) {
	pa, pb := a.Open(t), b.Open(t)
	e := channel(ros.QoS{})
	other := e
	other.Topic += "_other"
	newWriter(t, pb, other)
	var there []ros.Writer
	look := func() {
		t.Helper()
		deadline := time.Now().Add(patience)
		for {
			on, err := pa.WritersOn(e.Topic)
			if err != nil {
				t.Fatal(err)
			}
			missing := slices.ContainsFunc(there, func(w ros.Writer) bool {
				return !slices.ContainsFunc(on, func(d ros.DiscoveredEndpoint) bool { return d.GUID == w.GUID() && d.Topic == e.Topic })
			})
			if len(on) == len(there) && !missing {
				return
			}
			if time.Now().After(deadline) {
				t.Fatalf("%d writers are found, want %d", len(on), len(there))
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
	look()
	for _, more := range []int{1, 63, 1, 100, 50} {
		for range more {
			there = append(there, newWriter(t, pb, e))
			if len(there)%40 == 0 {
				look()
			}
		}
		look()
		for range more / 2 {
			if err := there[0].Close(); err != nil {
				t.Fatal(err)
			}
			there = there[1:]
		}
		look()
	}
	if on, err := pa.WritersOn(other.Topic); err != nil || len(on) != 1 {
		t.Errorf("%d writers on a topic asked for later, %v", len(on), err)
	}
	look()
}

func checkDiscovered(t *testing.T, found []ros.DiscoveredEndpoint, want ros.DiscoveredEndpoint) {
	t.Helper()
	for _, e := range found {
		if e.GUID == want.GUID {
			if e != want {
				t.Errorf("discovered %+v, not %+v", e, want)
			}
			return
		}
	}
	t.Errorf("%v is not discovered", want.GUID)
}
