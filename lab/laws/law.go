package laws

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/firstcontact-ros/firstcontact/motion"
)

// law is a way to ask again.
type law struct {
	name string
	in   int // tried once in so many cases
	try  func(t *trial)
	rest bool // of the root link: not for motions that move it
}

// laws lists all of them, a function each.
var laws = []law{
	{"files and the Go API", 2, filesAndAPI, false},
	{"state or motion", 1, stateOrMotion, false},
	{"distance 0 where a rest is in contact", 1, restAndDistance, false},
	{"methods, questions and workers agree", 1, methodsAgree, false},
	{"a motion in two parts", 1, inTwoParts, false},
	{"a motion backwards", 2, backwards, false},
	{"waypoints on the way", 1, waypointsOnTheWay, true},
	{"waypoints are met", 1, waypointsAreMet, true},
	{"meshes written another way", 1, meshesAnotherWay, false},
	{"a box as a mesh", 2, boxAsMesh, false},
	{"a scene edited", 1, sceneEdited, false},
	{"an object in two", 2, objectInTwo, false},
	{"everything scaled", 2, everythingScaled, true},
	{"other names, another order", 2, otherNames, false},
	{"a fixed joint more", 2, fixedJointMore, false},
	{"an axis turned round", 2, axisTurned, false},
	{"a mimic with a row of its own", 1, mimicWithRow, false},
	{"whole turns added", 1, wholeTurns, false},
	{"held or named", 1, heldOrNamed, false},
	{"slower", 4, slower, true},
	{"a root at rest elsewhere", 2, rootAtRest, true},
	{"hung elsewhere", 3, hungElsewhere, true},
	{"a moving root as joints", 2, rootAsJoints, true},
	{"pair by pair", 2, pairByPair, true},
	{"clearance as padding", 2, clearanceAsPadding, false},
	{"fewer things are no nearer", 2, moreIsNearer, false},
	{"never, always and samples", 6, neverAndAlways, false},
	{"a gauge and distances", 2, gaugeAndDistance, false},
	{"a proof is accepted", 2, certified, false},
	{"unknown names are refused", 2, misspelt, false},
	{"numbers without bounds are refused", 2, boundless, false},
	{"inputs are copied", 2, inputsCopied, false},
	{"a carried object as a link", 1, carriedAsLink, false},
	{"a link's shape in two", 2, linkInTwo, false},
	{"a shape on a link of its own", 2, shapesOnLinks, false},
	{"cells as boxes", 3, cellsAsBoxes, false},
	{"splines by their points", 4, splinesByPoints, true},
	{"near misses", 2, nearMiss, false},
	{"a late start is not free", 3, lateStart, true},
	{"ranges are copied", 2, rangesCopied, false},
	{"joined alone", 3, joinedAlone, true},
	{"pairs left out on anyone's word", 2, anyonesWord, false},
	{"padding from anywhere", 2, paddingAnywhere, false},
	{"carried but not given", 2, carriedButNotGiven, true},
	{"all touching by default", 4, allTouching, false},
	{"a chain of mimics", 1, mimicChain, false},
	{"solids written another way", 4, solidsAnotherWay, false},
	{"parts of a mesh as objects", 4, partsAsObjects, false},
}

// trial is one law tried on one case.
type trial struct {
	dice
	law   string
	seed  uint64
	base  *answer
	tally *tally
}

// subject returns a copy of the case that may be changed.
func (t *trial) subject() *subject { return t.base.a.of.clone() }

// build builds a subject one way or the other, and records what is refused.
func (t *trial) build(s *subject) (*asked, bool) {
	return t.buildBy(s, t.one(3) && !s.inMemoryOnly)
}

func (t *trial) buildBy(s *subject, files bool) (*asked, bool) {
	make := s.inMemory
	if files {
		make = s.fromFiles
	}
	a, err := make()
	if err != nil {
		t.contradicts("refused: %v", err)
	}
	return a, err == nil
}

// ask builds a subject and asks the case's question.
func (t *trial) ask(s *subject) (*answer, bool) {
	a, ok := t.build(s)
	if !ok {
		return nil, false
	}
	q := s.query()
	q.Question = t.base.q.Question
	return t.check(a, q)
}

// alike asks about another form of the case, which must be answered like the case.
func (t *trial) alike(s *subject) {
	if y, ok := t.ask(s); ok {
		t.same(t.base, y, true)
		if t.one(4) {
			t.sameLeast(y)
		}
	}
}

func (t *trial) contradicts(format string, args ...any) {
	t.tally.mu.Lock()
	defer t.tally.mu.Unlock()
	t.tally.wrong[t.law] = append(t.tally.wrong[t.law], fmt.Sprintf("case %d, %s: %s", t.seed, t.law, fmt.Sprintf(format, args...)))
}

// tally counts what was compared.
type tally struct {
	mu                     sync.Mutex
	told                   time.Time // when progress was told
	cases, contact, free   int
	open                   int // cases whose first answer was Undecided
	nothing                int // cases with nothing to check
	pairs, ties, und, half map[string]int
	times                  map[string]int // ties of the times of contact
	wrong                  map[string][]string
}

func newTally() *tally {
	return &tally{pairs: map[string]int{}, ties: map[string]int{}, und: map[string]int{}, half: map[string]int{}, times: map[string]int{}, wrong: map[string][]string{}}
}

func (c *tally) add(m map[string]int, law string) {
	c.mu.Lock()
	m[law]++
	c.mu.Unlock()
}

func (c *tally) pair(law string) { c.add(c.pairs, law) }
func (c *tally) tie(law string)  { c.add(c.ties, law) }

func (c *tally) undecided(law string, one bool) {
	c.add(c.und, law)
	if one {
		c.add(c.half, law)
	}
}

func sum(m map[string]int) (n int) {
	for _, k := range m {
		n += k
	}
	return n
}

func (c *tally) contradictions() (n int) {
	for _, w := range c.wrong {
		n += len(w)
	}
	return n
}

// String is a table of the laws.
func (c *tally) String() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var b strings.Builder
	fmt.Fprintf(&b, "%d cases (%d contact, %d free, %d undecided; %d with nothing to check), %d pairs, %d ties and %d of times, %d undecided (%d on one side), %d contradictions\n",
		c.cases, c.contact, c.free, c.open, c.nothing, sum(c.pairs), sum(c.ties), sum(c.times), sum(c.und), sum(c.half), c.contradictions())
	fmt.Fprintf(&b, "%-40s %8s %6s %6s %6s %6s %6s\n", "law", "pairs", "ties", "times", "und.", "half", "wrong")
	names := map[string]bool{}
	for _, m := range []map[string]int{c.pairs, c.ties, c.und} {
		for n := range m {
			names[n] = true
		}
	}
	for n := range c.wrong {
		names[n] = true
	}
	for _, n := range slices.Sorted(maps.Keys(names)) {
		fmt.Fprintf(&b, "%-40s %8d %6d %6d %6d %6d %6d\n", n, c.pairs[n], c.ties[n], c.times[n], c.und[n], c.half[n], len(c.wrong[n]))
	}
	return b.String()
}

// run draws a case and tries laws on it.
func run(seed uint64, c *tally, only string) {
	d := roll(11, seed)
	s := d.draw()
	t := &trial{dice: d, law: "case", seed: seed, tally: c}
	make := s.fromFiles
	if d.one(2) {
		make = s.inMemory
	}
	a, err := make()
	if err != nil {
		t.contradicts("cannot be built: %v", err)
		return
	}
	if p := a.checker.Pairs(); p.Self+p.World == 0 {
		c.mu.Lock()
		c.nothing++
		c.mu.Unlock()
		return
	}
	base, ok := t.check(a, s.query())
	if !ok {
		return
	}
	c.mu.Lock()
	c.cases++
	switch base.v.Status {
	case motion.Contact:
		c.contact++
	case motion.Free:
		c.free++
	default:
		c.open++
	}
	c.mu.Unlock()
	for i, l := range laws {
		if d := roll(uint64(i)+100, seed); d.one(l.in) && (only == "" || only == l.name) && !(l.rest && len(s.root) > 0) {
			l.try(&trial{dice: d, law: l.name, seed: seed, base: base, tally: c})
		}
	}
}
