package certificate

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// words splits a line into words. It keeps the first error, and returns zeros after it.
type words struct {
	rest string
	err  error
}

func (w *words) fail(format string, args ...any) {
	if w.err == nil {
		w.err = fmt.Errorf(format, args...)
	}
}

func (w *words) next() string {
	if w.err != nil {
		return ""
	}
	s, rest, _ := strings.Cut(w.rest, " ")
	if s == "" {
		w.fail("a word is missing, or there are two blanks in a row")
	}
	w.rest = rest
	return s
}

func (w *words) word(want string) {
	if got := w.next(); got != want {
		w.fail("found %.40q, expected %s", got, want)
	}
}

// flag consumes the word if it is next.
func (w *words) flag(want string) bool {
	if w.rest == want {
		w.rest = ""
		return true
	}
	if rest, ok := strings.CutPrefix(w.rest, want+" "); ok {
		w.rest = rest
		return true
	}
	return false
}

func (w *words) quoted() string {
	if w.err != nil {
		return ""
	}
	q, err := strconv.QuotedPrefix(w.rest)
	if err != nil {
		w.fail("%.40q is not a name in quotes", w.rest)
		return ""
	}
	w.rest = w.rest[len(q):]
	if w.rest != "" && !strings.HasPrefix(w.rest, " ") {
		w.fail("a blank is missing after %s", q)
	}
	w.rest = strings.TrimPrefix(w.rest, " ")
	s, err := strconv.Unquote(q)
	if err != nil {
		w.fail("%.40q is not a name in quotes", q)
	}
	return s
}

func (w *words) integer() int {
	s := w.next()
	if w.err != nil {
		return 0
	}
	return w.natural(s)
}

// signed reads a number of turns.
func (w *words) signed() int {
	s := w.next()
	n, err := strconv.ParseInt(s, 10, 32)
	if err != nil {
		w.fail("%.40q is not a whole number", s)
		return 0
	}
	return int(n)
}

// natural reads a number of atoms, bodies or pieces.
func (w *words) natural(s string) int {
	n, err := strconv.ParseUint(s, 10, 31)
	if err != nil {
		w.fail("%.40q is not a whole number from 0 to 2^31 - 1", s)
		return 0
	}
	return int(n)
}

func (w *words) number() float64 {
	s := w.next()
	if w.err != nil {
		return 0
	}
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		w.fail("%.40q is not a finite number", s)
		return 0
	}
	return x
}

func (w *words) vec() geom.Vec { return geom.Vec{X: w.number(), Y: w.number(), Z: w.number()} }

func (w *words) sum() [32]byte {
	s := w.next()
	if w.err != nil {
		return [32]byte{}
	}
	sum, err := sumOf(s)
	if err != nil {
		w.err = err
	}
	return sum
}

func (w *words) kind() BodyKind {
	s := w.next()
	for i, name := range kindNames {
		if s == name {
			return BodyKind(i)
		}
	}
	w.fail("%.40q is not a kind of body: use link, attached or world", s)
	return Link
}

func (w *words) body(bodies int) int {
	i := w.integer()
	if w.err == nil && i >= bodies {
		w.fail("there is no body %d: the header has %d", i, bodies)
	}
	return i
}

// part reads BODY, BODY:FIRST or BODY:FIRST+COUNT.
func (w *words) part(bodies int) Part {
	s := w.next()
	if w.err != nil {
		return Part{}
	}
	body, of, ranged := strings.Cut(s, ":")
	p := Part{Body: w.natural(body)}
	if w.err == nil && p.Body >= bodies {
		w.fail("there is no body %d: the header has %d", p.Body, bodies)
	}
	if !ranged {
		return p
	}
	first, count, more := strings.Cut(of, "+")
	p.First, p.Count = w.natural(first), 1
	if more {
		p.Count = w.natural(count)
	}
	if w.err == nil && p.Count == 0 {
		w.fail("%.40q has no atoms", s)
	}
	return p
}

func (w *words) plane(bodies int) *Item {
	i := &Item{A: w.part(bodies), B: w.part(bodies), HasNormal: true, Normal: w.vec()}
	if i.HasCenterA = w.flag("a"); i.HasCenterA {
		i.CenterA = w.vec()
	}
	if i.HasCenterB = w.flag("b"); i.HasCenterB {
		i.CenterB = w.vec()
	}
	return i
}

// done returns the first error, or reports the unread rest of the line.
func (w *words) done() error {
	if w.err == nil && w.rest != "" {
		w.fail("unexpected %.40q at the end of the line", w.rest)
	}
	return w.err
}
