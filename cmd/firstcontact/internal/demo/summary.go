package demo

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
)

// Tolerances of the comparison: the facts are accurate to a millisecond and a millimetre, and
// a state is about one row of the motion.
const (
	tocSlack   = 3e-3 // s
	clearSlack = 2e-3 // m
	rowSlack   = 1.5 / rate
)

// summary prints the expected and the received results, and counts the differences.
func (l *journal) summary() (faults int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	fmt.Fprintf(l.out, "\n%-30s %-38s %-64s\n", "summary", "expected", "came")
	for _, id := range l.order {
		faults += l.judgeVerdict(id)
	}
	if !l.reply {
		faults += l.line("the service's reply", "contact", "another or none", false)
	}
	faults += l.judgeLevels()
	faults += l.judgeChain()
	if faults == 0 {
		fmt.Fprintln(l.out, "\nall as expected")
	}
	return faults
}

// line prints one expectation and returns 1 if it was not met.
func (l *journal) line(what, wanted, came string, ok bool) int {
	mark, fault := "", 0
	if !ok {
		mark, fault = "  <-- not as expected", 1
	}
	fmt.Fprintf(l.out, "%-30s %-38s %-64s%s\n", what, wanted, came, mark)
	return fault
}

func (l *journal) judgeVerdict(id string) int {
	question := l.question[id]
	want, v := l.script.wanted[question], l.verdicts[id]
	if id == "by service" {
		question += " again"
	}
	wanted := "free"
	if want.Status == "contact" {
		wanted = fmt.Sprintf("contact %s at %.3f s", want.Class, want.TOC)
	}
	if v == nil {
		return l.line(question, wanted, "no verdict", false)
	}
	came := "status " + statusNames[v.Status]
	ok := false
	switch v.Status {
	case fcmsgs.VerdictFree:
		came = fmt.Sprintf("free, %.1f ... %.1f mm apart", 1e3*v.MinClearanceLower, 1e3*v.MinClearanceUpper)
		ok = want.Status == "free" && v.MinClearanceKnown && len(want.Near) > 0 &&
			v.MinClearanceLower < want.Near[0].Least+clearSlack && v.MinClearanceUpper > want.Near[0].Least-clearSlack
	case fcmsgs.VerdictContact:
		came = fmt.Sprintf("contact %s at %.3f s, %s and %s", scopeNames[v.Scope], v.TOCUpper, v.Pair.A.Name, v.Pair.B.Name)
		ok = want.Status == "contact" && math.Abs(v.TOCUpper-want.TOC) < tocSlack && v.TOCLower <= v.TOCUpper &&
			scopeNames[v.Scope] == want.Class && sameNames([2]string{v.Pair.A.Name, v.Pair.B.Name}, want.Pair)
	}
	return l.line(question, wanted, came, ok)
}

// judgeLevels compares each state with the times at which some pair is close or touches
// according to the facts.
func (l *journal) judgeLevels() (faults int) {
	wave := l.script.wanted["wave.csv"]
	for _, near := range wave.Near {
		for _, touch := range near.Touch {
			faults += l.judgeTouch(near, touch)
		}
	}
	var levels [len(levelNames)]int
	wrong := 0
	for _, s := range l.states {
		if s.number < 0 {
			continue
		}
		levels[s.level]++
		low, high := wave.levels(s.from.at, s.at)
		if s.level < low || s.level > high || s.level > fcmsgs.CollisionStateFree && !wave.close(&s) {
			wrong++
		}
	}
	return faults + l.line("every state", "the level and pair of its distance",
		fmt.Sprintf("%d free, %d warn, %d stop, %d in collision, %d wrong", levels[1], levels[2], levels[3], levels[4], wrong), wrong == 0)
}

// judgeTouch compares the states with one contact of a pair: WARN and STOP precede it, and
// every state while it lasts is COLLISION. On a busy machine the node may miss some joint
// states; it then judges the motion across them, and need not predict what it could not
// measure.
func (l *journal) judgeTouch(near nearness, touch [2]float64) int {
	during, right, late := 0, 0, 0
	foretold := map[uint8]bool{}
	for _, s := range l.states {
		if s.number < 0 {
			continue
		}
		ours := sameNames(s.pair, near.Pair)
		if ours && s.at < touch[0] {
			foretold[s.level] = true
		}
		if s.number > s.from.number+1 && s.at >= near.comes(touch) && s.from.at < touch[0] {
			late++
		}
		if s.at < touch[0]+rowSlack || s.at > touch[1]-rowSlack {
			continue
		}
		if during++; ours && s.level == fcmsgs.CollisionStateCollision {
			right++
		}
	}
	came := fmt.Sprintf("%s and %s: ", near.Pair[0], near.Pair[1])
	warned := true
	for _, level := range []uint8{fcmsgs.CollisionStateWarn, fcmsgs.CollisionStateStop} {
		if foretold[level] {
			came += strings.ToLower(levelNames[level]) + ", "
		}
		warned = warned && foretold[level]
	}
	came += fmt.Sprintf("collision in %d of %d states", right, during)
	if late > 0 {
		came += fmt.Sprintf(", %d late", late)
	}
	return l.line("state "+near.Class, fmt.Sprintf("warn, stop, collision %.2f to %.2f s", touch[0], touch[1]),
		came, (warned && during > 0 || late > 0) && right == during)
}

// comes returns the time since which the pair is close before a contact.
func (n *nearness) comes(touch [2]float64) float64 {
	for _, s := range n.Within {
		if s[0] <= touch[0] && touch[0] <= s[1] {
			return s[0]
		}
	}
	return touch[0]
}

// overlaps reports whether one of the spans, extended by slack at both ends, overlaps the one
// from t0 to t1.
func overlaps(spans [][2]float64, slack, t0, t1 float64) bool {
	return slices.ContainsFunc(spans, func(s [2]float64) bool {
		begin, end := s[0]-slack, s[1]+slack
		return begin <= end && t1 >= begin && t0 <= end
	})
}

// levels bounds the level that a state at time t of the motion may have. A contact on the
// motion to it, which begins at time from, is COLLISION too.
func (f *fact) levels(from, t float64) (low, high uint8) {
	low, high = fcmsgs.CollisionStateFree, fcmsgs.CollisionStateFree
	for _, near := range f.Near {
		if overlaps(near.Within, rowSlack, t, t) {
			high = max(high, fcmsgs.CollisionStateStop)
		}
		if overlaps(near.Within, -rowSlack, t, t) {
			low = max(low, fcmsgs.CollisionStateWarn)
		}
		if overlaps(near.Touch, rowSlack, from, t) {
			high = fcmsgs.CollisionStateCollision
		}
		if overlaps(near.Touch, -rowSlack, from, t) {
			low = fcmsgs.CollisionStateCollision
		}
	}
	return low, high
}

// close reports whether the pair of a state is close at that time, or touches on the motion to
// it.
func (f *fact) close(s *seen) bool {
	return slices.ContainsFunc(f.Near, func(n nearness) bool {
		return sameNames(s.pair, n.Pair) &&
			(overlaps(n.Within, rowSlack, s.at, s.at) || s.level == fcmsgs.CollisionStateCollision && overlaps(n.Touch, rowSlack, s.from.at, s.at))
	})
}

// judgeChain checks that the motion to every joint state was judged, and the silence after the
// last one noticed.
func (l *journal) judgeChain() (faults int) {
	first, last, states := l.chain()
	unknown, busy := l.unknown()
	ways := last.number - first.number
	checked, unchecked := last.checked-first.checked, last.unchecked-first.unchecked
	came := fmt.Sprintf("%d judged, %d not, %d unknown, in %d states", checked, unchecked, unknown, states)
	if busy > 0 {
		came += fmt.Sprintf("; %d unknown as the machine was busy", busy)
	}
	faults += l.line("the ways between joint states", fmt.Sprintf("%d judged, 0 not, 0 unknown", len(l.motionAt)-1-first.number),
		came, ways == len(l.motionAt)-1-first.number && checked == uint64(ways) && unchecked == 0 && unknown == 0)
	ended := len(l.states) > 0 && l.states[len(l.states)-1].level == fcmsgs.CollisionStateUnknown
	faults += l.line("silence at the end", "UNKNOWN", map[bool]string{true: "UNKNOWN", false: "something else"}[ended], ended)
	slices.Sort(l.latency)
	if n := len(l.latency); n > 0 {
		fmt.Fprintf(l.out, "%-30s %-38s p50 %.1f ms, p99 %.1f ms, %d after the next joint state\n", "from joint state to state", "",
			1e3*l.latency[n/2], 1e3*l.latency[n*99/100], last.late-first.late)
	}
	return faults
}

// chain returns the first and the last state that judge a joint state, and their number.
func (l *journal) chain() (first, last seen, states int) {
	for _, s := range l.states {
		if s.number < 0 {
			continue
		}
		if states++; states == 1 {
			first = s
		}
		last = s
	}
	return first, last, states
}

// unknown counts the states that are UNKNOWN although joint states were arriving, and
// separately those that are because the node was delayed.
func (l *journal) unknown() (unknown, busy int) {
	for i, s := range l.states {
		switch {
		case s.number < 0 && i+1 == len(l.states): // the silence at the end
		case s.number < 0 && l.silent(i):
			busy++
		case s.level == fcmsgs.CollisionStateUnknown:
			unknown++
		}
	}
	return unknown, busy
}

// silent reports whether there was a silence around state i, which judges no joint state: the
// judged states before and after it are more than two periods of the joint states plus some
// slack apart, or the later one was that late. The node's watchdog publishes UNKNOWN then,
// which is correct on a busy machine.
func (l *journal) silent(i int) bool {
	const least = time.Second * 3 / (2 * rate)
	before, after := i-1, i+1
	for before >= 0 && l.states[before].number < 0 {
		before--
	}
	for after < len(l.states) && l.states[after].number < 0 {
		after++
	}
	if before < 0 || after == len(l.states) {
		return false
	}
	return l.states[after].sent.Sub(l.states[before].sent) >= least || l.states[after].latency >= least
}
