//go:build linux

package main

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// order is what a publisher of joint states is to do.
type order struct {
	Rate    float64       // Hz; 0: nothing
	Path    string        // truth (default), free, contact
	Offset  time.Duration // of its clock
	Bare    bool          // no stamps
	Joints  string        // ab (default), a or b
	Burst   int           // messages at once before it goes on
	Odd     string        // nan, inf, huge, short, long, twice: what every message has wrong
	Break   bool          // a message that breaks the chain before each
	Back    time.Duration // every tenth message is stamped earlier by so much
	Stagger time.Duration // the offset goes from -Stagger to Stagger and again, in 2 s
}

// note is what a publisher's process tells of a message, before and after it is written.
type note struct {
	After         uint8 // 1: it has been written
	Odd           uint8
	Number        uint64
	Before, Ended int64 // of the call that writes
	Stamp         int64
	Q             [2]float64
}

// publisher is a process that publishes joint states.
type publisher struct {
	number int
	cmd    *exec.Cmd
	orders io.WriteCloser
	done   chan struct{} // closed when all that it told has been read
	ended  sync.Once

	mu sync.Mutex // of orders
}

// startPublisher starts a publisher that tells the ledger of all it writes.
func startPublisher(g graph, l *ledger, number int, o order) (*publisher, error) {
	cmd, err := g.child("publisher", strconv.Itoa(number))
	if err != nil {
		return nil, err
	}
	p := &publisher{number: number, cmd: cmd, done: make(chan struct{})}
	if p.orders, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd.Stdout = write
	_, err = startBound(cmd)
	write.Close()
	if err != nil {
		return nil, err
	}
	go func() {
		defer close(p.done)
		defer read.Close()
		p.read(read, l)
	}()
	return p, p.order(o)
}

// startBound starts a process and waits for it on one thread: a child with a death signal
// dies with the thread that started it. The channel yields what Wait returned.
func startBound(cmd *exec.Cmd) (<-chan error, error) {
	started, ended := make(chan error), make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			ended <- cmd.Wait()
		}
	}()
	return ended, <-started
}

func (p *publisher) read(out io.Reader, l *ledger) {
	in := bufio.NewReader(out)
	open := map[uint64]*sample{}
	for {
		var n note
		if binary.Read(in, binary.LittleEndian, &n) != nil {
			return
		}
		if n.After == 0 {
			s := &sample{publisher: p.number, before: n.Before, stamp: n.Stamp, q: n.Q, odd: n.Odd == 1}
			open[n.Number] = s
			l.intend(s)
		} else if s := open[n.Number]; s != nil {
			l.confirm(s, n.Before, n.Ended)
			delete(open, n.Number)
		}
	}
}

// order tells the publisher what to do from now on.
func (p *publisher) order(o order) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return json.NewEncoder(p.orders).Encode(o)
}

func (p *publisher) signal(s syscall.Signal) { _ = p.cmd.Process.Signal(s) }

// kill ends the process at once, wherever it is.
func (p *publisher) kill() {
	p.ended.Do(func() {
		p.signal(syscall.SIGKILL)
		p.orders.Close()
		<-p.done
	})
}

// bePublisher is the process: it reads orders and follows the last.
func bePublisher(number string) error {
	own, err := strconv.Atoi(number)
	if err != nil {
		return err
	}
	n, err := joinInherited("robot_" + number)
	if err != nil {
		return err
	}
	defer n.Close()
	w := &writer{own: uint64(own), out: bufio.NewWriter(os.Stdout)}
	if w.publisher, err = ros.Advertise[sensormsgs.JointState](n, "joint_states", ros.QoS{}); err != nil {
		return err
	}
	orders := make(chan order)
	go func() {
		defer close(orders)
		for in := json.NewDecoder(os.Stdin); ; {
			var o order
			if in.Decode(&o) != nil {
				return
			}
			orders <- o
		}
	}()
	return w.follow(orders)
}

type writer struct {
	own, number uint64
	out         *bufio.Writer
	publisher   *ros.Publisher[sensormsgs.JointState]
	lastStamp   int64
}

// follow publishes until the orders end. After a stop of the process it does not catch up.
func (w *writer) follow(orders <-chan order) error {
	var o order
	var next time.Time
	for {
		wait := time.Hour
		if o.Rate > 0 {
			wait = time.Until(next)
		}
		timer := time.NewTimer(wait)
		select {
		case got, open := <-orders:
			timer.Stop()
			if !open {
				return nil
			}
			o, next = got, time.Now()
			for range o.Burst {
				if err := w.write(o); err != nil {
					return err
				}
			}
			continue
		case <-timer.C:
		}
		if o.Rate <= 0 {
			continue
		}
		if err := w.write(o); err != nil {
			return err
		}
		period := time.Duration(float64(time.Second) / o.Rate)
		if next = next.Add(period); time.Since(next) > 0 {
			next = time.Now()
		}
	}
}

func (w *writer) write(o order) error {
	if o.Break {
		if err := w.send(o, "nan"); err != nil {
			return err
		}
	}
	return w.send(o, o.Odd)
}

// send writes one message, and tells of it before and after.
func (w *writer) send(o order, odd string) error {
	w.number++
	now := time.Now()
	q := w.positions(o, now)
	m := &sensormsgs.JointState{}
	for j, name := range []string{"a", "b"} {
		if !math.IsNaN(q[j]) {
			m.Name, m.Position = append(m.Name, name), append(m.Position, q[j])
		}
	}
	n := note{Number: w.number, Before: now.UnixNano(), Q: q}
	if !o.Bare {
		n.Stamp = w.stamp(o, now)
		m.Header.Stamp = builtininterfaces.TimeOf(time.Unix(0, n.Stamp))
	}
	if odd != "" {
		n.Odd = 1
		spoil(m, odd)
	}
	if err := w.tell(n); err != nil {
		return err
	}
	n.Before = time.Now().UnixNano()
	if err := w.publisher.Publish(m); err != nil && !errors.Is(err, ros.ErrWriteTimeout) {
		return err
	}
	n.After, n.Ended = 1, time.Now().UnixNano()
	return w.tell(n)
}

// tell writes a note at once: this process may be killed at any moment.
func (w *writer) tell(n note) error {
	if err := binary.Write(w.out, binary.LittleEndian, n); err != nil {
		return err
	}
	return w.out.Flush()
}

// stamp is unlike every other of this publisher.
func (w *writer) stamp(o order, now time.Time) int64 {
	at := now.Add(o.Offset)
	if o.Stagger > 0 {
		const period = 2 * time.Second
		at = at.Add(time.Duration((2*float64(now.UnixNano()%int64(period))/float64(period) - 1) * float64(o.Stagger)))
	}
	if o.Back > 0 && w.number%10 == 0 {
		at = at.Add(-o.Back)
	}
	stamp := at.UnixNano()/16*16 + int64(w.own%16) // no two publishers share one
	if stamp == w.lastStamp {
		stamp += 16
	}
	w.lastStamp = stamp
	return stamp
}

// positions are where the publisher says that the robot is.
func (w *writer) positions(o order, now time.Time) [2]float64 {
	var a, b float64
	switch o.Path {
	case "free":
		a, b = 0.2, 0.1
	case "contact":
		a, b = 1.05, 0.1
	default:
		a, b = truth(now)
	}
	number := w.number*16 + w.own%16
	q := [2]float64{marked(a, number), marked(b, number)}
	switch o.Joints {
	case "a":
		q[1] = math.NaN()
	case "b":
		q[0] = math.NaN()
	}
	return q
}

// spoil makes a message one that no configuration can be read from.
func spoil(m *sensormsgs.JointState, odd string) {
	switch odd {
	case "nan":
		m.Position[0] = math.NaN()
	case "inf":
		m.Position[0] = math.Inf(1)
	case "huge":
		m.Position[0] = 1e300
	case "short":
		m.Position = m.Position[:len(m.Position)-1]
	case "long":
		m.Position = append(m.Position, 0)
	case "twice":
		m.Name, m.Position = append(m.Name, m.Name[0]), append(m.Position, 0)
	default:
		panic(fmt.Sprintf("nothing is odd in the way of %q", odd))
	}
}
