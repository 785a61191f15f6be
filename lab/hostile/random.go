//go:build linux

package main

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"
)

// random attacks by pauses, deaths, offsets, duplicates and bursts of one to three
// publishers, in an order that the seed decides, and fails where a state was not true.
func random(s settings, length time.Duration) error {
	if s.seed == 0 {
		s.seed = uint64(time.Now().UnixNano())
	}
	if length == 0 {
		length = time.Minute
	}
	fmt.Printf("seed %d, %v, joint_state_timeout %v\n", s.seed, length, s.timeout)
	s.each, s.lenient = length, true // it is about truth: the report tells of gaps
	r, c := campaignOf(s)
	fmt.Println()
	fmt.Print(header)
	r.row(os.Stdout)
	r.rest(os.Stdout)
	if c != nil {
		c.summary(r)
	}
	if len(r.faults) > 0 {
		return fmt.Errorf("%w: seed %d: %s", errFaults, s.seed, strings.Join(r.faults, "; "))
	}
	return nil
}

// campaignOf makes the random attack of a seed; the campaign is nil where it did not begin.
func campaignOf(s settings) (*result, *campaign) {
	a := &attack{name: fmt.Sprintf("random, seed %d", s.seed), about: "pauses, deaths, offsets, duplicates and bursts of one to three publishers", lossy: true, doubtful: true}
	var c *campaign
	a.act = func(ctx context.Context, f *field) error {
		c = &campaign{field: f, dice: rand.New(rand.NewPCG(s.seed, 0)), counts: map[string]int{}}
		go c.report(ctx)
		return c.run(ctx)
	}
	r := run(s, a)
	return r, c
}

// campaign is a random attack.
type campaign struct {
	*field
	dice   *rand.Rand
	counts map[string]int

	live []*publisher
}

func (c *campaign) run(ctx context.Context) error {
	c.live = slices.Clone(c.publishers)
	for ctx.Err() == nil {
		if err := c.event(ctx); err != nil {
			return err
		}
		sleep(ctx, c.between(0.1, 10))
	}
	return nil
}

// between draws a time between so many timeouts, evenly in its logarithm.
func (c *campaign) between(lo, hi float64) time.Duration {
	return time.Duration(lo * math.Pow(hi/lo, c.dice.Float64()) * float64(c.timeout))
}

func (c *campaign) one() *publisher { return c.live[c.dice.IntN(len(c.live))] }

// event is one random attack. Where no publisher lives, or the dice say so, one is started.
func (c *campaign) event(ctx context.Context) error {
	const most = 3
	what := c.dice.IntN(100)
	switch {
	case len(c.live) == 0 || what < 12 && len(c.live) < most:
		o := c.draw()
		c.did("start", "publisher %d: %s", c.numbers, o)
		p, err := c.publish(o)
		c.live = append(c.live, p)
		return err
	case what < 20:
		p := c.one()
		c.did("kill", "publisher %d", p.number)
		c.drop(p)
	case what < 50:
		p, o := c.one(), c.draw()
		c.did("order", "publisher %d: %s", p.number, o)
		return p.order(o)
	case what < 65:
		d := c.between(0.05, 20)
		c.did("node stopped", "for %v", d)
		c.pauseNode(ctx, d)
	case what < 80:
		p, d := c.one(), c.between(0.05, 20)
		c.did("publisher stopped", "%d for %v", p.number, d)
		p.signal(syscall.SIGSTOP)
		sleep(ctx, d)
		p.signal(syscall.SIGCONT)
	case what < 88:
		p, o := c.one(), c.draw()
		o.Burst = 10 + c.dice.IntN(500)
		c.did("burst", "publisher %d: %s", p.number, o)
		return p.order(o)
	default:
		p, d := c.one(), c.between(0.1, 20)
		c.did("node stopped, publisher killed", "%d, for %v", p.number, d)
		resumed := c.judge.paused()
		begin := time.Now()
		c.node.signal(syscall.SIGSTOP)
		sleep(ctx, c.between(0.05, 1))
		c.drop(p)
		sleep(ctx, d)
		c.watch.rest(time.Since(begin))
		c.node.signal(syscall.SIGCONT)
		resumed()
	}
	return nil
}

func (c *campaign) drop(p *publisher) {
	p.kill()
	c.live = slices.DeleteFunc(c.live, func(x *publisher) bool { return x == p })
}

// draw draws what a publisher does: mostly it tells the truth.
func (c *campaign) draw() order {
	pick := func(of ...string) string { return of[c.dice.IntN(len(of))] }
	chance := func(p float64) bool { return c.dice.Float64() < p }
	o := order{
		Rate: []float64{50, 100, 100, 200, 500, 1000}[c.dice.IntN(6)],
		Path: pick("truth", "truth", "truth", "free", "contact"),
		Bare: chance(0.25),
	}
	if chance(0.6) {
		o.Offset = time.Duration((2*c.dice.Float64() - 1) * 1.2 * float64(c.timeout))
	}
	if chance(0.1) {
		o.Back = time.Duration(c.dice.Float64() * float64(c.timeout))
	}
	o.Break = chance(0.1)
	if chance(0.15) {
		o.Joints = pick("a", "b")
	}
	if chance(0.05) {
		o.Odd = pick("nan", "inf", "huge", "short", "long", "twice")
	}
	if chance(0.1) {
		o.Stagger = c.timeout
	}
	return o
}

// String tells what is out of the ordinary.
func (o order) String() string {
	words := []string{o.Path, fmt.Sprintf("%g Hz", o.Rate)}
	add := func(is bool, format string, args ...any) {
		if is {
			words = append(words, fmt.Sprintf(format, args...))
		}
	}
	add(o.Offset != 0, "offset %.1f ms", ms(o.Offset))
	add(o.Bare, "no stamps")
	add(o.Back != 0, "back %.1f ms", ms(o.Back))
	add(o.Break, "breaking")
	add(o.Joints != "", "joint %s", o.Joints)
	add(o.Odd != "", "odd: %s", o.Odd)
	add(o.Stagger != 0, "wandering")
	add(o.Burst != 0, "%d at once", o.Burst)
	return strings.Join(words, ", ")
}

func (c *campaign) did(kind, format string, args ...any) {
	c.counts[kind]++
	what := fmt.Sprintf("%s %s: %s", clock(time.Now().UnixNano()), kind, fmt.Sprintf(format, args...))
	c.judge.happened(what)
	if c.verbose {
		fmt.Println(what)
	}
}

// report tells once a minute how it goes.
func (c *campaign) report(ctx context.Context) {
	begin := time.Now()
	for {
		sleep(ctx, time.Minute)
		if ctx.Err() != nil {
			return
		}
		c.judge.mu.Lock()
		j := c.judge
		fmt.Printf("%5.1f min: %d states judged, %d stale, %d contradicted, %d baseless, %d in flight; RSS %.1f MB\n",
			time.Since(begin).Minutes(), j.judged, j.stale, j.against, j.baseless, j.inFlight, float64(c.node.gauge.read().RSS)/1000)
		c.judge.mu.Unlock()
	}
}

func (c *campaign) summary(r *result) {
	fmt.Printf("\n%d messages of %d publishers; %d states FREE, WARN or STOP were judged\n", c.ledger.written, c.numbers, c.judge.judged)
	for _, kind := range slices.Sorted(maps.Keys(c.counts)) {
		fmt.Printf("%6d  %s\n", c.counts[kind], kind)
	}
	fmt.Printf("%d stale, %d contradicted, %d baseless; %d decided before a pause of the node and sent after it, %d late and taken back within 5 ms, %d made graver by older data\n",
		r.wrong[0], r.wrong[1], r.wrong[2], c.judge.inFlight, c.judge.takenBack, c.judge.graver)
}
