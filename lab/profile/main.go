// Command profile asks one question of a corpus again and again, so that a profiler sees what it takes: of the segments
// of middle cost, which the comparison with peers is about.
//
//	cd lab && go build -pgo=../cmd/firstcontact/hot.pgo -o /tmp/profile ./profile
//	/tmp/profile -ask free -o /tmp/free.pprof ../../shared/peers/corpus/panda_shelf.scene ../../shared/peers/corpus/panda_shelf.local.segs
//	go tool pprof -top /tmp/profile /tmp/free.pprof
//
// Two programs, of two states of the code, that are run in turns show what a change brought, to a hundredth on a quiet machine; beside
// them, ./peers -before REVISION -alone measures as firstcontact bench does, with the thread's clock read between questions.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"time"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/internal/engine/corpus"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// options say what is asked, and how long.
type options struct {
	ask, out string
	noWorld  bool
	band     float64
	lasts    time.Duration
}

// question is what may be asked, and of which segments.
type question struct {
	name, about string
	asked       motion.Question
	of          motion.Status // as a yes or no finds it
	rests       bool          // of the segment's start alone
	overTime    bool          // the distance over time is asked, not a query
}

var questions = []question{
	{"free", "yes or no, of free segments", motion.IsFree, motion.Free, false, false},
	{"contact", "yes or no, of segments in contact", motion.IsFree, motion.Contact, false, false},
	{"toc", "the first contact, of segments in contact", motion.FirstContact, motion.Contact, false, false},
	{"clearance", "the smallest distance, of free segments", motion.MinClearance, motion.Free, false, false},
	{"overtime", "the distance over time, of free segments", motion.IsFree, motion.Free, false, true},
	{"static", "yes or no at the start, of free segments", motion.IsFree, motion.Free, true, false},
}

func main() {
	var o options
	var about []string
	for _, q := range questions {
		about = append(about, q.name+": "+q.about)
	}
	flag.StringVar(&o.ask, "ask", questions[0].name, strings.Join(about, "; "))
	flag.BoolVar(&o.noWorld, "no-world", false, "leave out the world")
	flag.Float64Var(&o.band, "band", 0.1, "share of the segments to ask about on either side of the one of median cost; 0.5 for all")
	flag.DurationVar(&o.lasts, "lasts", 5*time.Second, "how long to ask")
	flag.StringVar(&o.out, "o", "", "file for the profile; none is written without")
	flag.Parse()
	if err := o.run(context.Background(), os.Stdout, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "profile:", err)
		os.Exit(1)
	}
}

func (o *options) run(ctx context.Context, out io.Writer, args []string) error {
	i := slices.IndexFunc(questions, func(q question) bool { return q.name == o.ask })
	switch {
	case len(args) != 2:
		return fmt.Errorf("give a scene and its segments, not %d arguments", len(args))
	case i < 0:
		return fmt.Errorf("-ask %s: give free, contact, toc, clearance, overtime or static", o.ask)
	case !(o.band >= 0 && o.band <= 0.5):
		return fmt.Errorf("-band %g: give 0 to 0.5", o.band)
	}
	s, err := corpus.Load(args[0])
	if err != nil {
		return err
	}
	segments, err := s.Segments(args[1])
	if err != nil {
		return err
	}
	c, err := ccd.New(s.Robot, s.World, ccd.Options{Allowed: s.Rigid()})
	if err != nil {
		return err
	}
	a := asker{checker: c, query: motion.Query{Question: questions[i].asked, NoWorld: o.noWorld}, overTime: questions[i].overTime}
	runtime.GOMAXPROCS(1)
	if err := a.choose(ctx, &questions[i], segments); err != nil {
		return err
	}
	median := a.chosen[len(a.chosen)/2].took
	a.keepMiddle(o.band)
	if o.out != "" {
		f, err := os.Create(o.out)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	each, err := a.askFor(ctx, o.lasts)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: median %.3f us, of the least of %d; %.3f us a question of the middle %d\n", o.ask, micros(median), reps, micros(each), len(a.chosen))
	return nil
}

func micros(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e3 }

// costly is a motion and what a question about it takes.
type costly struct {
	motion *motion.Motion
	took   time.Duration
}

// asker asks about motions.
type asker struct {
	checker  *ccd.Checker
	query    motion.Query
	overTime bool
	chosen   []costly
}

// ask puts the question about one motion.
func (a *asker) ask(ctx context.Context, m *motion.Motion) (err error) {
	if a.overTime {
		_, err = a.checker.Profile(ctx, m, motion.ProfileQuery{NoWorld: a.query.NoWorld})
	} else {
		_, err = a.checker.Check(ctx, m, a.query)
	}
	return err
}

// reps is of how many questions about each motion the fastest says what it costs.
const reps = 7

// choose takes the motions that a question is asked of, by what they cost.
func (a *asker) choose(ctx context.Context, q *question, segments []*motion.Motion) error {
	yesNo := a.query
	yesNo.Question = motion.IsFree
	for _, m := range segments {
		v, err := a.checker.Check(ctx, m, yesNo)
		if err != nil {
			return fmt.Errorf("%s: %w", m.ID, err)
		}
		if v.Status != q.of {
			continue
		}
		if q.rests {
			if m, err = motion.Path(m.Joints, [][]float64{m.At(0)}, nil); err != nil {
				return err
			}
		}
		k := costly{m, math.MaxInt64}
		for range reps {
			began := time.Now()
			if err := a.ask(ctx, m); err != nil {
				return err
			}
			k.took = min(k.took, time.Since(began))
		}
		a.chosen = append(a.chosen, k)
	}
	if len(a.chosen) == 0 {
		return fmt.Errorf("none of %d segments is %s", len(segments), q.of)
	}
	slices.SortFunc(a.chosen, func(x, y costly) int { return cmp.Compare(x.took, y.took) })
	return nil
}

// keepMiddle leaves out all motions but those of about median cost.
func (a *asker) keepMiddle(band float64) {
	n := len(a.chosen)
	more := int(band * float64(n))
	a.chosen = a.chosen[max(0, n/2-more):min(n, n/2+more+1)]
}

// askFor asks about all motions for some time, at least once, and returns what a question takes.
func (a *asker) askFor(ctx context.Context, lasts time.Duration) (each time.Duration, err error) {
	const rounds = 10 // between two looks at the clock
	asked, began := 0, time.Now()
	for asked == 0 || time.Since(began) < lasts {
		for range rounds {
			for _, k := range a.chosen {
				if err := a.ask(ctx, k.motion); err != nil {
					return 0, err
				}
			}
		}
		asked += rounds * len(a.chosen)
	}
	return time.Since(began) / time.Duration(asked), nil
}
