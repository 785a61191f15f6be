package attack

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/firstcontact-ros/firstcontact/bench/oracle"
	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/ccd/certificate/verify"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// A campaign is blocks of motions, each with a seed of its own, so that it may be
// stopped at any time, taken up again and shared out:
//
//	FIRSTCONTACT_ORACLE       how long it lasts, such as 10m (5 seconds by default)
//	FIRSTCONTACT_ORACLE_JOBS  how many blocks at a time (1)
//	FIRSTCONTACT_ORACLE_LOG   a file that keeps what blocks have found; those in it
//	                          are not tried again, but counted
//	FIRSTCONTACT_SEED         another campaign (1)
const (
	blockMotions = 100  // of a block
	worldMotions = 10   // in one world
	freeSamples  = 1000 // of a motion that is called free
	proofsEvery  = 25   // motions, of which one has its proof verified
)

// found is what a block has found.
type found struct {
	Robot  string
	Seed   uint64
	Number uint64

	Motions, NearMisses       int
	Free, Contact, Undecided  int
	Samples                   int // poses asked of FCL
	Proofs, Items             int // verified
	Ties, Refuted, Disagree   int
	Unconfirmed, ProofsFailed int
	Seconds                   float64
}

func (f *found) wrong() int { return f.Refuted + f.Disagree + f.Unconfirmed + f.ProofsFailed }

func (f *found) add(g *found) {
	f.Motions += g.Motions
	f.NearMisses += g.NearMisses
	f.Free += g.Free
	f.Contact += g.Contact
	f.Undecided += g.Undecided
	f.Samples += g.Samples
	f.Proofs += g.Proofs
	f.Items += g.Items
	f.Ties += g.Ties
	f.Refuted += g.Refuted
	f.Disagree += g.Disagree
	f.Unconfirmed += g.Unconfirmed
	f.ProofsFailed += g.ProofsFailed
	f.Seconds += g.Seconds
}

// ledger shares out blocks and keeps what they found.
type ledger struct {
	mu   sync.Mutex
	done []found
	have map[string]bool
	file *os.File
	next uint64
	end  time.Time
	of   []string // robots
}

func key(robot string, seed, number uint64) string { return fmt.Sprint(robot, " ", seed, " ", number) }

// openLedger reads what was found before.
func openLedger(t *testing.T, robots []string, lasts time.Duration) *ledger {
	t.Helper()
	l := &ledger{have: map[string]bool{}, end: time.Now().Add(lasts), of: robots}
	path := os.Getenv("FIRSTCONTACT_ORACLE_LOG")
	if path == "" {
		return l
	}
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		var f found
		if err := json.Unmarshal(lines.Bytes(), &f); err != nil {
			t.Fatalf("%s: %v: remove the line that was cut off", path, err)
		}
		l.done, l.have[key(f.Robot, f.Seed, f.Number)] = append(l.done, f), true
	}
	if l.file, err = os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.file.Close() })
	return l
}

// take hands out a block: all robots' first ones, then all robots' second ones.
func (l *ledger) take() (robot string, number uint64, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for time.Now().Before(l.end) {
		robot, number = l.of[l.next%uint64(len(l.of))], l.next/uint64(len(l.of))
		l.next++
		if !l.have[key(robot, seed(), number)] {
			return robot, number, true
		}
	}
	return "", 0, false
}

// keep notes a block that was finished, or as much of it as the time was enough for.
func (l *ledger) keep(t *testing.T, f found, whole bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.done = append(l.done, f)
	if l.file == nil || !whole || f.wrong() > 0 {
		return
	}
	line, err := json.Marshal(f)
	must(t, err)
	_, err = l.file.Write(append(line, '\n'))
	must(t, err)
}

// TestOracle attacks real robots for as long as it is told to.
func TestOracle(t *testing.T) {
	lasts, robots := 5*time.Second, []string{"panda", "ur5e"}
	if text := os.Getenv("FIRSTCONTACT_ORACLE"); text != "" {
		var err error
		lasts, err = time.ParseDuration(text)
		must(t, err)
		robots = append(slices.Clone(light), heavy...)
	}
	if _, err := oracle.Build(); errors.Is(err, oracle.ErrMissing) {
		t.Skip(err)
	}
	if _, err := os.Stat(filepath.Join(shared, "robots")); err != nil {
		t.Skip("no collection of robots beside the repository")
	}
	jobs := 1
	if k, err := strconv.Atoi(os.Getenv("FIRSTCONTACT_ORACLE_JOBS")); err == nil {
		jobs = max(1, k)
	}
	l := openLedger(t, robots, lasts)
	t.Run("blocks", func(t *testing.T) {
		for job := range jobs {
			t.Run(fmt.Sprint("job", job), func(t *testing.T) {
				t.Parallel()
				o := startOracle(t)
				for {
					robot, number, ok := l.take()
					if !ok {
						return
					}
					l.block(t, o, robot, number)
				}
			})
		}
	})
	l.report(t)
}

// block tries one block.
func (l *ledger) block(t *testing.T, o *oracle.Oracle, robot string, number uint64) {
	f := found{Robot: robot, Seed: seed(), Number: number}
	begin := time.Now()
	s := meet(t, o, robot)
	d := dice{rand.New(rand.NewPCG(seed()<<32+number, uint64(len(robot))*1009+uint64(robot[0])*7919+uint64(robot[len(robot)-1])))}
	whole := true
	for k := 0; k < blockMotions && whole; k += worldMotions {
		var world []obstacle
		for i := range d.IntN(4) {
			world = append(world, d.obstacle(s, fmt.Sprint("obstacle", i)))
		}
		c := s.in(t, world)
		for i := range worldMotions {
			if whole = time.Now().Before(l.end); !whole {
				break
			}
			s.query(t, d, &f, c, world, fmt.Sprintf("%s, seed %d, block %d, motion %d", robot, seed(), number, k+i))
		}
	}
	f.Seconds = time.Since(begin).Seconds()
	l.keep(t, f, whole)
}

// query draws a motion and asks everything about it.
func (s *subject) query(t *testing.T, d dice, f *found, c *ccd.Checker, world []obstacle, label string) {
	from := s.start(t, d, min(1, len(world)))
	to := d.near(s, from, [...]float64{0.02, 0.1, 0.5, 4}[d.IntN(4)])
	if len(world) > 0 && d.IntN(4) == 0 {
		before := world
		world = slices.Clone(world)
		if gap, ok := s.nearMiss(t, d, world, c, from, to, d.spread(1e-9, 1e-3)); ok {
			f.NearMisses++
			c = s.in(t, world)
			label += fmt.Sprintf(", a gap of %.1e", gap)
			defer s.in(t, before)
		}
	}
	if self, around := c.CheckedPairs(); self+around == 0 {
		return
	}
	m, err := motion.Between(s.joints, from, to, 1)
	must(t, err)
	m.KeepTurns = true
	f.Motions++
	var v [3]ccd.Verdict
	for q := range v {
		v[q], err = c.Check(context.Background(), m, ccd.Query{Question: motion.Question(q)})
		must(t, err)
	}
	s.agree(t, f, c, label, &v, from, to)
	s.sample(t, f, label, &v[motion.FirstContact], from, to)
	if v[0].Status == ccd.Free && f.Motions%proofsEvery == 0 {
		s.prove(t, f, c, m, label)
	}
}

// agree holds the answers to three questions against each other and, as a second
// opinion that is no independent one, against distances at some times.
func (s *subject) agree(t *testing.T, f *found, c *ccd.Checker, label string, v *[3]ccd.Verdict, from, to []float64) {
	for a := range v {
		for b := range v {
			if v[a].Status == ccd.Free && v[b].Status == ccd.Contact {
				if v[b].Contact.Distance > 0 { // within the tolerance: either answer is true
					f.Ties++
					continue
				}
				f.Disagree++
				t.Errorf("%s: question %d says free, question %d contact at %v", label, a, b, v[b].TOC)
			}
		}
	}
	yes, first := &v[motion.IsFree], &v[motion.FirstContact]
	if yes.Status == ccd.Contact && first.Status == ccd.Contact && yes.TOC.Hi < first.TOC.Lo && yes.Contact.Distance == 0 {
		f.Disagree++
		t.Errorf("%s: contact at %g, but nothing touches before %g", label, yes.TOC.Hi, first.TOC.Lo)
	}
	least := &v[motion.MinClearance]
	if least.Status != ccd.Free || !least.MinClearance.Known {
		return
	}
	b := least.MinClearance.Bounds
	for _, k := range []float64{0, 0.31, 0.5, 0.77, 1, least.MinClearance.At.Time} {
		d, err := c.Distance(context.Background(), s.positions(at(from, to, k)), ccd.DistanceQuery{})
		must(t, err)
		if now := math.Min(d.Self.Hi, d.World.Hi); now < b.Lo-1e-9 {
			f.Disagree++
			t.Errorf("%s: clearance in [%g, %g], but %g at %g", label, b.Lo, b.Hi, now, k)
		}
	}
}

// sample lets FCL speak against a verdict.
func (s *subject) sample(t *testing.T, f *found, label string, v *ccd.Verdict, from, to []float64) {
	n, proven := freeSamples, 1.0
	var count tally
	switch v.Status {
	case ccd.Free:
		f.Free++
	case ccd.Contact:
		f.Contact++
		n, proven = freeSamples/4, v.TOC.Lo
		s.confirm(t, &count, label, v, from, to)
	default:
		f.Undecided++
		proven = v.ProvenUntil
		t.Logf("%s: %v until %g, %s", label, v.Status, v.ProvenUntil, v.Reason)
	}
	if proven > 0 {
		end := at(from, to, proven)
		seen, err := s.oracle.Segment(n, oracle.Both, from, end)
		must(t, err)
		f.Samples += n
		// The end itself is proved of free motions only.
		if seen.Hit && (seen.Time < 1 || v.Status == ccd.Free) {
			s.refute(t, &count, label, v, seen, oracle.Both, from, end)
		}
	}
	f.Ties += count.ties
	f.Refuted += count.refuted
	f.Unconfirmed += count.unconfirmed
}

// prove has a proof written down and verified.
func (s *subject) prove(t *testing.T, f *found, c *ccd.Checker, m *ccd.Motion, label string) {
	var text bytes.Buffer
	v, err := c.Certify(context.Background(), m, ccd.Query{}, &text)
	must(t, err)
	if v.Status != ccd.Free {
		return
	}
	f.Proofs++
	r, err := verify.Verify(context.Background(), c.Robot(), c.World(), m, &text, verify.Options{})
	if err != nil {
		f.ProofsFailed++
		t.Errorf("%s: %v", label, err)
		return
	}
	f.Items += r.Items
}

// report sums up, this run and those in the log together.
func (l *ledger) report(t *testing.T) {
	all := found{Robot: "all"}
	robots := map[string]*found{}
	for i := range l.done {
		f := &l.done[i]
		if robots[f.Robot] == nil {
			robots[f.Robot] = &found{Robot: f.Robot}
		}
		robots[f.Robot].add(f)
		all.add(f)
	}
	rows := []*found{&all}
	for _, f := range robots {
		rows = append(rows, f)
	}
	slices.SortFunc(rows[1:], func(a, b *found) int { return cmp.Compare(a.Robot, b.Robot) })
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "robot\tmotions\tnear misses\tfree\tcontact\tundecided\tFCL poses\tproofs\titems\tties\twrong\tms a motion\t")
	for _, f := range rows {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%.1f\t\n", f.Robot, f.Motions, f.NearMisses, f.Free, f.Contact, f.Undecided,
			f.Samples, f.Proofs, f.Items, f.Ties, f.wrong(), 1e3*f.Seconds/math.Max(1, float64(f.Motions)))
	}
	w.Flush()
	t.Logf("seed %d, %d blocks\n%s", seed(), len(l.done), &b)
	if all.Motions == 0 {
		t.Error("nothing was tried")
		return
	}
	if share := float64(all.Contact) / float64(all.Motions); all.Motions >= 200 && (share < 0.1 || share > 0.9) {
		t.Errorf("%.0f %% of the motions collide: the attack is one-sided", 100*share)
	}
	if all.Undecided > all.Motions/200 {
		t.Errorf("%d of %d undecided", all.Undecided, all.Motions)
	}
}
