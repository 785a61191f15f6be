//go:build linux

package main

import (
	"math"
	"strings"
	"testing"
	"time"
)

// scene is a judge with publishers that write at will, on a clock of its own.
type scene struct {
	t      *testing.T
	judge  *judge
	number uint64
}

const testStart = int64(1_700_000_000_000_000_000)

func newScene(t *testing.T) *scene {
	return &scene{t: t, judge: &judge{timeout: 100 * time.Millisecond, ledger: newLedger()}}
}

func at(ms float64) int64 { return testStart + int64(ms*1e6) }

// write notes a sample that was written at a time, in ms, with a stamp that much off it.
func (s *scene) write(publisher int, when, offset, a float64) *sample {
	s.number++
	p := &sample{publisher: publisher, before: at(when), stamp: at(when + offset), q: [2]float64{marked(a, s.number), marked(0.1, s.number)}}
	s.judge.ledger.intend(p)
	s.judge.ledger.confirm(p, at(when), at(when+0.05))
	s.judge.ledger.witness(p.q, at(when+0.02), at(when+0.2))
	return p
}

// say judges a state FREE that rests on a sample and was published at a time.
func (s *scene) say(when float64, of *sample) {
	s.judge.hear(&claim{received: at(when + 0.3), published: at(when), level: 1, stamp: of.stamp, joint: 0, q: of.q[0]})
	s.judge.work(time.Unix(0, at(when+1)))
}

func (s *scene) want(stale, against, baseless, inFlight int) {
	s.t.Helper()
	j := s.judge
	if j.stale != stale || j.against != against || j.baseless != baseless || j.inFlight != inFlight {
		s.t.Errorf("%d stale, %d contradicted, %d baseless, %d in flight; want %d, %d, %d, %d\n%s",
			j.stale, j.against, j.baseless, j.inFlight, stale, against, baseless, inFlight, strings.Join(j.examples, "\n"))
	}
}

// series writes at 100 Hz.
func (s *scene) series(publisher int, from, to, offset, a float64) (last *sample) {
	for when := from; when < to; when += 10 {
		last = s.write(publisher, when, offset, a)
	}
	return last
}

func TestJudge(t *testing.T) {
	tests := map[string]struct {
		act                               func(s *scene)
		stale, against, baseless, flights int
	}{
		"fresh":                           {act: func(s *scene) { s.say(99, s.write(0, 0, 0, 0.2)) }},
		"old":                             {act: func(s *scene) { s.say(101, s.write(0, 0, 0, 0.2)) }, stale: 1},
		"old by its stamp alone":          {act: func(s *scene) { s.say(10, s.write(0, 0, -95, 0.2)) }, stale: 1},
		"old although its stamp is ahead": {act: func(s *scene) { s.say(101, s.write(0, 0, 95, 0.2)) }, stale: 1},
		"a fresh stamp on an old position": {act: func(s *scene) {
			old := s.write(0, 0, 0, 0.2)
			said := *s.write(0, 200, 0, 0.2)
			said.q[0] = old.q[0]
			s.say(201, &said)
		}, stale: 1},
		"a stamp that nobody wrote": {act: func(s *scene) {
			p := *s.write(0, 0, 0, 0.2)
			p.stamp++
			s.say(10, &p)
		}, baseless: 1},
		"a position that nobody wrote": {act: func(s *scene) {
			p := *s.write(0, 0, 0, 0.2)
			p.q[0] += 0.001
			s.say(10, &p)
		}, baseless: 1},
		"another in contact": {act: func(s *scene) {
			s.series(1, 0, 200, 0, 1.05)
			s.say(202, s.series(0, 0, 201, 0, 0.2))
		}, against: 1},
		"another in contact whose clock is behind": {act: func(s *scene) {
			s.series(1, 0, 200, -40, 1.05)
			s.say(202, s.series(0, 0, 201, 0, 0.2))
		}, against: 1},
		"the same publisher in contact since": {act: func(s *scene) {
			free := s.write(0, 100, 0, 0.2)
			s.series(0, 110, 190, 0, 1.05)
			s.say(191, free)
		}},
		"the same publisher in contact for longer than the timeout": {act: func(s *scene) {
			free := s.write(0, 100, 0, 0.2)
			s.series(0, 110, 220, 0, 1.05)
			s.say(211, free)
		}, stale: 1},
		"in contact a moment ago": {act: func(s *scene) {
			free := s.series(0, 0, 181, 0, 0.2)
			s.series(0, 190, 200, 0, 1.05)
			s.say(199, free)
		}},
		"another left the contact": {act: func(s *scene) {
			s.series(1, 0, 100, 0, 1.05)
			s.series(1, 100, 200, 0, 0.2)
			s.say(202, s.series(0, 0, 201, 0, 0.2))
		}},
		"another was in contact more than the timeout ago": {act: func(s *scene) {
			s.series(1, 0, 100, 0, 1.05)
			s.say(202, s.series(0, 0, 201, 0, 0.2))
		}},
		"another in contact that has just come": {act: func(s *scene) {
			s.series(1, 170, 200, 0, 1.05)
			s.say(202, s.series(0, 0, 201, 0, 0.2))
		}},
		"another in contact by a clock that the node refuses": {act: func(s *scene) {
			s.series(1, 0, 200, 120, 1.05)
			s.say(202, s.series(0, 0, 201, 0, 0.2))
		}},
		"sent after a pause, once": {act: func(s *scene) {
			p := s.write(0, 0, 0, 0.2)
			s.judge.pauses = []pause{{at(5), at(500)}}
			s.say(501, p)
			s.say(502, p)
		}, stale: 1, flights: 1},
		"old already when the pause began": {act: func(s *scene) {
			p := s.write(0, 0, 0, 0.2)
			s.judge.pauses = []pause{{at(120), at(500)}}
			s.say(501, p)
		}, stale: 1},
		"written while the node was stopped": {act: func(s *scene) {
			p := s.write(0, 50, 0, 0.2)
			s.judge.pauses = []pause{{at(5), at(500)}}
			s.say(501, p)
		}, stale: 1},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := newScene(t)
			test.act(s)
			s.t = t
			s.want(test.stale, test.against, test.baseless, test.flights)
		})
	}
}

// TestJudgeAllowsForTheCall lets the node take as long to write as publishers did then.
func TestJudgeAllowsForTheCall(t *testing.T) {
	s := newScene(t)
	p := s.write(0, 0, 0, 0.2)
	slow := &sample{publisher: 1, before: at(90), stamp: at(90), q: [2]float64{math.NaN(), marked(0.1, 500)}}
	s.judge.ledger.intend(slow)
	s.judge.ledger.confirm(slow, at(90), at(96))
	s.judge.ledger.witness(slow.q, at(95), at(96))
	s.say(104, p)
	s.want(0, 0, 0, 0)
	s.say(106, p)
	s.want(1, 0, 0, 0)
}

func TestJudgeCountsWhatIsTakenBack(t *testing.T) {
	for gap, want := range map[float64]int{1: 0, 9: 1} {
		s := newScene(t)
		p := s.write(0, 0, 0, 0.2)
		s.judge.hear(&claim{received: at(102), published: at(101), level: 1, stamp: p.stamp, q: p.q[0]})
		s.judge.hear(&claim{received: at(103 + gap), published: at(101 + gap), stamp: p.stamp})
		s.judge.work(time.Unix(0, at(200)))
		s.want(want, 0, 0, 0)
		if s.judge.takenBack != 1-want {
			t.Errorf("after %g ms: %d taken back", gap, s.judge.takenBack)
		}
	}
}

func TestJudgeLetsOldDataMakeAStateGraver(t *testing.T) {
	for level, want := range map[uint8]int{1: 1, 2: 0, 3: 0} {
		s := newScene(t)
		old, fresh := s.write(1, 0, 0, 0.97), s.write(0, 100, 0, 0.2)
		s.judge.hear(&claim{received: at(121), published: at(120), level: level, stamp: fresh.stamp, q: old.q[0]})
		s.judge.work(time.Unix(0, at(200)))
		s.want(want, 0, 0, 0)
	}
}

func TestMarksTellPositionsApart(t *testing.T) {
	for _, q := range []float64{0.2, 0.1, 0.95, 1.05} {
		seen := map[int64]bool{}
		for n := range uint64(marks) {
			m := markOf(marked(q, n))
			if seen[m] {
				t.Fatalf("%g: number %d has the mark of another", q, n)
			}
			seen[m] = true
		}
	}
	if q := marked(0.9994, marks-1); q >= contactAt {
		t.Errorf("the mark moves a free position into contact: %g", q)
	}
}
