package papers

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/firstcontact-ros/firstcontact/motion"
)

// method is a way to answer a question about a motion.
type method struct {
	name  string
	check func(ctx context.Context, m *motion.Motion, q motion.Query) (motion.Verdict, error)
	// samples says that it looks at some times alone: it finds contacts, proves nothing,
	// and leaves undecided what it does not find.
	samples bool
	ours    bool // it is the default engine
}

// contest is several methods asked the same about the same motions, in turns, so that
// what disturbs one disturbs all alike.
type contest struct {
	methods []method
	motions []*motion.Motion // those that were reached
	answers [][]answer       // by method, by motion
	one     time.Duration    // what a check may take
}

// answer is what a method said of a motion, and how long it computed.
type answer struct {
	verdict motion.Verdict
	time    time.Duration
}

// limits of what an entry may take.
type limits struct {
	all time.Duration // a contest; no further motion is begun after it
	one time.Duration // a check; what takes longer is left undecided
}

func (b *Bench) limits() limits {
	if b.scale == Quick {
		return limits{all: 400 * time.Millisecond, one: 300 * time.Millisecond}
	}
	return limits{all: 14 * time.Second, one: 4 * time.Second}
}

// hold asks every method about every motion, and keeps the median of a few times where
// a check is short. The first motion warms up each method before it counts.
func (b *Bench) hold(motions []*motion.Motion, q motion.Query, methods ...method) (*contest, error) {
	return b.holdWithin(b.limits(), motions, q, methods...)
}

func (b *Bench) holdWithin(l limits, motions []*motion.Motion, q motion.Query, methods ...method) (*contest, error) {
	c := &contest{methods: methods, answers: make([][]answer, len(methods)), one: l.one}
	q.Budget = l.one
	var spent time.Duration
	for i, m := range motions {
		if spent > l.all {
			break
		}
		c.motions = append(c.motions, m)
		for k := range methods {
			if i == 0 {
				if _, _, err := timed(b.ctx, &methods[k], m, q); err != nil {
					return nil, err
				}
			}
			a, took, err := repeat(b.ctx, &methods[k], m, q)
			if err != nil {
				return nil, err
			}
			spent += took
			c.answers[k] = append(c.answers[k], a)
		}
	}
	return c, nil
}

// repeat asks as often as is quick, three times at most, and keeps the median time.
func repeat(ctx context.Context, by *method, m *motion.Motion, q motion.Query) (answer, time.Duration, error) {
	const quick = 3 * time.Millisecond
	var a answer
	var times []time.Duration
	var all time.Duration
	for range 3 {
		v, took, err := timed(ctx, by, m, q)
		if err != nil {
			return a, 0, err
		}
		a.verdict = v
		times, all = append(times, took), all+took
		if took > quick {
			break
		}
	}
	slices.Sort(times)
	a.time = times[len(times)/2]
	return a, all, nil
}

func timed(ctx context.Context, by *method, m *motion.Motion, q motion.Query) (v motion.Verdict, took time.Duration, err error) {
	took = computing(func() { v, err = by.check(ctx, m, q) })
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", by.name, err)
	}
	return v, took, err
}

// truth is what the last method of a contest, the default engine, says of a motion.
func (c *contest) truth(i int) motion.Status { return c.answers[len(c.methods)-1][i].verdict.Status }

// decided reports whether motion i is in the figures: every method decided it in its
// time. Nothing is averaged over what took as long as it was allowed to.
func (c *contest) decided(i int) bool {
	for k := range c.methods {
		if c.late(k, i) {
			return false
		}
	}
	return true
}

// whole are the motions that are in the figures.
func (c *contest) whole() []*motion.Motion {
	var out []*motion.Motion
	for i, m := range c.motions {
		if c.decided(i) {
			out = append(out, m)
		}
	}
	return out
}

// late reports whether a method left motion i undecided; one that samples only where it
// ran out of time.
func (c *contest) late(method, i int) bool {
	a := &c.answers[method][i]
	return a.verdict.Status == motion.Undecided && (!c.methods[method].samples || a.time >= c.one)
}

// n is how many motions are in the figures.
func (c *contest) n() int { return len(c.whole()) }

// count is how many of them are of a kind by the truth.
func (c *contest) count(s motion.Status) int {
	n := 0
	for i := range c.motions {
		if c.decided(i) && c.truth(i) == s {
			n++
		}
	}
	return n
}

// times are those in microseconds that a method takes for motions of the kinds, rising.
func (c *contest) times(method int, kinds ...motion.Status) []float64 {
	var out []float64
	for i, a := range c.answers[method] {
		if c.decided(i) && (len(kinds) == 0 || slices.Contains(kinds, c.truth(i))) {
			out = append(out, micros(a.time))
		}
	}
	slices.Sort(out)
	return out
}

// mean is the mean time in microseconds that a method takes for motions of the kinds;
// NaN where there is none.
func (c *contest) mean(method int, kinds ...motion.Status) float64 {
	return mean(c.times(method, kinds...))
}

// median is the median time in microseconds that a method takes.
func (c *contest) median(method int) float64 { return quantile(c.times(method), 0.5) }

// worst is the longest time, in microseconds.
func (c *contest) worst(method int) float64 { return quantile(c.times(method), 1) }

// agreement tells whether the methods contradict each other: one has a witness within
// the clearance at a time that another proved free. A witness that is farther apart
// than the clearance, within the tolerance, makes a tie.
type agreement struct {
	Answers       int `json:"answers"` // that were compared, two by two
	Disagreements int `json:"disagreements"`
	Ties          int `json:"ties"`
}

func (c *contest) agree(clearance float64) (g agreement) {
	for i := range c.motions {
		for a := range c.methods {
			for b := range c.methods {
				if a == b || c.methods[a].samples || c.methods[b].samples {
					continue
				}
				x, y := &c.answers[a][i].verdict, &c.answers[b][i].verdict
				if a < b && x.Status != motion.Undecided && y.Status != motion.Undecided {
					g.Answers++
				}
				if x.Status != motion.Contact || !free(y, x.TOC.Hi) {
					continue
				}
				if x.Contact.Distance > clearance {
					g.Ties++
				} else {
					g.Disagreements++
				}
			}
		}
	}
	return g
}

// free reports whether the verdict proves the time t free.
func free(v *motion.Verdict, t float64) bool {
	return v.Status == motion.Free || t < v.ProvenUntil || v.Status == motion.Contact && t < v.TOC.Lo
}

func (g agreement) String() string {
	return fmt.Sprintf("%s answers compared, %d disagreements, %d ties", grouped(float64(g.Answers)), g.Disagreements, g.Ties)
}

// told says how many motions of which kind.
func (c *contest) told() string {
	return fmt.Sprintf("%d motions decided by all, %d of them touch", c.n(), c.count(motion.Contact))
}

// undecidedNotes says what was not decided in time, method by method.
func (c *contest) undecidedNotes(what string) []string {
	var out []string
	for k := range c.methods {
		n := 0
		for i := range c.motions {
			if c.late(k, i) {
				n++
			}
		}
		if n > 0 {
			out = append(out, fmt.Sprintf("%s: %s left %d of %d motions undecided in its time; they are left out of every figure of the row", what, c.methods[k].name, n, len(c.motions)))
		}
	}
	return out
}

func (g *agreement) add(o agreement) {
	g.Answers, g.Disagreements, g.Ties = g.Answers+o.Answers, g.Disagreements+o.Disagreements, g.Ties+o.Ties
}
