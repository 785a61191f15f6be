package premises

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/firstcontact-ros/firstcontact/motion"
)

// tally counts what came of the queries of a category.
type tally struct {
	Queries   int // motions asked about
	Free      int
	Contact   int
	Undecided int
	Refused   int // errors
	Samples   int // configurations that the judge looked at
	Ties      int // that only graze
	Met       int // contacts whose witness the judge confirms
	Verified  int // proofs of Free that the verifier accepts
	Denied    int // proofs of Free that it refuses
	Wrong     int // Free, and a sample is in contact
	Late      int // Contact, and an earlier sample is
	Apart     int // Contact, and the judge finds the two apart
	Slipped   int // contacts that are not those of what was meant
	Unread    int // the judge cannot read the query
	Crashed   int // the checker panicked
}

func (t *tally) add(u tally) {
	t.Queries += u.Queries
	t.Free += u.Free
	t.Contact += u.Contact
	t.Undecided += u.Undecided
	t.Refused += u.Refused
	t.Samples += u.Samples
	t.Ties += u.Ties
	t.Met += u.Met
	t.Verified += u.Verified
	t.Denied += u.Denied
	t.Wrong += u.Wrong
	t.Late += u.Late
	t.Apart += u.Apart
	t.Slipped += u.Slipped
	t.Unread += u.Unread
	t.Crashed += u.Crashed
}

func (t *tally) bad() int { return t.Wrong + t.Denied + t.Late + t.Apart + t.Unread + t.Crashed }

// block is what the queries of one seed and number came to.
type block struct {
	Seed, Number uint64
	Tallies      map[string]tally
	Found        []string `json:",omitempty"`
	Slow         []string `json:",omitempty"` // models that took long
	Commit       string   `json:",omitempty"`
}

// campaign puts queries to the checker and to the judge.
type campaign struct {
	judge  *judge
	folder string
	keep   string // where models of refuted verdicts are kept; empty for nowhere
}

// slow is how long a model may take before it is listed: its motions have a budget each.
const slow = motionsEach*budget + time.Second

// modelsOfBlock is how many models a block has.
const modelsOfBlock = 25

func (c *campaign) block(seed, number uint64) (block, error) {
	b := block{Seed: seed, Number: number, Tallies: map[string]tally{}}
	for i := range uint64(modelsOfBlock) {
		model := number*modelsOfBlock + i
		q := newDice(seed, model).draw()
		began := time.Now()
		if err := c.try(&b, q, fmt.Sprintf("seed %d model %d", seed, model)); err != nil {
			return b, err
		}
		if took := time.Since(began); took > slow {
			b.Slow = append(b.Slow, fmt.Sprintf("seed %d model %d, %s: %v", seed, model, q.category, took))
		}
	}
	return b, nil
}

// try asks all of a query.
func (c *campaign) try(b *block, q *query, label string) error {
	if err := os.MkdirAll(c.folder, 0o755); err != nil {
		return err
	}
	if err := q.put(c.folder); err != nil {
		return err
	}
	answers, crash := checked(q, c.folder)
	t := tally{Queries: len(q.motions)}
	note := func(format string, args ...any) {
		b.Found = append(b.Found, fmt.Sprintf("%s, %s: ", label, q.category)+fmt.Sprintf(format, args...))
	}
	if crash != "" {
		t.Crashed = len(q.motions)
		note("panic: %s", crash)
	} else {
		lines, rulings := q.told(c.folder, answers)
		said, err := c.judge.ask(lines)
		if err != nil {
			return fmt.Errorf("%s: %w", label, err)
		}
		for i := range answers {
			t.count(q, &answers[i])
			if r := answers[i].refusal; r != nil {
				note("motion %d %s: the proof is refused: %v", i, q.motions[i].file, r)
			}
			ruling := ""
			if rulings[i] >= 0 {
				ruling = said[rulings[i]]
			}
			if what := t.rule(ruling, q.slip()); what != "" {
				note("motion %d %s is %v until %.9g: %s", i, q.motions[i].file, answers[i].verdict.Status, answers[i].verdict.TOC.Lo, ruling)
			}
			if q.refuse && answers[i].err == nil && answers[i].verdict.Status == motion.Free {
				t.Wrong++
				note("motion %d is free, though nothing can be computed of it", i)
			}
		}
		if k := slices.IndexFunc(said, func(s string) bool { return strings.HasPrefix(s, "error") }); k >= 0 && t.Unread == 0 && !q.refuse && t.Refused < t.Queries {
			t.Unread++
			note("the judge says %q to %q", said[k], lines[k])
		}
	}
	u := b.Tallies[q.category]
	u.add(t)
	b.Tallies[q.category] = u
	if t.bad() > 0 && c.keep != "" {
		if err := q.put(mkdir(filepath.Join(c.keep, strings.ReplaceAll(label, " ", "-")))); err != nil {
			return err
		}
	}
	return c.clear()
}

func mkdir(path string) string {
	os.MkdirAll(path, 0o755) // who writes there tells the error
	return path
}

func (c *campaign) clear() error {
	all, err := os.ReadDir(c.folder)
	for _, e := range all {
		os.Remove(filepath.Join(c.folder, e.Name()))
	}
	return err
}

func checked(q *query, folder string) (answers []answer, crash string) {
	defer func() {
		if p := recover(); p != nil {
			crash = fmt.Sprintf("%v %s", p, strings.ReplaceAll(string(debug.Stack()), "\n", " | "))
		}
	}()
	return q.check(folder), ""
}

func (t *tally) count(q *query, a *answer) {
	switch {
	case a.err != nil:
		t.Refused++
	case a.verdict.Status == motion.Free:
		t.Free++
		if a.verified {
			t.Verified++
		}
		if a.refusal != nil {
			t.Denied++
		}
	case a.verdict.Status == motion.Contact:
		t.Contact++
	default:
		t.Undecided++
	}
}

// rule counts what the judge says and returns it where it refutes. Of a file with a slip
// only a Free can be wrong: a contact says what the file says.
func (t *tally) rule(said string, slip bool) string {
	word, _, _ := strings.Cut(said, " ")
	if slip && (word == "late" || word == "apart") {
		t.Slipped++
		return ""
	}
	switch word {
	case "", "ok":
		var samples, ties int
		var witness string
		fmt.Sscanf(said, "ok %d %d %s", &samples, &ties, &witness)
		t.Samples += samples
		t.Ties += ties
		if witness == "met" {
			t.Met++
		}
		return ""
	case "free":
		t.Wrong++
	case "late":
		t.Late++
	case "apart":
		t.Apart++
	default:
		t.Unread++
	}
	return word
}

// summary is a table by category.
func summary(tallies map[string]tally) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-44s %9s %9s %9s %9s %9s %7s %6s %6s %6s %6s\n", "", "queries", "free", "contact", "undecided", "refused", "% cont.", "wrong", "late", "apart", "unread")
	var all tally
	line := func(name string, t tally) {
		share := 0.0
		if t.Queries > 0 {
			share = 100 * float64(t.Contact) / float64(t.Queries)
		}
		fmt.Fprintf(&b, "%-44s %9d %9d %9d %9d %9d %7.1f %6d %6d %6d %6d\n", name, t.Queries, t.Free, t.Contact, t.Undecided, t.Refused, share, t.Wrong, t.Late, t.Apart, t.Unread+t.Crashed)
	}
	for _, name := range slices.Sorted(maps.Keys(tallies)) {
		line(name, tallies[name])
		all.add(tallies[name])
	}
	line("all", all)
	fmt.Fprintf(&b, "%d configurations sampled, %d of them grazing; %d witnesses confirmed; %d proofs verified, %d refused\n", all.Samples, all.Ties, all.Met, all.Verified, all.Denied)
	return b.String()
}

// ledger keeps blocks in a file.
type ledger struct {
	file *os.File
	have map[[2]uint64]bool
	all  map[string]tally
	n    int
}

func openLedger(path string) (*ledger, error) {
	l := &ledger{have: map[[2]uint64]bool{}, all: map[string]tally{}}
	if path == "" {
		return l, nil
	}
	old, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	for line := range strings.Lines(string(old)) {
		var b block
		if json.Unmarshal([]byte(line), &b) == nil { // a line that was cut off is asked again
			l.count(&b)
		}
	}
	l.file, err = os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	return l, err
}

func (l *ledger) count(b *block) {
	l.have[[2]uint64{b.Seed, b.Number}] = true
	for name, t := range b.Tallies {
		u := l.all[name]
		u.add(t)
		l.all[name] = u
		l.n += t.Queries
	}
}

func (l *ledger) put(b *block) error {
	l.count(b)
	if l.file == nil {
		return nil
	}
	data, err := json.Marshal(b)
	if err != nil {
		return err
	}
	_, err = l.file.Write(append(data, '\n'))
	return err
}

// until is when a campaign ends.
type until struct {
	queries int
	time    time.Time
}

func (u until) over(queries int) bool {
	if u.queries > 0 {
		return queries >= u.queries
	}
	return time.Now().After(u.time)
}
