package lazyprm

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"time"
)

// SmoothOptions of Smooth; the zero value is the documented default.
type SmoothOptions struct {
	Seed   uint64
	Rounds int // 0 means 100
	// Together is how many shortcuts are tried at once, each in a stretch of the path
	// of its own; 0 means 3. With 1 it is what SSL04 does in section V-E.
	Together int
	Clock    func() time.Duration // as in Options
}

// Smoothing tells what a smoothing did.
type Smoothing struct {
	Time          time.Duration
	Before, After float64 // lengths of the path, in rad
	Tried         int     // shortcuts
	Taken         int
	Kept          int // tests that went on from what an earlier one had found out
}

// attempts is how often a shortcut that was in collision is halved.
const attempts = 4

// Smooth shortens a path by shortcuts that the checker finds free (SSL04, section V-E):
// it draws a point of the path and tries to cut from halfway before it to halfway behind
// it; where that collides it goes half as far, and half again. Shortcuts in several
// stretches are tested together: where one collides, what was found out about the others
// is kept, and the test goes on from there (section II-D).
//
// The points at which a path is cut are rounded, so that who needs a proof has the path
// verified at the end; see Problem.Verify.
func Smooth(ctx context.Context, p *Problem, checker EdgeChecker, path [][]float64, o SmoothOptions) ([][]float64, Smoothing, error) {
	if len(path) < 2 {
		return nil, Smoothing{}, errors.New("a path has two configurations at least")
	}
	if o.Clock == nil {
		o.Clock = wall()
	}
	s := smoother{ctx: ctx, checker: checker, dice: rand.New(rand.NewPCG(o.Seed, 0x5300)), path: slices.Clone(path)}
	s.did.Before = Length(path)
	begin := o.Clock()
	together := int(orDefault(float64(o.Together), 3))
	for range int(orDefault(float64(o.Rounds), 100)) {
		if err := s.round(1 + s.dice.IntN(together)); err != nil {
			return nil, s.did, err
		}
	}
	s.did.Time, s.did.After = o.Clock()-begin, Length(s.path)
	return p.Unambiguous(s.path), s.did, nil
}

type smoother struct {
	ctx     context.Context
	checker EdgeChecker
	dice    *rand.Rand
	path    [][]float64
	did     Smoothing
}

// shortcut is one that is tried: from place lo to place hi along the path, in rad,
// around the point at.
type shortcut struct {
	lo, at, hi float64
	left       int // attempts
	edge       *Edge
	tested     bool
}

// round tries n shortcuts together and takes those that are free.
func (s *smoother) round(n int) error {
	length := Length(s.path)
	var tried []*shortcut
	for k := range n {
		lo, hi := length*float64(k)/float64(n), length*float64(k+1)/float64(n)
		c := &shortcut{lo: lo, at: lo + s.dice.Float64()*(hi-lo), hi: hi, left: attempts}
		if s.halve(c) {
			tried = append(tried, c)
		}
	}
	for len(tried) > 0 {
		hit, err := s.test(tried)
		if err != nil {
			return err
		}
		if hit < 0 {
			break
		}
		if !s.halve(tried[hit]) {
			tried = slices.Delete(tried, hit, hit+1)
		}
	}
	for _, c := range slices.Backward(tried) { // from the end, so that places stay
		s.take(c)
	}
	return nil
}

func (s *smoother) test(tried []*shortcut) (int, error) {
	edges := make([]*Edge, len(tried))
	for i, c := range tried {
		if edges[i] = c.edge; c.tested {
			s.did.Kept++
		}
		c.tested = true
	}
	return s.checker.Test(s.ctx, edges)
}

// halve moves both ends of a shortcut halfway to its middle. It reports false where
// that is not worth trying: the path is straight there, or all attempts are spent.
func (s *smoother) halve(c *shortcut) bool {
	for c.left > 0 {
		c.left--
		c.lo, c.hi = (c.lo+c.at)/2, (c.at+c.hi)/2
		i, a := s.locate(c.lo)
		j, b := s.locate(c.hi)
		if i == j {
			return false
		}
		if distance(a, b) > c.hi-c.lo-1e-6 {
			continue
		}
		c.edge, c.tested = NewEdge(a, b), false
		s.did.Tried++
		return true
	}
	return false
}

// locate returns the configuration at a place along the path, and which step of it the
// place is on.
func (s *smoother) locate(at float64) (step int, q []float64) {
	for i := 1; i < len(s.path); i++ {
		d := distance(s.path[i-1], s.path[i])
		if at < d {
			return i - 1, between(s.path[i-1], s.path[i], at/d)
		}
		at -= d
	}
	last := len(s.path) - 1
	return last - 1, s.path[last]
}

func (s *smoother) take(c *shortcut) {
	i, _ := s.locate(c.lo)
	j, _ := s.locate(c.hi)
	s.path = slices.Concat(s.path[:i+1], [][]float64{c.edge.From, c.edge.To}, s.path[j+1:])
	s.did.Taken++
}
