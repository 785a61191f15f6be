package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"sync"
	"time"

	"github.com/firstcontact-ros/firstcontact/linkspheres"
	"github.com/firstcontact-ros/firstcontact/linkspheres/search"
)

// coveredLink is a link with its spheres; the keys are those of --json and stable.
type coveredLink struct {
	Link    string             `json:"link"`
	Spheres []sphere           `json:"spheres"`
	Excess  [2]float64         `json:"excess"` // bounds, metres
	Witness [3]float64         `json:"excess_witness"`
	Mean    *estimate          `json:"mean_excess,omitempty"`
	Ratio   *estimate          `json:"volume_ratio,omitempty"`
	Volume  *estimate          `json:"volume,omitempty"`
	Open    int                `json:"open_parts,omitempty"`
	Pieces  int                `json:"proof_pieces"`
	Cells   int                `json:"proof_cells"`
	How     string             `json:"strategy,omitempty"`
	Compute float64            `json:"compute_s"`
	balls   []linkspheres.Ball // without padding
}

type sphere struct {
	Center [3]float64 `json:"center"`
	Radius float64    `json:"radius"`
}

type estimate struct {
	Value float64 `json:"value"`
	Error float64 `json:"standard_error"`
}

// coverAll covers all bodies, several at once.
func (f *spheresFlags) coverAll(ctx context.Context, s streams, bodies []*linkspheres.Body) ([]coveredLink, error) {
	counts, err := f.counts(ctx, s, bodies)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	p := newLinkProgress(s.err, f.quiet, len(bodies))
	out := make([]coveredLink, len(bodies))
	errs := make([]error, len(bodies))
	next := make(chan int)
	var group sync.WaitGroup
	jobs := f.jobs
	if jobs == 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	for range min(jobs, len(bodies)) {
		group.Add(1)
		go func() {
			defer group.Done()
			for i := range next {
				out[i], errs[i] = f.coverOne(ctx, bodies[i], counts[i])
				if errs[i] != nil {
					cancel() // the others would be for nothing
				}
				p.done(bodies[i].Link)
			}
		}()
	}
	for i := range bodies {
		next <- i
	}
	close(next)
	group.Wait()
	p.clear()
	for _, err := range errs { // the first that is more than "the others stopped"
		if err != nil && !errors.Is(err, context.Canceled) {
			return nil, err
		}
	}
	return out, errors.Join(errs...)
}

// counts says how many spheres each link gets: none where --excess decides.
func (f *spheresFlags) counts(ctx context.Context, s streams, bodies []*linkspheres.Body) ([]int, error) {
	if f.total > 0 {
		p := newLinkProgress(s.err, f.quiet, len(bodies))
		p.what = "links looked at"
		defer p.clear()
		counts, err := search.Share(ctx, bodies, f.total, f.options(0), func(int) { p.done("") })
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

func (f *spheresFlags) options(n int) search.Options {
	return search.Options{Balls: n, Excess: f.excess, SurfaceOnly: f.surface, Strategy: search.Strategy(f.strategyOf()), Seed: f.seed}
}

// coverOne covers a link, and proves the radii as they will be written.
func (f *spheresFlags) coverOne(ctx context.Context, b *linkspheres.Body, n int) (c coveredLink, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = internalError{fmt.Errorf("link %s: %v", b.Link, p)}
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

// padded is the radius to write for a ball of radius r around a link that is padded:
// the spheres grown by the padding cover the link grown by it. With unpadded it gives
// back at least r, less a part in 2^52, for which [search] leaves room.
func padded(r, padding float64) float64 {
	if padding == 0 {
		return r
	}
	return math.Nextafter(r+padding, math.Inf(1))
}

// unpadded is what spheres that are to cover a padded link must cover of the link
// itself: rounded inward.
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

// linkProgress tells on standard error how many links are done: on a terminal in one
// line that is rewritten, else once in a while.
type linkProgress struct {
	w           io.Writer
	line        bool
	what        string
	n, total    int
	begin, last time.Time
	lock        sync.Mutex
}

func newLinkProgress(w io.Writer, quiet bool, total int) *linkProgress {
	p := &linkProgress{w: w, what: "links covered", total: total, begin: time.Now()}
	p.last = p.begin
	if file := terminal(w); file != nil {
		p.line = true
	}
	if quiet {
		p.w = nil
	}
	return p
}

func (p *linkProgress) done(link string) {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.n++
	now := time.Now()
	if p.w == nil || p.n == p.total || now.Sub(p.begin) < patience || !p.line && now.Sub(p.last) < 5*patience {
		return
	}
	p.last = now
	if link != "" {
		link = ", the last " + link
	}
	if p.line {
		fmt.Fprintf(p.w, "\r\x1b[K%d of %d %s%s", p.n, p.total, p.what, link)
		return
	}
	fmt.Fprintf(p.w, "note: %d of %d %s%s\n", p.n, p.total, p.what, link)
}

func (p *linkProgress) clear() {
	if p.w != nil && p.line && p.last != p.begin {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
