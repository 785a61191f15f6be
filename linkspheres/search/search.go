package search

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/linkspheres"
)

// Strategy says how centres are chosen.
type Strategy uint8

// The strategies; see the package's documentation.
const (
	Best Strategy = iota // each, and the one whose balls stick out least
	Medial
	Clusters
)

// String returns the strategy's name.
func (s Strategy) String() string { return [...]string{"best", "medial", "clusters"}[s] }

// Options set the number or accuracy of balls. Give Balls or Excess; the zero value is
// invalid.
type Options struct {
	Balls       int     // at most so many
	Excess      float64 // or as many as it takes for none to stick out farther, metres
	SurfaceOnly bool
	Strategy    Strategy
	Seed        uint64
	Sparse      bool                // sample the body at a fourth of the density: faster, with worse results
	Proof       linkspheres.Options // what a proof may cost; SurfaceOnly is taken from above
}

// MaxBalls is the maximum number of balls per link.
const MaxBalls = 2000

// Result is a set of balls that are proved to cover a body, and how far they protrude.
type Result struct {
	Balls    []linkspheres.Ball
	Excess   linkspheres.Excess
	Proof    linkspheres.Proof
	Strategy Strategy
}

// Cover returns balls that are proved to cover b. An error names the link and the remedy; it
// wraps a *[linkspheres.Refusal] if balls were found but not proved.
func Cover(ctx context.Context, b *linkspheres.Body, o Options) (*Result, error) {
	o.Proof.SurfaceOnly = o.SurfaceOnly
	switch {
	case b.Empty():
		return nil, fmt.Errorf("link %s has no collision geometry", b.Link)
	case o.Excess > 0:
		return upTo(ctx, b, o)
	case o.Balls < 1 || o.Balls > MaxBalls:
		return nil, fmt.Errorf("link %s: %d spheres: give 1 to %d", b.Link, o.Balls, MaxBalls)
	}
	s := newSample(b, densityFor(o), o.SurfaceOnly, randomOf(o.Seed))
	return s.best(ctx, o, o.Balls)
}

// densityFor chooses how finely a body is sampled.
func densityFor(o Options) density {
	d := density{points: min(2500+40*o.Balls, 12000), sites: min(1200+12*o.Balls, 4000)}
	if o.Sparse {
		return density{d.points / 4, d.sites / 4}
	}
	return d
}

func randomOf(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0xc0fe)) }

// best runs the requested strategies and returns the result that protrudes least or, if equal,
// has the smaller volume.
func (s *sample) best(ctx context.Context, o Options, n int) (*Result, error) {
	var found *Result
	for _, strategy := range [...]Strategy{Medial, Clusters} {
		if o.Strategy != Best && o.Strategy != strategy {
			continue
		}
		var centers []site
		if strategy == Medial {
			centers = s.medial(n)
		} else {
			centers = s.clusters(n)
		}
		r, err := s.finish(ctx, o, centers)
		if err != nil {
			return nil, err
		}
		r.Strategy = strategy
		if found == nil || r.Excess.Upper < found.Excess.Upper {
			found = r
		}
	}
	return found, nil
}

// finish makes balls of centres, proves them and measures them.
func (s *sample) finish(ctx context.Context, o Options, centers []site) (*Result, error) {
	r := &Result{Balls: s.tighten(centers)}
	var err error
	if _, err = s.prove(ctx, o, r.Balls); err != nil {
		return nil, err
	}
	r.Balls = s.squeeze(ctx, o, r.Balls)
	if r.Proof, err = linkspheres.Prove(ctx, s.body, r.Balls, o.Proof); err != nil {
		return nil, err
	}
	r.Excess, err = s.body.Excess(ctx, r.Balls, linkspheres.ExcessOptions{})
	return r, err
}

// prove proves the balls, growing one wherever the proof fails.
func (s *sample) prove(ctx context.Context, o Options, balls []linkspheres.Ball) (linkspheres.Proof, error) {
	for grown := 0; ; grown++ {
		p, err := linkspheres.Prove(ctx, s.body, balls, o.Proof)
		var refusal *linkspheres.Refusal
		if err == nil || !errors.As(err, &refusal) {
			return p, err
		}
		if grown == 400 || !geom.Finite(refusal.Point) {
			return p, fmt.Errorf("%w: allow more spheres, or repair its mesh", refusal)
		}
		grow(balls, refusal.Point)
	}
}

// squeeze reduces radii if the proof still succeeds with one per cent less, and removes
// superfluous balls. Each piece of surface is assigned to one ball, so [sample.tighten] does
// not find all of that.
func (s *sample) squeeze(ctx context.Context, o Options, balls []linkspheres.Ball) []linkspheres.Ball {
	o.Proof.MaxPieces = 2*len(s.pieces) + 20_000
	holds := func(balls []linkspheres.Ball) bool {
		_, err := linkspheres.Prove(ctx, s.body, balls, o.Proof)
		return err == nil
	}
	for i := 0; i < len(balls); i++ {
		was := balls[i].Radius
		if balls[i].Radius = was * (1 - slim); !holds(balls) {
			balls[i].Radius = was
			continue
		}
		if without := slices.Delete(slices.Clone(balls), i, i+1); holds(without) {
			balls = without
			i--
			continue
		}
		lo, hi := 0.0, was*(1-slim)
		for hi-lo > slim/2*hi {
			balls[i].Radius = (lo + hi) / 2
			if holds(balls) {
				hi = balls[i].Radius
			} else {
				lo = balls[i].Radius
			}
		}
		balls[i].Radius = hi * (1 + spare)
	}
	return balls
}

// slim is the maximum part by which a radius should exceed the necessary one.
const slim = 8e-3

// grow enlarges the ball that needs the least growth to contain p, with a reserve.
func grow(balls []linkspheres.Ball, p geom.Vec) {
	best, at := math.Inf(1), 0
	for i := range balls {
		if d := distance(p, balls[i].Center) - balls[i].Radius; d < best {
			best, at = d, i
		}
	}
	b := &balls[at]
	b.Radius = math.Max(b.Radius, distance(p, b.Center))*(1+1e-3) + 1e-300
}

// upTo finds few balls whose excess is proved to be at most o.Excess: as many as a greedy
// cover needs, then fewer or more by bisection.
func upTo(ctx context.Context, b *linkspheres.Body, o Options) (*Result, error) {
	s := newSample(b, densityFor(with(o, 8)), o.SurfaceOnly, randomOf(o.Seed))
	guess := MaxBalls
	if c := s.costs(); c != nil {
		if found := c.greedy(0.95*o.Excess, MaxBalls); found != nil {
			guess = len(found)
		}
	}
	if finer := densityFor(with(o, guess)); guess > 16 {
		s = newSample(b, finer, o.SurfaceOnly, randomOf(o.Seed))
	}
	var found *Result
	few, many := 0, MaxBalls+1 // too few, and enough
	for n := guess; many-few > max(1, many/25); {
		r, err := s.best(ctx, o, n)
		if err != nil {
			return nil, err
		}
		if r.Excess.Upper <= o.Excess {
			found, many = r, min(n, len(r.Balls))
		} else {
			few = n
		}
		switch {
		case found == nil && few == MaxBalls:
			return nil, fmt.Errorf("link %s needs more than %d spheres for an excess of %g m: allow more", b.Link, MaxBalls, o.Excess)
		case found == nil: // on by a quarter
			n = min(n+n/4+1, MaxBalls)
		case few == 0: // back by a quarter
			n = many - many/4 - 1
			if n < 1 {
				return found, nil
			}
		default:
			n = (few + many) / 2
		}
	}
	return found, nil
}

func with(o Options, n int) Options {
	o.Balls, o.Excess = n, 0
	return o
}
