package spheres

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/internal/base/progress"
	"github.com/firstcontact-ros/firstcontact/linkspheres"
	"github.com/firstcontact-ros/firstcontact/linkspheres/search"

	"golang.org/x/sync/errgroup"
)

// coveredLink is a link with its spheres.
type coveredLink struct {
	// The link.
	Link string `json:"link"`
	// The spheres.
	Spheres []sphere `json:"spheres"`
	// m: bounds of how far they protrude.
	Excess [2]float64 `json:"excess"`
	// m: where they protrude most, in the link's frame.
	Witness [3]float64 `json:"excess_witness"`
	// m: how far they protrude on average over their surface.
	Mean *estimate `json:"mean_excess,omitempty"`
	// Their volume over that of the link.
	Ratio *estimate `json:"volume_ratio,omitempty"`
	// m3: the volume of their union.
	Volume *estimate `json:"volume,omitempty"`
	// Number of parts of meshes that are not closed.
	Open int `json:"open_parts,omitempty"`
	// Size of the proof: pieces of surface.
	Pieces int `json:"proof_pieces"`
	// Size of the proof: cells of space.
	Cells int `json:"proof_cells"`
	// How the centres were chosen.
	How string `json:"strategy,omitempty"`
	// s: time on the wall clock.
	Compute float64            `json:"compute_s"`
	balls   []linkspheres.Ball // without padding
}

// sphere is a sphere in the frame of its link.
type sphere struct {
	// m: its centre.
	Center [3]float64 `json:"center"`
	// m: its radius.
	Radius float64 `json:"radius"`
}

// estimate is an estimate from random points.
type estimate struct {
	// The estimate.
	Value float64 `json:"value"`
	// Its standard error.
	Error float64 `json:"standard_error"`
}

// coverAll covers all bodies, several at once.
func (f *flags) coverAll(ctx context.Context, s cli.Streams, bodies []*linkspheres.Body) ([]coveredLink, error) {
	counts, err := f.counts(ctx, s, bodies)
	if err != nil {
		return nil, err
	}
	done := linksDone(ctx, "covering links", len(bodies))
	out := make([]coveredLink, len(bodies))
	pool, ctx := errgroup.WithContext(ctx)
	pool.SetLimit(cmp.Or(f.jobs, runtime.GOMAXPROCS(0)))
	for i := range bodies {
		pool.Go(func() (err error) {
			out[i], err = f.coverOne(ctx, bodies[i], counts[i])
			done(bodies[i].Link)
			return err
		})
	}
	return out, pool.Wait()
}

// counts returns the number of spheres per link, nil if --excess decides.
func (f *flags) counts(ctx context.Context, s cli.Streams, bodies []*linkspheres.Body) ([]int, error) {
	if f.total > 0 {
		done := linksDone(ctx, "looking at links", len(bodies))
		counts, err := search.Share(ctx, bodies, f.total, f.options(0), func(int) { done("") })
		if err != nil {
			return nil, fmt.Errorf("--total: %w", err)
		}
		return counts, nil
	}
	n := f.spheres
	if n == 0 && f.excess == 0 {
		n = 8
	}
	counts := make([]int, len(bodies))
	for i := range counts {
		counts[i] = n
	}
	return counts, nil
}

func (f *flags) options(n int) search.Options {
	return search.Options{Balls: n, Excess: f.excess, SurfaceOnly: f.surface, Strategy: search.Strategy(f.strategyOf()), Seed: f.seed}
}

// coverOne covers a link, and proves the radii in the form in which they are written.
func (f *flags) coverOne(ctx context.Context, b *linkspheres.Body, n int) (c coveredLink, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = cli.InternalError{Err: fmt.Errorf("link %s: %v", b.Link, p)}
		}
	}()
	begin := time.Now()
	r, err := search.Cover(ctx, b, f.options(n))
	if err != nil {
		return c, err
	}
	c = coveredLink{Link: b.Link, Open: b.Open, How: r.Strategy.String(), balls: r.Balls}
	c.Excess = [2]float64{r.Excess.Lower, r.Excess.Upper}
	c.Witness = [3]float64{r.Excess.At.X, r.Excess.At.Y, r.Excess.At.Z}
	for _, ball := range r.Balls {
		c.Spheres = append(c.Spheres, sphere{[3]float64{ball.Center.X, ball.Center.Y, ball.Center.Z}, padded(ball.Radius, f.padding)})
	}
	proof, err := linkspheres.Prove(ctx, b, unpadded(c.Spheres, f.padding), linkspheres.Options{SurfaceOnly: f.surface})
	if err != nil {
		return c, err
	}
	c.Pieces, c.Cells = proof.Pieces, proof.Cells
	if f.samples > 0 {
		m := b.Sample(ctx, r.Balls, f.samples, f.seed)
		c.Mean, c.Volume = &estimate{m.Excess.Mean, m.Excess.Error}, &estimate{m.Volume.Mean, m.Volume.Error}
		if m.Ratio.Mean > 0 {
			c.Ratio = &estimate{m.Ratio.Mean, m.Ratio.Error}
		}
	}
	c.Compute = time.Since(begin).Seconds()
	return c, ctx.Err()
}

// padded is the radius to write for a ball of radius r around a padded link: spheres grown by
// the padding cover the link grown by it. unpadded returns at least r, less a part in 2^52,
// for which [search] leaves room.
func padded(r, padding float64) float64 {
	if padding == 0 {
		return r
	}
	return math.Nextafter(r+padding, math.Inf(1))
}

// unpadded returns the part of the spheres of a padded link that must cover the link itself,
// rounded inward.
func unpadded(spheres []sphere, padding float64) []linkspheres.Ball {
	out := make([]linkspheres.Ball, len(spheres))
	for i, s := range spheres {
		out[i].Center.X, out[i].Center.Y, out[i].Center.Z = s.Center[0], s.Center[1], s.Center[2]
		out[i].Radius = s.Radius
		if padding != 0 {
			out[i].Radius = math.Nextafter(s.Radius-padding, math.Inf(-1))
		}
	}
	return out
}

// linksDone returns a function to call when a link is done, which tells how many are.
func linksDone(ctx context.Context, what string, total int) func(link string) {
	var n atomic.Int64
	step := progress.Step{What: what, Total: int64(total), Unit: "links"}
	progress.Tell(ctx, step)
	return func(link string) {
		s := step
		s.Done, s.Note = n.Add(1), link
		progress.Tell(ctx, s)
	}
}
