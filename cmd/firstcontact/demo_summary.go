package main

import (
	"fmt"
	"math"
	"slices"

	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
)

// How far what came may be from what was expected: the facts are good to a
// millisecond and a millimetre, and a state speaks of one row of the motion.
const (
	tocSlack   = 3e-3 // s
	clearSlack = 2e-3 // m
	rowSlack   = 1.5 / rate
	// A machine that is busy with other work stalls a process for longer than a
	// joint state stays fresh. What is then not judged is counted, and told; more
	// than this part of it is a fault.
	stalls = 0.02
)

// summary prints what was expected and what came, and counts what does not agree.
func (l *demoLog) summary() (faults int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	fmt.Fprintf(l.out, "\n%-30s %-34s %-50s\n", "summary", "expected", "came")
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

// line prints one expectation and returns 1 where it was not met.
func (l *demoLog) line(what, wanted, came string, ok bool) int {
	mark, fault := "", 0
	if !ok {
		mark, fault = "  <-- not as expected", 1
	}
	fmt.Fprintf(l.out, "%-30s %-34s %-50s%s\n", what, wanted, came, mark)
	return fault
}

func (l *demoLog) judgeVerdict(id string) int {
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

// judgeLevels holds each state against the moments at which the facts say that
// some pair is close or touches.
func (l *demoLog) judgeLevels() (faults int) {
	wave := l.script.wanted["wave.csv"]
	for _, near := range wave.Near {
		for _, touch := range near.Touch {
			during, right := 0, 0
			for _, s := range l.states {
				if s.at < touch[0]+rowSlack || s.at > touch[1]-rowSlack {
					continue
				}
				during++
				if s.level == fcmsgs.CollisionStateCollision && sameNames(s.pair, near.Pair) {
					right++
				}
			}
			faults += l.line("state "+near.Class, fmt.Sprintf("collision %.2f s to %.2f s", touch[0], touch[1]),
				fmt.Sprintf("%s and %s in %d of %d states", near.Pair[0], near.Pair[1], right, during), during > 0 && right == during)
		}
	}
	var levels [len(levelNames)]int
	wrong := 0
	for _, s := range l.states {
		if s.at < 0 {
			continue
		}
		levels[s.level]++
		if low, high := wave.levels(s.at); s.level < low || s.level > high {
			wrong++
		}
	}
	return faults + l.line("all other states", "the level of their distance",
		fmt.Sprintf("%d free, %d warn, %d stop, %d in collision, %d wrong", levels[1], levels[2], levels[3], levels[4], wrong), wrong == 0)
}

// levels bounds the level that a state at time t of the motion may have.
func (f *fact) levels(t float64) (low, high uint8) {
	low, high = fcmsgs.CollisionStateFree, fcmsgs.CollisionStateFree
	inside := func(spans [][2]float64, slack float64) bool {
		return slices.ContainsFunc(spans, func(s [2]float64) bool { return t >= s[0]-slack && t <= s[1]+slack })
	}
	for _, near := range f.Near {
		if inside(near.Within, rowSlack) {
			high = max(high, fcmsgs.CollisionStateStop)
		}
		if inside(near.Within, -rowSlack) {
			low = max(low, fcmsgs.CollisionStateWarn)
		}
		if inside(near.Touch, rowSlack) {
			high = fcmsgs.CollisionStateCollision
		}
		if inside(near.Touch, -rowSlack) {
			low = fcmsgs.CollisionStateCollision
		}
	}
	return low, high
}

// judgeChain tells whether every measured state was judged, and the silence after
// the last noticed.
func (l *demoLog) judgeChain() (faults int) {
	unknown, judged := 0, 0
	var last seen
	for i, s := range l.states {
		if s.at >= 0 {
			judged++
			last = s
		}
		if s.level == fcmsgs.CollisionStateUnknown && i < len(l.states)-1 {
			unknown++
		}
	}
	rows := int(l.script.length()*rate+0.5) + 1
	faults += l.line("the way between states", fmt.Sprintf("%d states, each way judged", rows),
		fmt.Sprintf("%d states, %d ways not judged, %d unknown", judged, last.lost, unknown),
		last.lost <= uint64(stalls*float64(rows)) && judged > rows/2)
	ended := len(l.states) > 0 && l.states[len(l.states)-1].level == fcmsgs.CollisionStateUnknown
	faults += l.line("silence at the end", "UNKNOWN", map[bool]string{true: "UNKNOWN", false: "something else"}[ended], ended)
	slices.Sort(l.latency)
	if n := len(l.latency); n > 0 {
		fmt.Fprintf(l.out, "%-30s %-34s median %.1f ms, 99 %% within %.1f ms, %d after the next state\n", "from measurement to state", "",
			1e3*l.latency[n/2], 1e3*l.latency[n*99/100], last.late)
	}
	return faults
}
