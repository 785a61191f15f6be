package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/internal/base/cputime"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// sweep changes one number of a family of free motions.
type sweep struct {
	name, title string
	x           string // what changes, with its unit
	grows       growth
	at          []float64
	cases       func(x float64) ([]question, error)
}

// question is a motion that a checker proves free.
type question struct {
	of *ccd.Checker
	m  *motion.Motion
}

// growth is the form of the law that is fitted to a curve.
type growth int

const (
	power       growth = iota // steps = a x^b
	logarithmic               // steps = a + b log10(x)
)

// cost is what the motions at one x take, medians.
type cost struct {
	x                           float64
	motions                     int
	intervals, proofs, searches float64
	micros                      float64
	yesNoIntervals, yesNoMicros float64 // where a yes or no is asked for
}

type curve struct {
	sweep
	points []cost
}

func (s sweep) measure() (curve, error) {
	c := curve{sweep: s}
	for _, x := range s.at {
		questions, err := s.cases(x)
		if err != nil {
			return c, fmt.Errorf("at %g: %w", x, err)
		}
		p, err := costOf(x, questions)
		if err != nil {
			return c, fmt.Errorf("at %g: %w", x, err)
		}
		c.points = append(c.points, p)
	}
	return c, nil
}

// costOf asks each question several times; those that are not free do not count.
func costOf(x float64, questions []question) (cost, error) {
	var intervals, proofs, searches, micros, yesNoIntervals, yesNoMicros []float64
	for i := range questions {
		v, spent, err := questions[i].ask(motion.FirstContact)
		if err != nil {
			return cost{}, err
		}
		if v.Status != motion.Free {
			continue
		}
		intervals = append(intervals, float64(v.Work.Intervals))
		proofs = append(proofs, float64(v.Work.Proofs))
		searches = append(searches, float64(v.Work.Distances))
		micros = append(micros, float64(spent)/float64(time.Microsecond))
		if v, spent, err = questions[i].ask(motion.IsFree); err != nil {
			return cost{}, err
		}
		yesNoIntervals = append(yesNoIntervals, float64(v.Work.Intervals))
		yesNoMicros = append(yesNoMicros, float64(spent)/float64(time.Microsecond))
	}
	if len(intervals) == 0 {
		v, _, _ := questions[0].ask(motion.FirstContact)
		return cost{}, fmt.Errorf("none of %d motions is free; the first is %v at %v after %+v (%s)", len(questions), v.Status, v.TOC, v.Work, v.Reason)
	}
	return cost{
		x: x, motions: len(intervals), intervals: median(intervals), proofs: median(proofs), searches: median(searches), micros: median(micros),
		yesNoIntervals: median(yesNoIntervals), yesNoMicros: median(yesNoMicros),
	}, nil
}

// ask returns the verdict and the least computing time of some repetitions.
func (q *question) ask(what motion.Question) (motion.Verdict, time.Duration, error) {
	least := time.Duration(math.MaxInt64)
	var v motion.Verdict
	var err error
	for range 5 {
		spent := cputime.Of(func() { v, err = q.of.Check(context.Background(), q.m, motion.Query{Question: what}) })
		if err != nil {
			return v, 0, err
		}
		least = min(least, spent)
	}
	return v, least, nil
}

func median(xs []float64) float64 {
	slices.Sort(xs)
	return xs[len(xs)/2]
}

// law is what was fitted by least squares: a and b of the growth's form, and by how much a
// measured number differs from it at most: a factor of a power, a difference otherwise.
type law struct {
	a, b, off float64
}

// fit fits the number that of tells.
func (c *curve) fit(of func(*cost) float64) law {
	var sx, sy, sxx, sxy float64
	xy := func(p *cost) (float64, float64) {
		if c.grows == power {
			return math.Log(p.x), math.Log(of(p))
		}
		return math.Log10(p.x), of(p)
	}
	n := float64(len(c.points))
	for i := range c.points {
		x, y := xy(&c.points[i])
		sx, sy, sxx, sxy = sx+x, sy+y, sxx+x*x, sxy+x*y
	}
	b := (n*sxy - sx*sy) / (n*sxx - sx*sx)
	l := law{a: (sy - b*sx) / n, b: b}
	if c.grows == power {
		l.a = math.Exp(l.a)
	}
	for i := range c.points {
		got, want := of(&c.points[i]), c.expected(l, c.points[i].x)
		if c.grows == power {
			l.off = max(l.off, got/want, want/got)
		} else {
			l.off = max(l.off, math.Abs(got-want))
		}
	}
	return l
}

// expected is what a law says.
func (c *curve) expected(l law, x float64) float64 {
	if c.grows == power {
		return l.a * math.Pow(x, l.b)
	}
	return l.a + l.b*math.Log10(x)
}
