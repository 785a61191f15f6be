package node

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// asking is questions that compute for a time of their own.
type askers struct {
	t     *turns
	mu    sync.Mutex
	order []string          // of the answers
	what  map[string]string // the answer, by name
	when  map[string]time.Duration
	begun map[string]int

	work  int            // pieces of work done, of all questions: a clock that a busy machine slows down
	after map[string]int // pieces done between question and answer
}

func newAskers() *askers {
	return &askers{t: newTurns(), what: map[string]string{}, when: map[string]time.Duration{}, begun: map[string]int{}, after: map[string]int{}}
}

// add asks a question that computes for a time, in the processor's time that it gets.
func (a *askers) add(client byte, name string, needs, patience time.Duration) {
	came, before := time.Now(), a.worked(0)
	say := func(what string) {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.order = append(a.order, name)
		if a.what[name] != "" {
			what = a.what[name] + " and again " + what
		}
		a.what[name], a.when[name], a.after[name] = what, time.Since(came), a.work-before
	}
	a.t.add(&task{
		client: ros.GUID{client}, bytes: 100, patience: patience, refuse: say,
		work: func(ctx context.Context) func() {
			a.mu.Lock()
			a.begun[name]++
			a.mu.Unlock()
			pause := engine.PauseOf(ctx)
			for begin, used := time.Now(), time.Duration(0); used < needs; {
				used += time.Since(begin)
				pause()
				begin = time.Now()
				if ctx.Err() != nil {
					return func() { say("stopped") }
				}
				for time.Since(begin) < piece { // some work
				}
				a.worked(1)
			}
			return func() { say("done") }
		},
	})
}

// piece is how long a piece of work takes.
const piece = 200 * time.Microsecond

// worked adds to the pieces of work and returns their number.
func (a *askers) worked(more int) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.work += more
	return a.work
}

// run lets the turns begin, calls meanwhile, and ends them.
func (a *askers) run(t *testing.T, meanwhile func()) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- a.t.run(ctx) }()
	meanwhile()
	stop()
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("the turns do not end")
	}
	if a.t.waiting != 0 || a.t.bytes != 0 || a.t.started != 0 {
		t.Errorf("at the end %d wait with %d bytes, %d are under way", a.t.waiting, a.t.bytes, a.t.started)
	}
}

// A short question is answered while others, of more clients than may have one under
// way, have asked what takes all the time there is.
func TestShortQuestionAmongLongOnes(t *testing.T) {
	a := newAskers()
	a.run(t, func() {
		for client := range byte(2 * limit.StartedQuestions) {
			for i := range limit.ClientQuestions {
				a.add(client, fmt.Sprint("long ", client, " ", i), time.Hour, time.Hour)
			}
		}
		time.Sleep(2 * slice * 2 * limit.StartedQuestions)
		for i := range 5 {
			a.add(200, fmt.Sprint("short ", i), slice/4, time.Minute)
			time.Sleep(100 * time.Millisecond)
		}
		for deadline := time.Now().Add(patience); !a.answered("short 4") && time.Now().Before(deadline); {
			time.Sleep(ms)
		}
	})
	for i := range 5 {
		name := fmt.Sprint("short ", i)
		t.Log(name, a.what[name], a.when[name])
		if a.what[name] != "done" || a.after[name] > int(5*time.Second/piece) {
			t.Errorf("%s: %q after %v and %d pieces of work", name, a.what[name], a.when[name], a.after[name])
		}
	}
}

// Questions that are long, but not endless, are answered, also where more wait than may
// be under way.
func TestLongQuestionsAreAnswered(t *testing.T) {
	a := newAskers()
	const clients = 2 * limit.StartedQuestions
	a.run(t, func() {
		for client := range byte(clients) {
			a.add(client, fmt.Sprint(client), 3*slice, time.Minute)
		}
		for a.said() < clients {
			time.Sleep(time.Millisecond)
		}
	})
	for name, what := range a.what {
		if what != "done" || a.begun[name] > 2 {
			t.Errorf("%s: %q, begun %d times", name, what, a.begun[name])
		}
	}
}

func (a *askers) answered(name string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.what[name] != ""
}

func (a *askers) said() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.order)
}

// A question that waits until its deadline is answered then, and not computed.
func TestDeadlineCountsFromWhenAQuestionComes(t *testing.T) {
	a := newAskers()
	a.run(t, func() {
		a.add(1, "first", time.Hour, time.Hour)
		a.add(1, "second", time.Hour, 100*time.Millisecond)
		a.add(2, "third", time.Hour, time.Second)                                             // in which it gets its turn, on a busy machine too
		for limit := time.Now().Add(time.Minute); a.said() < 2 && time.Now().Before(limit); { // the first takes an hour
			time.Sleep(ms)
		}
		a.mu.Lock()
		defer a.mu.Unlock()
		if !strings.Contains(a.what["second"], "the deadline of 100ms passed") || a.begun["second"] != 0 || a.when["second"] < 100*ms {
			t.Errorf("%q after %v, begun %d times", a.what["second"], a.when["second"], a.begun["second"])
		}
		if a.what["third"] != "stopped" || a.when["third"] < time.Second {
			t.Errorf("%q after %v", a.what["third"], a.when["third"])
		}
	})
}

// Who asks most gives way to who asks little when no more can wait, and one client alone
// cannot take all places.
func TestPlacesAreShared(t *testing.T) {
	a := newAskers()
	refused := func(prefix string) (n int) {
		a.mu.Lock()
		defer a.mu.Unlock()
		for name, what := range a.what {
			if strings.HasPrefix(name, prefix) && strings.Contains(what, "ask again later") {
				n++
			}
		}
		return n
	}
	for i := range 2 * limit.ClientQuestions {
		a.add(1, fmt.Sprint("alone ", i), 0, time.Hour)
	}
	if got := refused("alone"); got != limit.ClientQuestions {
		t.Errorf("%d of one client are refused, want %d", got, limit.ClientQuestions)
	}
	for i := range 10 * limit.WaitingQuestions {
		a.add(byte(2+i%8), fmt.Sprint("greedy ", i), 0, time.Hour)
	}
	for i := range 10 {
		a.add(100, fmt.Sprint("modest ", i), 0, time.Hour)
	}
	if got := refused("modest"); got != 0 || a.t.waiting != limit.WaitingQuestions {
		t.Errorf("%d of who asks little are refused, %d wait", got, a.t.waiting)
	}
	a.run(t, func() {})
}

// Random questions from random clients are each answered once, and a client that gets
// nothing done keeps nobody.
func TestTurnsOnRandomQuestions(t *testing.T) {
	a := newAskers()
	const all = 600
	a.run(t, func() {
		r := rand.New(rand.NewPCG(1, 2))
		for i := range all {
			needs := time.Duration(r.ExpFloat64() * float64(2*time.Millisecond))
			patience := 10*time.Millisecond + time.Duration(r.ExpFloat64()*float64(200*time.Millisecond))
			if r.IntN(20) == 0 {
				needs = time.Hour
			}
			a.add(byte(r.IntN(20)), fmt.Sprint(i), needs, patience)
			if r.IntN(10) == 0 {
				time.Sleep(time.Duration(r.IntN(10)) * time.Millisecond)
			}
		}
	})
	if len(a.order) != all {
		t.Errorf("%d answers to %d questions", len(a.order), all)
	}
	for name, what := range a.what {
		if strings.Contains(what, "and again") {
			t.Errorf("%s: %s", name, what)
		}
	}
}
