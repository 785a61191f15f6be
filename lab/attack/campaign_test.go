package attack

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/lab/oracle"
)

// A campaign is blocks of motions, each with a seed of its own, so that it may be
// stopped at any time, taken up again and shared out;
// the switches FIRSTCONTACT_ORACLE and FIRSTCONTACT_ORACLE_* (docs/switches.md) set its
// length (5 seconds by default), robots (all), log and how many blocks it tries at a time.
const (
	blockMotions = 400 // of a block
	worldMotions = 100 // before another world is drawn
)

// ledger shares out blocks and keeps what they found.
type ledger struct {
	mu      sync.Mutex
	done    []found
	have    map[string]bool
	file    *os.File
	next    uint64
	begin   time.Time
	before  int       // motions in the log
	motions int       // with those
	end     time.Time // or
	want    int       // motions
	told    time.Time
	of      []string // robots
}

func key(robot string, seed, number uint64) string { return fmt.Sprint(robot, " ", seed, " ", number) }

// openLedger reads what was found before.
func openLedger(t *testing.T, robots []string) *ledger {
	t.Helper()
	l := &ledger{have: map[string]bool{}, begin: time.Now(), told: time.Now(), of: robots}
	lasts, motions := switches.Oracle.Or("5s")
	if motions > 0 {
		lasts = 1000 * time.Hour
	}
	l.want, l.end = motions, l.begin.Add(lasts)
	path := switches.OracleLog.Get()
	if path == "" {
		return l
	}
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(bytes.NewReader(old)); lines.Scan(); {
		var f found
		if err := json.Unmarshal(lines.Bytes(), &f); err != nil {
			t.Fatalf("%s: %v: remove the line that was cut off", path, err)
		}
		l.done, l.have[key(f.Robot, f.Seed, f.Number)] = append(l.done, f), true
		l.motions += f.Motions
	}
	l.before = l.motions
	if l.file, err = os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.file.Close() })
	return l
}

// over tells whether the campaign is.
func (l *ledger) over() bool { return time.Now().After(l.end) }

// rest is for how many rounds a robot waits that is heavy for a judge or for us.
var rest = map[string]uint64{
	"atlas": 6, "double_pendulum": 6, "dual_panda": 6, "fanuc": 6, "pr2": 6,
	"booster_k1": 24, "car_seat_demo": 24, "g1": 24, "kinova_gen3": 24, "nextage": 24, "open_manipulator": 24, "romeo": 24, "ur5": 24, "ur5e": 24,
}

// take hands out a block: all robots' first ones, then all robots' second ones.
func (l *ledger) take() (robot string, number uint64, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for !l.over() && (l.want == 0 || l.motions < l.want) {
		robot, number = l.of[l.next%uint64(len(l.of))], l.next/uint64(len(l.of))
		l.next++
		if n := rest[robot]; n > 0 && number%n != 0 {
			continue
		}
		if !l.have[key(robot, seed(), number)] {
			return robot, number, true
		}
	}
	return "", 0, false
}

// keep notes a block that was finished, or as much of it as the time was enough for.
// A block with something wrong does not go to the log: it is tried again.
func (l *ledger) keep(t *testing.T, f found, whole bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	f.Commit = switches.OracleCommit.Get()
	l.done = append(l.done, f)
	l.motions += f.Motions
	l.tell()
	if l.file == nil || !whole || f.wrong() > 0 {
		return
	}
	line, err := json.Marshal(f)
	must(t, err)
	_, err = l.file.Write(append(line, '\n'))
	must(t, err)
}

// tell says twice a minute how far the campaign has come.
func (l *ledger) tell() {
	if time.Since(l.told) < 30*time.Second {
		return
	}
	l.told = time.Now()
	all := total(l.done)
	left := time.Until(l.end)
	if rate := float64(l.motions-l.before) / time.Since(l.begin).Seconds(); l.want > 0 && rate > 0 {
		left = time.Duration(float64(l.want-l.motions) / rate * float64(time.Second))
	}
	fmt.Fprintf(os.Stderr, "%s %d motions (%d here), %d free, %d contact, %d undecided, %d poses, %d wrong; %s left, until %s\n", l.told.Format(time.TimeOnly),
		l.motions, l.motions-l.before, all.Free, all.Contact, all.Undecided, all.Poses, all.wrong(), left.Round(time.Second), l.told.Add(left).Format(time.TimeOnly))
}

// TestOracle attacks real robots for as long as it is told to.
func TestOracle(t *testing.T) {
	robots := []string{"panda", "ur5e"}
	if switches.Oracle.Set() {
		robots = append(slices.Clone(light), heavy...)
	}
	robots = switches.OracleRobots.Or(robots...)
	if _, err := oracle.Build(); errors.Is(err, oracle.ErrMissing) {
		t.Skip(err)
	}
	if _, err := os.Stat(filepath.Join(shared, "robots")); err != nil {
		t.Skip("no collection of robots beside the repository")
	}
	jobs := switches.OracleJobs.Or(1)
	l := openLedger(t, robots)
	t.Run("blocks", func(t *testing.T) {
		for job := range jobs {
			t.Run(fmt.Sprint("job", job), func(t *testing.T) {
				t.Parallel()
				met := map[string]*subject{}
				for {
					robot, number, ok := l.take()
					if !ok {
						return
					}
					if met[robot] == nil {
						met[robot] = meet(t, startOracle(t), robot)
						met[robot].still = met[robot].static(t)
					}
					l.block(t, met[robot], number)
				}
			})
		}
	})
	l.report(t)
}

// block tries one block.
func (l *ledger) block(t *testing.T, s *subject, number uint64) {
	f := &found{Robot: s.name, Seed: seed(), Number: number}
	begin := time.Now()
	d := dice{chance.New(seed()<<32+number, uint64(len(s.name))*1009+uint64(s.name[0])*7919+uint64(s.name[len(s.name)-1]))}
	s.still.Poses = 0
	var p place
	for k := range blockMotions {
		if l.over() {
			break
		}
		if k%worldMotions == 0 || p.hopeless {
			s.furnish(t, d, &p)
		}
		p.label = fmt.Sprintf("%s, seed %d, block %d, motion %d", s.name, seed(), number, k)
		s.query(t, d, f, &p, k)
	}
	f.Poses = s.still.Poses
	f.Seconds = time.Since(begin).Seconds()
	if f.Motions == blockMotions && (f.share() < 0.05 || f.share() > 0.95) {
		t.Errorf("%s, block %d: %.0f %% of the motions collide: the attack is one-sided", s.name, number, 100*f.share())
	}
	l.keep(t, *f, !l.over())
}

// furnish draws a world, if it can one that does not touch what no joint moves: there
// every motion would begin in contact.
func (s *subject) furnish(t *testing.T, d dice, p *place) {
	n := d.IntN(4)
	for range 10 {
		p.world = p.world[:0]
		for i := range n {
			p.world = append(p.world, d.obstacle(s, fmt.Sprint("obstacle", i)))
		}
		must(t, s.still.Surround(objectsOf(t, p.world)))
		if s.still.Rigid() {
			break
		}
	}
	p.checker, p.known, p.hopeless = s.in(t, p.world), false, false
}

// place is where a motion happens.
type place struct {
	world    []obstacle
	checker  *ccd.Checker
	clear    []float64 // a configuration that touches nothing
	known    bool      // in this world
	hopeless bool      // none was found in this world, so that another is drawn
	label    string
}

// String gives all that is needed to do it again.
func (p *place) String() string {
	var b strings.Builder
	b.WriteString(p.label)
	for i := range p.world {
		o := &p.world[i]
		fmt.Fprintf(&b, "; %s %s %v at %v turned %v", o.kind, filepath.Base(o.file), o.size, o.p, o.quat)
	}
	return b.String()
}
