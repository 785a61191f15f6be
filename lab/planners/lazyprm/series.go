package lazyprm

import (
	"context"
	"errors"
	"time"

	"github.com/firstcontact-ros/firstcontact/motion"
)

// Series is what came of planning the same problem again and again, each time with
// another seed, each path being verified.
type Series struct {
	Runs      int
	Failed    int           // no path in time or with the milestones allowed
	Colliding int           // paths that Problem.Verify finds in collision
	Time      time.Duration // of planning, over all runs that found a path
}

// Mean returns the mean time of the runs that found a path.
func (s Series) Mean() time.Duration {
	if s.Runs == s.Failed {
		return 0
	}
	return s.Time / time.Duration(s.Runs-s.Failed)
}

// Repeat plans p runs times, with the seeds o.Seed, o.Seed+1, ..., each time with a
// checker of its own, and verifies every path. With stop it ends at the first path in
// collision. A run may take at most limit; 0 means no limit.
func Repeat(ctx context.Context, p *Problem, checker func() (EdgeChecker, error), runs int, limit time.Duration, stop bool, o Options) (Series, error) {
	var s Series
	for range runs {
		c, err := checker()
		if err != nil {
			return s, err
		}
		found, err := planWithin(ctx, p, c, limit, o)
		o.Seed++
		s.Runs++
		switch {
		case ctx.Err() != nil:
			return s, ctx.Err()
		case errors.Is(err, ErrNoPath), errors.Is(err, context.DeadlineExceeded):
			s.Failed++
			continue
		case err != nil:
			return s, err
		}
		s.Time += found.Time
		v, err := p.Verify(ctx, found.Path)
		if err != nil {
			return s, err
		}
		if v.Status != motion.Free {
			if s.Colliding++; stop {
				return s, nil
			}
		}
	}
	return s, nil
}

func planWithin(ctx context.Context, p *Problem, c EdgeChecker, limit time.Duration, o Options) (Found, error) {
	if limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	return Plan(ctx, p, c, o)
}

// Reliable looks for a resolution of the checker at which so many consecutive runs of SBL return no
// path in collision, as SSL04 does for its Table IV: whenever a path collides the
// resolution (rad) is divided by 1.2 and the series begins anew. It gives up below
// finest. Resolutions that passed by luck are among what it returns: no number of runs
// is a proof.
func Reliable(ctx context.Context, p *Problem, checker func(resolution float64) (EdgeChecker, error), resolution, finest float64, runs int, limit time.Duration, o Options) (float64, Series, error) {
	for ; resolution >= finest; resolution /= 1.2 {
		s, err := Repeat(ctx, p, func() (EdgeChecker, error) { return checker(resolution) }, runs, limit, true, o)
		if err != nil || s.Colliding == 0 {
			return resolution, s, err
		}
		o.Seed += uint64(s.Runs)
	}
	return 0, Series{}, errors.New("paths collide at the finest resolution too")
}
