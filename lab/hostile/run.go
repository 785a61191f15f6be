//go:build linux

package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
)

// result is what one attack came to.
type result struct {
	attack *attack
	lasted time.Duration
	states float64       // a second, without pauses of the node
	gap    time.Duration // the largest between two states
	levels [5]int
	wrong  [3]int // stale, contradicted, baseless
	flew   int
	oldest time.Duration // the oldest data that a state FREE, WARN or STOP rested on
	use    reading
	log    int

	asked, inTime, undecided, misjudged int
	slowest                             time.Duration

	faults []string // what must not be
	notes  []string
}

// run makes one attack.
func run(s settings, a *attack) *result {
	r := &result{attack: a}
	if a.alone != nil {
		a.alone(s, r)
		return r
	}
	f, err := open(s, a)
	if err != nil {
		r.faults = append(r.faults, err.Error())
		return r
	}
	err = f.attack(a, r)
	if err != nil {
		r.faults = append(r.faults, err.Error())
	}
	if err := f.close(); err != nil && len(r.faults) == 0 {
		r.faults = append(r.faults, err.Error())
	}
	r.collect(f)
	return r
}

func (f *field) attack(a *attack, r *result) error {
	if err := f.begin(a); err != nil {
		return err
	}
	probing, stopProbing := context.WithCancel(context.Background())
	probed := make(chan struct{})
	go func() {
		f.probe.run(probing)
		close(probed)
	}()
	f.watch.start()
	began := time.Now()
	err := f.make(a)
	states, gap := f.watch.stop()
	r.lasted = time.Since(began)
	if up := r.lasted - f.judge.stopped(); up > 0 {
		r.states = float64(states) / up.Seconds()
	}
	r.gap = gap
	stopProbing()
	if !f.node.ended() {
		<-probed
	}
	if err == nil && a.end != nil {
		f.asked = true
		err = a.end(f)
	}
	if f.stranger != nil {
		if told := f.stranger.end(); told != "" {
			f.notes = append(f.notes, strings.Split(told, "\n")...)
		}
	}
	return err
}

// begin brings the field to where an attack can begin: the node knows where the robot is.
func (f *field) begin(a *attack) error {
	if a.setup != nil {
		if err := a.setup(f); err != nil {
			return err
		}
	}
	robot := a.robot
	if robot == nil {
		robot = &honest
	}
	if _, err := f.publish(*robot); err != nil {
		return err
	}
	if a.withoutModel && a.setup == nil {
		sleep(context.Background(), time.Second)
		return nil
	}
	if err := f.wait("it has a model", f.watch.loaded); err != nil {
		return err
	}
	if err := f.wait("it knows where the robot is", f.watch.known); err != nil {
		return err
	}
	if a.ready != nil {
		return a.ready(f)
	}
	return nil
}

// make lets the attack go on for its time, or until the node ends.
func (f *field) make(a *attack) error {
	ctx, cancel := context.WithTimeout(context.Background(), f.each)
	defer cancel()
	go func() {
		select {
		case <-f.node.done:
			cancel()
		case <-ctx.Done():
		}
	}()
	if a.flood != nil {
		var err error
		if f.stranger, err = startStranger(f.graph, a.name); err != nil {
			return err
		}
	}
	if a.act != nil {
		if err := a.act(ctx, f); err != nil {
			return err
		}
	}
	<-ctx.Done()
	f.node.signal(syscall.SIGCONT)
	if f.node.ended() {
		return fmt.Errorf("the node ended during the attack, with status %d: %s", f.node.status(), strings.Join(f.node.log.tail(), " | "))
	}
	return nil
}

func (r *result) collect(f *field) {
	j, p := f.judge, f.probe
	j.mu.Lock()
	defer j.mu.Unlock()
	r.levels, r.flew, r.oldest = j.levels, j.inFlight+j.takenBack, j.oldest
	r.wrong = [3]int{j.stale, j.against, j.baseless}
	use, killed := f.node.gauge.most()
	r.use = use
	written, forged, control := f.node.log.counts()
	r.log = written
	p.mu.Lock()
	r.asked, r.inTime, r.undecided, r.misjudged, r.slowest = p.asked, p.inTime, p.undecided, p.wrong, p.slowest
	p.mu.Unlock()
	r.notes = append(r.notes, f.notes...)
	r.notes = append(r.notes, j.commonest(3)...)
	if f.verbose {
		r.notes = append(r.notes, append([]string{"the end of its log:"}, f.node.log.tail()...)...)
	}
	if j.wrong() > 0 {
		r.faults = append(r.faults, fmt.Sprintf("%d states were not true", j.wrong()))
		r.notes = append(r.notes, j.examples...)
	}
	if forged > 0 || control > 0 {
		r.faults = append(r.faults, fmt.Sprintf("%d forged lines and %d control characters in the log", forged, control))
	}
	if killed {
		r.faults = append(r.faults, fmt.Sprintf("more than %d MB", f.memory/1000))
	}
	if r.misjudged > 0 {
		r.faults = append(r.faults, fmt.Sprintf("%d normal questions were answered wrongly", r.misjudged))
	}
	r.starved(f.lenient)
	says := j.judged > 0 || r.attack.lossy && j.levels[fcmsgs.CollisionStateCollision] > 0
	if !r.attack.unknown && !says {
		r.faults = append(r.faults, "no state said where the robot is")
	}
}

// What no attack may bring about, on the busiest machine.
const (
	leastStates = 20              // a second
	longestGap  = 1 * time.Second // between states
	mostMemory  = 200_000         // kB
)

// starved notes where the attack starved the node.
func (r *result) starved(lenient bool) {
	if r.lasted == 0 {
		return
	}
	if r.use.Peak > cmp.Or(r.attack.memory, mostMemory) {
		r.faults = append(r.faults, fmt.Sprintf("%d MB", r.use.Peak/1000))
	}
	if lenient {
		return
	}
	if r.states < leastStates {
		r.faults = append(r.faults, fmt.Sprintf("%.1f states a second", r.states))
	}
	if r.gap > longestGap {
		r.faults = append(r.faults, fmt.Sprintf("no state for %.1f s", r.gap.Seconds()))
	}
	if !r.attack.doubtful && 2*r.inTime < r.asked {
		r.faults = append(r.faults, fmt.Sprintf("of %d normal questions %d were answered in time", r.asked, r.inTime))
	}
}

// stopped is for how long the node was stopped.
func (j *judge) stopped() (d time.Duration) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.rested
}

// tail is the last lines.
func (l *log) tail() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.last)
}

// counts tells how many bytes were written, and how many forged lines and control characters
// are among them.
func (l *log) counts() (written, forged, control int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.bytes, l.forged, l.control
}
