//go:build cyclone && cgo

package cyclone_test

import (
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/stdmsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/node/ros/cyclone"
)

// pulseQoS is that of a state at 100 Hz.
var pulseQoS = ros.QoS{
	Durability: ros.TransientLocal, Depth: 1,
	Deadline: 40 * time.Millisecond, Lifespan: 100 * time.Millisecond, Lease: 500 * time.Millisecond,
}

// pulse publishes rising numbers.
func pulse(beat *ros.Publisher[stdmsgs.Float64], period time.Duration) {
	for i := 0; ; i++ {
		if beat.Publish(&stdmsgs.Float64{Data: float64(i)}) != nil {
			return
		}
		time.Sleep(period)
	}
}

// listener hears the pulse of another process.
type listener struct {
	t      *testing.T
	beats  chan time.Time
	events chan event
}

type event struct {
	ros.EndpointStats
	at time.Time
}

func listen(t *testing.T, env ros.Environment, peer string, qos ros.QoS) *listener {
	t.Helper()
	n, err := ros.NewNode(cyclone.Transport{}, ros.Options{Name: "listener", Env: env})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { n.Close() })
	l := &listener{t: t, beats: make(chan time.Time, 100000), events: make(chan event, 100000)}
	_, err = ros.Subscribe(n, "/"+peer+"/pulse", qos,
		func(*stdmsgs.Float64, ros.MessageInfo) { l.beats <- time.Now() },
		ros.OnSilence(func(s ros.EndpointStats) { l.events <- event{s, time.Now()} }))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func (l *listener) beat() time.Time {
	l.t.Helper()
	select {
	case at := <-l.beats:
		return at
	case <-time.After(20 * time.Second):
		l.t.Fatal("no pulse is heard")
	}
	return time.Time{}
}

// event returns how long after begin something was told.
func (l *listener) event(begin time.Time, what string, ok func(ros.EndpointStats) bool) time.Duration {
	l.t.Helper()
	for patience := time.After(20 * time.Second); ; {
		select {
		case e := <-l.events:
			if e.at.After(begin) && ok(e.EndpointStats) {
				return e.at.Sub(begin)
			}
		case <-patience:
			l.t.Fatalf("%s is not told", what)
		}
	}
}

func signalled(t *testing.T, p *os.Process, s syscall.Signal) time.Time {
	t.Helper()
	begin := time.Now()
	if err := p.Signal(s); err != nil {
		t.Fatal(err)
	}
	return begin
}

// TestSilenceOfAProcess stops another process, continues and kills it: who
// listens is told of the missed deadline and of the lost liveliness.
func TestSilenceOfAProcess(t *testing.T) {
	env := ros.Environment{Domain: testDomain, Network: loopback(), Distro: "jazzy"}
	peer, process := startProcess(t, processOptions{Env: env, Pulse: 10 * time.Millisecond})
	l := listen(t, env, peer, pulseQoS)
	missed := func(s ros.EndpointStats) bool { return s.DeadlineMissed > 0 }
	dead := func(s ros.EndpointStats) bool { return s.Alive == 0 }
	alive := func(s ros.EndpointStats) bool { return s.Alive == 1 }
	for range 20 {
		l.beat()
	}

	begin := signalled(t, process, syscall.SIGSTOP)
	late := l.event(begin, "the missed deadline of a stopped process", missed)
	lost := l.event(begin, "the lost liveliness of a stopped process", dead)
	t.Logf("stopped: deadline missed after %v, liveliness lost after %v", late, lost)

	for len(l.beats) > 0 {
		<-l.beats
	}
	begin = signalled(t, process, syscall.SIGCONT)
	again := l.event(begin, "the liveliness of a continued process", alive)
	t.Logf("continued: alive after %v, heard after %v", again, l.beat().Sub(begin))
	for range 20 {
		l.beat()
	}

	begin = signalled(t, process, syscall.SIGKILL)
	late = l.event(begin, "the missed deadline of a killed process", missed)
	lost = l.event(begin, "the lost liveliness of a killed process", dead)
	if late > 10*pulseQoS.Deadline || lost > 3*pulseQoS.Lease {
		t.Errorf("killed: it took %v and %v to tell", late, lost)
	}
	t.Logf("killed: deadline missed after %v, liveliness lost after %v", late, lost)
}

// TestLivelinessWithoutSamples asks that a process that writes nothing for
// longer than its lease stays alive.
func TestLivelinessWithoutSamples(t *testing.T) {
	env := ros.Environment{Domain: testDomain, Network: loopback(), Distro: "jazzy"}
	peer, _ := startProcess(t, processOptions{Env: env, Pulse: time.Hour})
	l := listen(t, env, peer, ros.QoS{Lease: pulseQoS.Lease})
	l.event(time.Time{}, "the process", func(s ros.EndpointStats) bool { return s.Alive == 1 })
	time.Sleep(4 * pulseQoS.Lease)
	for len(l.events) > 0 {
		if e := <-l.events; e.Alive != 1 {
			t.Errorf("the liveliness changes: %+v", e.EndpointStats)
		}
	}
}
