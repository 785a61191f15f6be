package linkspheres

import (
	"context"
	"fmt"
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// Proof reports the size of a proof.
type Proof struct {
	Pieces int // pieces of surface, each inside one ball
	Cells  int // cells of the inside
}

// Refusal is the reason why balls are not proved to cover a body.
type Refusal struct {
	Link   string
	Reason string
	Point  geom.Vec // where the proof failed, in the link's frame

	// Outside is a lower bound of the distance of Point from every ball. If it is above zero,
	// Point is a point of the body, to within Near, that is not covered.
	Outside, Near float64
}

func (r *Refusal) Error() string {
	if r.Outside > 0 {
		return fmt.Sprintf("link %s: not covered: the point (%.6g, %.6g, %.6g) of it is %.3g m outside all spheres", r.Link, r.Point.X, r.Point.Y, r.Point.Z, r.Outside)
	}
	return fmt.Sprintf("link %s: not proved to be covered, at (%.6g, %.6g, %.6g): %s", r.Link, r.Point.X, r.Point.Y, r.Point.Z, r.Reason)
}

// Options set the extent and the maximum cost of a proof.
type Options struct {
	SurfaceOnly bool
	MaxPieces   int // of surface and cells each; 0: four millions
}

func (o Options) max() int {
	if o.MaxPieces > 0 {
		return o.MaxPieces
	}
	return 4_000_000
}

// Prove proves that the balls cover b: its surface and, unless opts say otherwise, the solids
// that it bounds. If the proof fails the error is a *[Refusal], or the context's if that
// ended; a nil error means that it is proved. An empty body is covered.
func Prove(ctx context.Context, b *Body, balls []Ball, opts Options) (Proof, error) {
	p := prover{ctx: ctx, body: b, balls: balls, most: opts.max()}
	for i := range balls {
		if !geom.Finite(balls[i].Center) || !(balls[i].Radius >= 0) || math.IsInf(balls[i].Radius, 0) {
			return Proof{}, p.refuse(balls[i].Center, fmt.Sprintf("sphere %d is not finite", i+1))
		}
	}
	if err := p.surface(); err != nil {
		return p.proof, err
	}
	if opts.SurfaceOnly {
		return p.proof, nil
	}
	return p.proof, p.inside()
}

// prover is the state of a proof.
type prover struct {
	ctx   context.Context
	body  *Body
	balls []Ball
	last  int // the ball that contained the last piece, which likely contains the next
	most  int
	proof Proof
}

// piece is a piece of surface.
type piece[T any] interface {
	*T
	reach(geom.Vec) float64
	halves() (T, T)
	middle() geom.Vec
	span() float64
}

func (p *prover) surface() error {
	for i := range p.body.triangles {
		t := p.body.triangles[i].grownErr()
		if err := held(p, &t, 0); err != nil {
			return err
		}
	}
	for i := range p.body.patches {
		if err := held(p, &p.body.patches[i], 0); err != nil {
			return err
		}
	}
	return nil
}

// held proves that each point of t is inside a ball.
func held[T any, P piece[T]](p *prover, t P, depth int) error {
	if err := p.count(&p.proof.Pieces, t.middle); err != nil {
		return err
	}
	if p.inOne(t.reach) {
		return nil
	}
	if depth == maxDepth {
		return p.refuse(t.middle(), "pieces of the surface smaller than rounding are in no sphere")
	}
	// If the middle is outside all balls by more than the size of its piece, halving does not
	// help.
	if m := t.middle(); depth > 8 && p.outsideAll(m) > t.span() {
		return p.refuse(m, "a piece of the surface is outside all spheres")
	}
	a, b := t.halves()
	if err := held(p, P(&a), depth+1); err != nil {
		return err
	}
	return held(p, P(&b), depth+1)
}

// inOne reports whether one ball contains the piece that reach belongs to.
func (p *prover) inOne(reach func(geom.Vec) float64) bool {
	if p.last < len(p.balls) && reach(p.balls[p.last].Center) <= p.balls[p.last].Radius {
		return true
	}
	for i := range p.balls {
		if i != p.last && reach(p.balls[i].Center) <= p.balls[i].Radius {
			p.last = i
			return true
		}
	}
	return false
}

func (p *prover) count(n *int, at func() geom.Vec) error {
	*n++
	if *n&1023 == 0 && p.ctx.Err() != nil {
		return p.ctx.Err()
	}
	if *n > p.most {
		return p.refuse(at(), fmt.Sprintf("%d pieces were not enough", p.most))
	}
	return nil
}

func (p *prover) refuse(at geom.Vec, reason string) *Refusal {
	_, hi := p.body.Distance(at)
	near := math.Max(hi, 0)
	return &Refusal{Link: p.body.Link, Reason: reason, Point: at, Near: near, Outside: p.outsideAll(at) - near}
}

// outsideAll is a lower bound of the distance from m to all balls, negative inside one. The
// error of a difference is u of its terms.
func (p *prover) outsideAll(m geom.Vec) float64 {
	least := math.Inf(1)
	for i := range p.balls {
		b := &p.balls[i]
		d := below(m.X-b.Center.X, m.Y-b.Center.Y, m.Z-b.Center.Z)
		least = math.Min(least, d-b.Radius-2*u*(d+b.Radius))
	}
	return least
}
