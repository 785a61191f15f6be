package demo

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
)

// journal prints messages as they arrive and keeps them for the summary.
type journal struct {
	script *script

	loaded chan struct{} // closed when the node has its model
	once   sync.Once

	mu       sync.Mutex
	out      io.Writer
	colours  bool
	begin    time.Time
	motionAt map[builtininterfaces.Time]moment // by stamp
	question map[string]string                 // what the answer's id identifies
	order    []string                          // ids, in the order of the questions
	verdicts map[string]*fcmsgs.Verdict
	answered chan struct{}
	reply    bool // the service's reply matched that on the topic

	states  []seen
	shown   string // level and pair printed last
	latency []float64
}

// moment is the sending of a joint state: its number, the time in the recorded motion, and the
// stamp.
type moment struct {
	number int
	at     float64
	sent   time.Time
}

// seen is a state that judged a joint state, or one that is UNKNOWN.
type seen struct {
	moment
	from                     moment // where the judged motion begins
	level                    uint8
	pair                     [2]string
	checked, unchecked, late uint64
	latency                  time.Duration // from the stamp to the receipt of the state
}

func newJournal(out io.Writer, s *script) *journal {
	return &journal{
		script: s, out: out, colours: cli.TakesColours(out), loaded: make(chan struct{}), motionAt: map[builtininterfaces.Time]moment{}, question: map[string]string{},
		verdicts: map[string]*fcmsgs.Verdict{}, answered: make(chan struct{}, 1),
	}
}

var levelNames = [...]string{"UNKNOWN", "FREE", "WARN", "STOP", "COLLISION"}

var statusNames = [...]string{"UNDECIDED", "FREE", "CONTACT", "CLEARANCE", "INVALID"}

const demoColumns = "%7s  %-8s %-29s %s %-5s  %-28s %-26s %-16s %9s\n"

func (l *journal) title(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	fmt.Fprintf(l.out, format+"\n\n", args...)
	fmt.Fprintf(l.out, demoColumns, "time", "what", "which", l.paint("status"), "", "pair", "TOC interval (s)", "clearance (mm)", "computed")
}

func (l *journal) starts(at time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.begin = at
}

// waitForModel waits until the node has a model.
func (l *journal) waitForModel(ctx context.Context) error {
	select {
	case <-l.loaded:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("the node has no model: %w", ctx.Err())
	}
}

// played records the time in the recorded motion that a stamp stands for.
func (l *journal) played(stamp builtininterfaces.Time, t float64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.motionAt[stamp] = moment{len(l.motionAt), t, stamp.Time()}
}

// followed reports whether a joint state has been judged.
func (l *journal) followed() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.states) > 0
}

// asks records that the answer with the id is expected.
func (l *journal) asks(id, question string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.question[id] = question
	l.order = append(l.order, id)
}

func (l *journal) clock() string { return fmt.Sprintf("%.3f", time.Since(l.begin).Seconds()) }

// state takes a state, and prints it if the level or the closest pair has changed.
func (l *journal) state(m *fcmsgs.CollisionState) {
	if m.ModelHash != "" {
		l.once.Do(func() { close(l.loaded) })
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	pair := [2]string{m.Pair.A.Name, m.Pair.B.Name}
	l.remember(m, pair)
	shown := levelNames[m.Level]
	if m.Level > fcmsgs.CollisionStateFree {
		shown += pair[0] + pair[1]
	}
	if shown == l.shown || l.begin.IsZero() {
		return
	}
	l.shown = shown
	if m.Level == fcmsgs.CollisionStateUnknown {
		fmt.Fprintf(l.out, "%7s  %-8s %-29s %s %s\n", l.clock(), "state", "", l.paint(levelNames[m.Level]), m.Reason)
		return
	}
	clearance := fmt.Sprintf("%.1f ... %.1f", 1e3*m.DistanceLower, 1e3*m.DistanceUpper)
	if math.IsInf(m.DistanceUpper, 0) {
		clearance = fmt.Sprintf("over %.0f", 1e3*m.DistanceLower)
	}
	which := fmt.Sprintf("motion at %.3f s", l.motionAt[m.Header.Stamp].at)
	l.row(demoRow{what: "state", which: which, status: levelNames[m.Level], scope: m.Scope, pair: pair, clearance: clearance, compute: m.ComputeTime})
}

func (l *journal) remember(m *fcmsgs.CollisionState, pair [2]string) {
	sent, known := l.motionAt[m.Header.Stamp]
	if !known {
		sent = moment{number: -1, at: -1}
	}
	n := len(l.states)
	if n == 0 && !known || n > 0 && l.states[n-1].moment == sent {
		return // from before the start, or repeated
	}
	from, known := l.motionAt[m.MotionStart]
	if !known {
		from = sent
	}
	latency := time.Since(m.Header.Stamp.Time())
	l.states = append(l.states, seen{sent, from, m.Level, pair, m.MotionsChecked, m.MotionsUnchecked, m.AnswersLate, latency})
	if sent.number >= 0 {
		l.latency = append(l.latency, latency.Seconds())
	}
}

// verdict takes a verdict and prints it.
func (l *journal) verdict(m *fcmsgs.Verdict) {
	l.mu.Lock()
	defer l.mu.Unlock()
	question, known := l.question[m.ID]
	if !known {
		return // of another client's question
	}
	l.verdicts[m.ID] = m
	which := question
	if m.ID == "by service" {
		which += " again"
	}
	toc, clearance := "", ""
	if m.Status == fcmsgs.VerdictContact {
		toc = fmt.Sprintf("[%.9f, %.9f]", m.TOCLower, m.TOCUpper)
	}
	pair := [2]string{m.Pair.A.Name, m.Pair.B.Name}
	scope := m.Scope
	if m.MinClearanceKnown {
		clearance = fmt.Sprintf("%.1f ... %.1f", 1e3*m.MinClearanceLower, 1e3*m.MinClearanceUpper)
		pair, scope = [2]string{m.MinClearancePair.A.Name, m.MinClearancePair.B.Name}, 0
	}
	l.row(demoRow{"verdict", which, statusNames[m.Status], scope, pair, toc, clearance, m.ComputeTime})
	select {
	case l.answered <- struct{}{}:
	default:
	}
}

var scopeNames = [...]string{"", "self", "world"}

// demoRow is a line of the table.
type demoRow struct {
	what, which, status string
	scope               uint8
	pair                [2]string // "" for none
	toc, clearance      string
	compute             float64 // s
}

func (l *journal) row(r demoRow) {
	names := ""
	if r.pair[0] != "" {
		names = r.pair[0] + ", " + r.pair[1]
	}
	fmt.Fprintf(l.out, demoColumns, l.clock(), r.what, r.which, l.paint(r.status), scopeNames[r.scope], names, r.toc, r.clearance, fmt.Sprintf("%.2f ms", 1e3*r.compute))
}

// served compares the service's reply with the verdict on the topic.
func (l *journal) served(v *fcmsgs.Verdict) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.reply = v.ID == "by service" && v.Status == fcmsgs.VerdictContact
}

// waitForAll waits until every question is answered and the node has noticed the end of the
// joint states.
func (l *journal) waitForAll(ctx context.Context, most time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	for !l.complete() {
		select {
		case <-ctx.Done():
			return
		case <-l.answered:
		case <-look.C:
		}
	}
}

func (l *journal) complete() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for id := range l.question {
		if l.verdicts[id] == nil {
			return false
		}
	}
	n := len(l.states)
	return n > 0 && l.states[n-1].level == fcmsgs.CollisionStateUnknown
}

// sameNames reports whether two pairs name the same bodies, in any order.
func sameNames(a [2]string, b []string) bool {
	return len(b) == 2 && (slices.Equal(a[:], b) || a[0] == b[1] && a[1] == b[0])
}

// paint returns a level or status, padded to its column's width, in its colour.
func (l *journal) paint(word string) string {
	padded := fmt.Sprintf("%-10s", word)
	if c := cli.Colours[word]; l.colours && c != 0 {
		return fmt.Sprintf("\x1b[%dm%s\x1b[0m", c, padded)
	}
	return padded
}
