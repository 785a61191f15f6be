package papers

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/firstcontact-ros/firstcontact/motion"
)

// The parts that methods play in a sample.
const (
	ofPaper = "paper" // a form of the paper's method
	ofOurs  = "ours"  // the default engine
	sampled = "samples"
	stage   = "stage" // a part of a method
)

// Sample is how long several methods took for the same work, piece by piece: for each
// motion, run of a planner or query of a distance. Every ratio and quartile on the page
// is worked out of samples, so that rules can change without measuring anew.
type Sample struct {
	Row      string  `json:"row"`
	Workload string  `json:"workload"` // of the generator
	Work     string  `json:"work"`     // what is done there: motions, planning, distance
	Kinds    string  `json:"kinds"`    // a letter for each piece: c touches, f is free, u is not known
	Series   []Times `json:"series"`
	Differs  string  `json:"differs,omitempty"` // in what the work is not the paper's
}

// Times are a method's.
type Times struct {
	Method string `json:"method"`
	Role   string `json:"role"`
	Said   string `json:"said"` // a letter for each piece, as Kinds; u was not decided in its time, n is nothing found by samples
	Us     micro  `json:"us"`
}

// micro are microseconds, written in one line of four digits each.
type micro []float64

// MarshalText implements encoding.TextMarshaler.
func (m micro) MarshalText() ([]byte, error) {
	words := make([]string, len(m))
	for i, x := range m {
		words[i] = strconv.FormatFloat(x, 'g', 4, 64)
	}
	return []byte(strings.Join(words, " ")), nil
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (m *micro) UnmarshalText(text []byte) error {
	words := strings.Fields(string(text))
	*m = make(micro, len(words))
	for i, w := range words {
		x, err := strconv.ParseFloat(w, 64)
		if err != nil || !(x >= 0) {
			return fmt.Errorf("%q is no time", w)
		}
		(*m)[i] = x
	}
	return nil
}

var letterOf = map[motion.Status]byte{motion.Contact: 'c', motion.Free: 'f', motion.Undecided: 'u'}

// sample is what the contest recorded.
func (c *contest) sample(row, workload string) Sample {
	s := Sample{Row: row, Workload: workload, Work: "motions"}
	var kinds strings.Builder
	for i := range c.motions {
		kinds.WriteByte(letterOf[c.truth(i)])
	}
	s.Kinds = kinds.String()
	for k := range c.methods {
		t := Times{Method: c.methods[k].name, Role: ofPaper}
		switch {
		case c.methods[k].samples:
			t.Role = sampled
		case k == len(c.methods)-1 && c.methods[k].ours:
			t.Role = ofOurs
		}
		said := make([]byte, len(c.answers[k]))
		for i, a := range c.answers[k] {
			said[i] = letterOf[a.verdict.Status]
			if t.Role == sampled && said[i] == 'u' && a.time < c.one {
				said[i] = 'n'
			}
			t.Us = append(t.Us, micros(a.time))
		}
		t.Said = string(said)
		s.Series = append(s.Series, t)
	}
	return s
}

// check says what is wrong with a sample that was read.
func (s *Sample) check() error {
	for i := range s.Series {
		if t := &s.Series[i]; len(t.Said) != len(s.Kinds) || len(t.Us) != len(s.Kinds) {
			return fmt.Errorf("row %s: %s has %d answers and %d times of %d pieces of work", s.Row, t.Method, len(t.Said), len(t.Us), len(s.Kinds))
		}
	}
	return nil
}

// method is the index of a method's times, or -1.
func (s *Sample) method(name string) int {
	return slices.IndexFunc(s.Series, func(t Times) bool { return t.Method == name })
}

// perPiece times a walk of n pieces of work, each several times, and keeps the median of
// each. One walk goes before that does not count.
func (b *Bench) perPiece(n int, do func(i int)) micro {
	runs := b.pick(1, 7)
	nothing := make([]time.Duration, 1001)
	for i := range nothing {
		nothing[i] = computing(func() {})
	}
	slices.Sort(nothing)
	clock := nothing[len(nothing)/2] // what asking the clock takes
	times := make([][]time.Duration, n)
	for r := range runs + 1 {
		for i := range n {
			took := computing(func() { do(i) })
			if r > 0 {
				times[i] = append(times[i], max(0, took-clock))
			}
		}
	}
	out := make(micro, n)
	for i := range times {
		slices.Sort(times[i])
		out[i] = micros(times[i][runs/2])
	}
	return out
}

// differing notes in what the work is not the paper's.
func (s Sample) differing(how string) Sample {
	s.Differs = how
	return s
}
