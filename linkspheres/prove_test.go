package linkspheres_test

import (
	"context"
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/linkspheres"
	"github.com/firstcontact-ros/firstcontact/linkspheres/search"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

func prove(b *linkspheres.Body, balls []linkspheres.Ball) error {
	_, err := linkspheres.Prove(context.Background(), b, balls, linkspheres.Options{})
	return err
}

func refused(t *testing.T, what string, b *linkspheres.Body, balls []linkspheres.Ball) *linkspheres.Refusal {
	t.Helper()
	var r *linkspheres.Refusal
	if err := prove(b, balls); !errors.As(err, &r) {
		t.Fatalf("%s: proved, or another error: %v", what, err)
	}
	if r.Link != "link" || r.Error() == "" {
		t.Errorf("%s: the refusal does not name the link: %v", what, r)
	}
	return r
}

// uncovered draws exact points of the collisions, of surfaces and of solids, and
// returns how far one is outside all balls, in numbers of 300 bits.
func uncovered(collisions []urdf.Collision, balls []linkspheres.Ball, n int, r *rand.Rand) (tried int, at *geom.Vec) {
	for i := range collisions {
		c := &collisions[i]
		for range n {
			if m := c.Shape.Mesh; m != nil {
				tried++
				if x, q := trianglePoint(c, m.Triangles[r.IntN(len(m.Triangles))], r); !inAny(balls, x) {
					return tried, &q
				}
			}
			p, ok := solidPoint(c.Shape, r)
			if !ok {
				continue
			}
			tried++
			if x := exactly(c.PoseLS, p); !inAny(balls, x) {
				q := c.PoseLS.Apply(p)
				return tried, &q
			}
		}
	}
	return tried, nil
}

// trianglePoint draws a point of a triangle in the link's frame, exactly, and roughly.
func trianglePoint(c *urdf.Collision, t [3]int32, r *rand.Rand) (x [3]*big.Float, near geom.Vec) {
	i := r.IntN(9)
	j := r.IntN(9 - i)
	for k := range x {
		x[k] = new(big.Float).SetPrec(300)
	}
	for n, w := range [...]int{i, j, 8 - i - j} {
		p := exactly(c.PoseLS, c.Shape.Mesh.Vertices[t[n]])
		f := new(big.Float).SetPrec(300).SetFloat64(float64(w) / 8)
		for k := range x {
			x[k].Add(x[k], p[k].Mul(p[k], f))
		}
	}
	near.X, _ = x[0].Float64()
	near.Y, _ = x[1].Float64()
	near.Z, _ = x[2].Float64()
	return x, near
}

// solidPoint draws a point inside the shape, in its own frame.
func solidPoint(s *shape.Shape, r *rand.Rand) (geom.Vec, bool) {
	if s.Kind == shape.Mesh {
		lo, hi := s.Mesh.Vertices[0], s.Mesh.Vertices[0]
		for _, p := range s.Mesh.Vertices {
			lo = v(math.Min(lo.X, p.X), math.Min(lo.Y, p.Y), math.Min(lo.Z, p.Z))
			hi = v(math.Max(hi.X, p.X), math.Max(hi.Y, p.Y), math.Max(hi.Z, p.Z))
		}
		p := v(lo.X+r.Float64()*(hi.X-lo.X), lo.Y+r.Float64()*(hi.Y-lo.Y), lo.Z+r.Float64()*(hi.Z-lo.Z))
		inside, sure := insideMesh(s.Mesh, p)
		return p, inside && sure
	}
	out := 1 - 1e-9*r.Float64() // close to the surface, and inside all the same
	if r.IntN(2) == 0 {
		out = r.Float64()
	}
	h := s.Length / 2 * (2*r.Float64() - 1) * (1 - 1e-12)
	sin, cos := math.Sincos(2 * math.Pi * r.Float64())
	switch s.Kind {
	case shape.Box:
		return v(out*s.Size.X*(r.Float64()-0.5), out*s.Size.Y*(r.Float64()-0.5), out/2*s.Size.Z), true
	case shape.Cylinder:
		return v(out*s.Radius*cos, out*s.Radius*sin, h), true
	case shape.Cone:
		w := out * s.Radius * (0.5 - h/s.Length) * (1 - 1e-12)
		return v(w*cos, w*sin, h), true
	case shape.Sphere:
		h = 0
	}
	z := 2*r.Float64() - 1
	w := math.Sqrt(1-z*z) * out * s.Radius * (1 - 1e-12)
	return v(w*cos, w*sin, h+out*s.Radius*z*(1-1e-12)), true
}

func exactly(p geom.Pose, q geom.Vec) [3]*big.Float {
	n := func(x float64) *big.Float { return new(big.Float).SetPrec(300).SetFloat64(x) }
	row := func(a, b, c, d float64) *big.Float {
		s := n(d)
		for _, k := range [][2]float64{{a, q.X}, {b, q.Y}, {c, q.Z}} {
			s.Add(s, new(big.Float).SetPrec(300).Mul(n(k[0]), n(k[1])))
		}
		return s
	}
	r := p.R
	return [3]*big.Float{row(r.XX, r.XY, r.XZ, p.P.X), row(r.YX, r.YY, r.YZ, p.P.Y), row(r.ZX, r.ZY, r.ZZ, p.P.Z)}
}

func inAny(balls []linkspheres.Ball, x [3]*big.Float) bool {
	for i := range balls {
		c := [3]float64{balls[i].Center.X, balls[i].Center.Y, balls[i].Center.Z}
		sum := new(big.Float).SetPrec(300)
		for k := range 3 {
			d := new(big.Float).SetPrec(300).SetFloat64(c[k])
			d.Sub(x[k], d)
			sum.Add(sum, d.Mul(d, d))
		}
		r := new(big.Float).SetPrec(300).SetFloat64(balls[i].Radius)
		if sum.Cmp(r.Mul(r, r)) <= 0 {
			return true
		}
	}
	return false
}

// Whatever a link is made of: what is found is proved, no exact point of it is
// outside, and a radius less by one per cent is refused, whichever it is.
func TestCoversHoldAndAreTight(t *testing.T) {
	points, links := 0, 0
	most := 30
	if race.Enabled {
		most = 5
	}
	most = switches.Long.Times(most, 1)
	rapid.Check(t, func(r *rapid.T) {
		if links++; links > most {
			return // each takes a tenth of a second
		}
		collisions := drawCollisions(r)
		b := bodyOf(t, collisions...)
		o := search.Options{Balls: rapid.IntRange(1, 6).Draw(r, "balls"), Seed: 7}
		o.Strategy = rapid.SampledFrom([]search.Strategy{search.Medial, search.Clusters}).Draw(r, "strategy")
		o.Sparse = true
		found, err := search.Cover(context.Background(), b, o)
		if err != nil {
			r.Fatal(err)
		}
		if len(found.Balls) > o.Balls {
			r.Fatalf("%d balls where %d were asked for", len(found.Balls), o.Balls)
		}
		random := rand.New(rand.NewPCG(1, rapid.Uint64().Draw(r, "seed")))
		n, at := uncovered(collisions, found.Balls, 150, random)
		if at != nil {
			r.Fatalf("%v of the link is outside %v", *at, found.Balls)
		}
		points += n
		for i := range found.Balls {
			balls := append([]linkspheres.Ball(nil), found.Balls...)
			balls[i].Radius *= 0.99
			// With the pieces that the search allows itself: more may prove a little more.
			if _, err := linkspheres.Prove(context.Background(), b, balls, linkspheres.Options{MaxPieces: 20_000}); err == nil {
				r.Fatalf("radius %d of %v may be less by 1 %%", i, found.Balls)
			}
		}
	})
	if points < 1000 && !race.Enabled {
		t.Errorf("%d points tried only", points)
	}
}

// Balls in random places are proved only where they cover.
func TestRandomBallsAreProvedOnlyIfTheyCover(t *testing.T) {
	proved, refusals := 0, 0
	try := func(r *rapid.T) {
		collisions := drawCollisions(r)
		b := bodyOf(t, collisions...)
		h := b.Box().Half()
		size := geom.Norm(h)
		x := rapid.Float64Range(-1, 1)
		var balls []linkspheres.Ball
		for range rapid.IntRange(1, 7).Draw(r, "balls") {
			m := b.Box().Center()
			balls = append(balls, linkspheres.Ball{
				Center: v(m.X+h.X*x.Draw(r, "x"), m.Y+h.Y*x.Draw(r, "y"), m.Z+h.Z*x.Draw(r, "z")),
				Radius: size * rapid.Float64Range(0.2, 1.2).Draw(r, "r"),
			})
		}
		_, err := linkspheres.Prove(context.Background(), b, balls, linkspheres.Options{MaxPieces: 50_000})
		_, at := uncovered(collisions, balls, 150, rand.New(rand.NewPCG(2, rapid.Uint64().Draw(r, "seed"))))
		var refusal *linkspheres.Refusal
		switch {
		case err == nil && at != nil:
			r.Fatalf("proved, but %v is outside %v", *at, balls)
		case err == nil:
			proved++
		case !errors.As(err, &refusal):
			r.Fatal(err)
		case refusal.Outside > 0:
			refusals++
			// Its point is one of the link, and is outside.
			if _, hi := b.Distance(refusal.Point); hi > refusal.Near+1e-12*size {
				r.Fatalf("the point %v is %g from the link, not %g", refusal.Point, hi, refusal.Near)
			}
			for _, ball := range balls {
				p, c := refusal.Point, ball.Center
				if d := geom.Norm(v(p.X-c.X, p.Y-c.Y, p.Z-c.Z)) - ball.Radius; d < refusal.Outside*(1-1e-9) {
					r.Fatalf("the point %v is %g outside %v, not %g", refusal.Point, d, ball, refusal.Outside)
				}
			}
		}
	}
	rapid.Check(t, func(r *rapid.T) {
		for range 3 { // so that a short run has enough of both
			try(r)
		}
	})
	if proved < 3 || refusals < 3 {
		t.Errorf("%d proved, %d refused with a point", proved, refusals)
	}
}

// Balls around a block's corners cover its surface long before they cover its middle.
func TestHollowCoverIsRefused(t *testing.T) {
	for name, b := range map[string]*linkspheres.Body{
		"box":  bodyOf(t, at(geom.Vec{}, box(2, 2, 2))),
		"mesh": bodyOf(t, at(geom.Vec{}, meshShape(blockMesh(geom.Vec{}, v(1, 1, 1))))),
	} {
		// 98 balls of radius 0.4 on the block's surface, 1/3 apart: a shell.
		var shell []linkspheres.Ball
		for i := range 7 {
			for j := range 7 {
				for k := range 7 {
					if edge := i*j*k == 0 || max(i, j, k) == 6; edge {
						shell = append(shell, linkspheres.Ball{Center: v(float64(i)/3-1, float64(j)/3-1, float64(k)/3-1), Radius: 0.4})
					}
				}
			}
		}
		if _, err := linkspheres.Prove(context.Background(), b, shell, linkspheres.Options{SurfaceOnly: true}); err != nil {
			t.Errorf("%s: the surface: %v", name, err)
		}
		if r := refused(t, name, b, shell); !(r.Outside > 0) || math.Max(math.Abs(r.Point.X), math.Max(math.Abs(r.Point.Y), math.Abs(r.Point.Z))) > 0.7 {
			t.Errorf("%s: refused at %v, %g outside: that is not the hole", name, r.Point, r.Outside)
		}
		if err := prove(b, append(shell, linkspheres.Ball{Radius: 1.3})); err != nil {
			t.Errorf("%s: with the hole filled: %v", name, err)
		}
		if err := prove(b, append(shell, linkspheres.Ball{Radius: 0.9})); err == nil {
			t.Errorf("%s: with the hole filled in its middle alone: proved", name)
		}
	}
}

// Eight balls around a cube's corners meet in its middle when their radius is half the
// cube's diagonal, to the digits that the proof has room for; their surface is covered
// by six more.
func TestTheLastPointInside(t *testing.T) {
	b := bodyOf(t, at(geom.Vec{}, box(2, 2, 2)))
	corners := func(r float64) []linkspheres.Ball {
		var out []linkspheres.Ball
		for i := range 8 {
			out = append(out, linkspheres.Ball{Center: v(float64(i&1)*2-1, float64(i>>1&1)*2-1, float64(i>>2)*2-1), Radius: r})
		}
		for _, c := range []geom.Vec{v(1, 0, 0), v(-1, 0, 0), v(0, 1, 0), v(0, -1, 0), v(0, 0, 1), v(0, 0, -1)} {
			out = append(out, linkspheres.Ball{Center: c, Radius: 0.95})
		}
		return out
	}
	half := math.Sqrt(3)
	if err := prove(b, corners(half*(1+1e-9))); err != nil {
		t.Error(err)
	}
	// With the six, the middle is within 0.05 of being covered by them, and left out.
	if r := refused(t, "less by a billionth", b, corners(half*(1-1e-9))); geom.Norm(r.Point) > 1e-3 {
		t.Errorf("refused at %v, not in the middle", r.Point)
	}
}

// What is not of the link need not be covered: a ring's middle, an open mesh's inside.
func TestHolesOfTheLinkMayStayOpen(t *testing.T) {
	// A square ring of four bars about z, covered by balls along them.
	var bars []urdf.Collision
	var balls []linkspheres.Ball
	for i := range 4 {
		pose := geom.Pose{R: geom.RPY(0, 0, float64(i)*math.Pi/2)}
		p := pose
		p.P = pose.R.Apply(v(1, 0, 0))
		bars = append(bars, urdf.Collision{PoseLS: p, Shape: box(0.2, 2.2, 0.2)})
		for k := range 12 {
			balls = append(balls, linkspheres.Ball{Center: pose.R.Apply(v(1, float64(k)/5.5-1, 0)), Radius: 0.25})
		}
	}
	if err := prove(bodyOf(t, bars...), balls); err != nil {
		t.Error(err)
	}
	tray := blockMesh(geom.Vec{}, v(1, 1, 0.5))
	tray.Triangles = tray.Triangles[:10]
	open := bodyOf(t, at(geom.Vec{}, meshShape(tray)))
	if open.Solid() || open.Open != 1 {
		t.Fatalf("a tray is solid: %v, %d open parts", open.Solid(), open.Open)
	}
	balls = nil
	for i := range 9 {
		for j := range 9 {
			for k := range 5 {
				c := v(float64(i)/4-1, float64(j)/4-1, float64(k)/4-0.5)
				if max(math.Abs(c.X), math.Abs(c.Y)) == 1 || math.Abs(c.Z) == 0.5 {
					balls = append(balls, linkspheres.Ball{Center: c, Radius: 0.22})
				}
			}
		}
	}
	if err := prove(open, balls); err != nil {
		t.Error(err)
	}
	// The same with its lid on is a solid, and hollow.
	block := blockMesh(geom.Vec{}, v(1, 1, 0.5))
	refused(t, "closed", bodyOf(t, at(geom.Vec{}, meshShape(block))), balls)
	// Both with both sides.
	if both := bodyOf(t, at(geom.Vec{}, meshShape(withBothSides(tray)))); both.Solid() || both.Open != 1 {
		t.Errorf("a tray with both sides is solid: %v, %d open parts", both.Solid(), both.Open)
	}
	refused(t, "closed, with both sides", bodyOf(t, at(geom.Vec{}, meshShape(withBothSides(block)))), balls)
}

func withBothSides(m *mesh.Mesh) *mesh.Mesh {
	out := &mesh.Mesh{Vertices: m.Vertices, Triangles: slices.Clone(m.Triangles)}
	for _, k := range m.Triangles {
		out.Triangles = append(out.Triangles, [3]int32{k[0], k[2], k[1]})
	}
	return out
}

// A closed part inside another counts as filled: a wall's cavity is to be covered.
func TestCavitiesAreFilled(t *testing.T) {
	m := joined(blockMesh(geom.Vec{}, v(1, 1, 1)), blockMesh(geom.Vec{}, v(0.8, 0.8, 0.8)))
	b := bodyOf(t, at(geom.Vec{}, meshShape(m)))
	var shell []linkspheres.Ball
	for i := range 11 {
		for j := range 11 {
			for k := range 11 {
				if i*j*k == 0 || max(i, j, k) == 10 {
					shell = append(shell, linkspheres.Ball{Center: v(float64(i)/5-1, float64(j)/5-1, float64(k)/5-1), Radius: 0.3})
				}
			}
		}
	}
	refused(t, "cavity", b, shell)
	if err := prove(b, append(shell, linkspheres.Ball{Radius: 1.5})); err != nil {
		t.Error(err)
	}
}

// One ball just around a shape is proved, a little less is refused, at any place and
// scale: how much "just" is.
func TestProofsAreSharp(t *testing.T) {
	for _, size := range []float64{1e-6, 0.1, 1, 1e4} {
		for _, place := range []geom.Vec{{}, v(3*size, -2*size, size)} {
			for name, c := range map[string]struct {
				s *shape.Shape
				r float64
			}{
				"box":      {box(2*size, 4*size, 4*size), 3 * size},
				"mesh":     {meshShape(blockMesh(geom.Vec{}, v(size, 2*size, 2*size))), 3 * size},
				"sphere":   {&shape.Shape{Kind: shape.Sphere, Radius: size}, size},
				"cylinder": {&shape.Shape{Kind: shape.Cylinder, Radius: 3 * size, Length: 8 * size}, 5 * size},
				"capsule":  {&shape.Shape{Kind: shape.Capsule, Radius: size, Length: 8 * size}, 5 * size},
				"cone":     {&shape.Shape{Kind: shape.Cone, Radius: 3 * size, Length: 8 * size}, 5 * size},
			} {
				pose := geom.Pose{R: geom.RPY(1, 2, 3), P: place}
				b := bodyOf(t, urdf.Collision{PoseLS: pose, Shape: c.s})
				if err := prove(b, []linkspheres.Ball{{Center: place, Radius: c.r * (1 + 1e-12)}}); err != nil {
					t.Errorf("%s of size %g at %v: %v", name, size, place, err)
				}
				less := []linkspheres.Ball{{Center: place, Radius: c.r * (1 - 1e-9)}}
				if err := prove(b, less); err == nil {
					t.Errorf("%s of size %g at %v: a billionth less is proved", name, size, place)
				}
			}
		}
	}
}

// What cannot be proved says so, and says where.
func TestRefusals(t *testing.T) {
	b := bodyOf(t, at(geom.Vec{}, box(1, 1, 1)))
	nan := math.NaN()
	for name, balls := range map[string][]linkspheres.Ball{
		"no balls":          nil,
		"a hole":            {{Radius: 0.5}},
		"not a number":      {{Radius: 2}, {Center: v(nan, 0, 0), Radius: 9}},
		"radius no number":  {{Radius: 2}, {Radius: nan}},
		"infinite":          {{Radius: math.Inf(1)}},
		"negative":          {{Radius: 2}, {Radius: -1}},
		"far away":          {{Center: v(1e300, 0, 0), Radius: 1e200}},
		"radius of nothing": {{}},
	} {
		refused(t, name, b, balls)
	}
	r := refused(t, "a hole", b, []linkspheres.Ball{{Radius: 0.5}})
	if !(r.Outside > 0) {
		t.Errorf("no point outside: %+v", r)
	}
	var refusal *linkspheres.Refusal
	if _, err := linkspheres.Prove(context.Background(), b, []linkspheres.Ball{{Center: v(1, 0, 0), Radius: 1.3}, {Center: v(-1, 0, 0), Radius: 1.3}}, linkspheres.Options{MaxPieces: 10}); !errors.As(err, &refusal) {
		t.Errorf("ten pieces were enough: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	fine := bodyOf(t, at(geom.Vec{}, meshShape(starMesh(5, func(geom.Vec) float64 { return 1 }))))
	if _, err := linkspheres.Prove(ctx, fine, []linkspheres.Ball{{Radius: 2}}, linkspheres.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a proof goes on after its context: %v", err)
	}
	if err := prove(bodyOf(t), nil); err != nil {
		t.Errorf("a link without geometry: %v", err)
	}
}

// Bad geometry is an error that names the link.
func TestBadBodies(t *testing.T) {
	for name, c := range map[string]urdf.Collision{
		"no shape":    {PoseLS: geom.IdentityPose()},
		"no size":     {PoseLS: geom.IdentityPose(), Shape: &shape.Shape{Kind: shape.Box}},
		"no rotation": {Shape: box(1, 1, 1)},
		"a mirror":    {PoseLS: geom.Pose{R: geom.Rot{XX: -1, YY: 1, ZZ: 1}}, Shape: box(1, 1, 1)},
		"not finite":  {PoseLS: geom.Pose{R: geom.Identity(), P: v(math.NaN(), 0, 0)}, Shape: box(1, 1, 1)},
		"bad index":   {PoseLS: geom.IdentityPose(), Shape: meshShape(&mesh.Mesh{Vertices: []geom.Vec{{}}, Triangles: [][3]int32{{0, 0, 1}}})},
	} {
		if _, err := linkspheres.NewBody(&urdf.Link{Name: "elbow", Collisions: []urdf.Collision{c}}); err == nil {
			t.Errorf("%s: no error", name)
		} else if got := err.Error(); got[:10] != "link elbow" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A cell whose middle is outside the link may still hold some of it: here a hole that
// reaches just below the surface that a thin plate makes across a wide gap.
func TestSliversInsideAreFound(t *testing.T) {
	// A block, its surface covered by small balls all over, its inside left open: the
	// cells of the root box around it are large, their middles outside where the block
	// stands beside another that makes the box long.
	block := at(v(-10, 0, 0), box(1, 1, 1))
	far := at(v(30, 0, 0), box(0.1, 0.1, 0.1))
	b := bodyOf(t, block, far)
	balls := []linkspheres.Ball{{Center: v(30, 0, 0), Radius: 0.1}}
	for i := range 6 {
		for j := range 6 {
			for k := range 6 {
				if i*j*k == 0 || max(i, j, k) == 5 {
					balls = append(balls, linkspheres.Ball{Center: v(float64(i)/5-10.5, float64(j)/5-0.5, float64(k)/5-0.5), Radius: 0.2})
				}
			}
		}
	}
	if _, err := linkspheres.Prove(context.Background(), b, balls, linkspheres.Options{SurfaceOnly: true}); err != nil {
		t.Fatal(err)
	}
	refused(t, "a block far from its box's middle", b, balls)
	if err := prove(b, append(balls, linkspheres.Ball{Center: v(-10, 0, 0), Radius: 0.6})); err != nil {
		t.Error(err)
	}
}

// Real links: exact points of them, on the surface and inside, none outside.
func TestSharedLinksAgainstPoints(t *testing.T) {
	if testing.Short() || race.Enabled {
		t.Skip("short")
	}
	found := false
	for _, c := range []struct{ robot, link string }{
		{"panda/panda.urdf", "panda_link3"},
		{"ur5e/ur5e.urdf", "shoulder_link"},
		{"g1/g1.urdf", "right_elbow_link"},
		{"baxter/baxter.urdf", "torso"},
		{"h1/h1.urdf", "torso_link"},
	} {
		path := filepath.Join("..", "..", "shared", "robots", filepath.FromSlash(c.robot))
		if _, err := os.Stat(path); err != nil {
			continue
		}
		found = true
		r, err := urdf.Load(path, urdf.Options{})
		if err != nil {
			t.Fatal(err)
		}
		l := &r.Links[r.Link(c.link)]
		b, err := linkspheres.NewBody(l)
		if err != nil {
			t.Fatal(err)
		}
		got, err := search.Cover(context.Background(), b, search.Options{Balls: 6, Sparse: true, Strategy: search.Clusters})
		if err != nil {
			t.Fatal(err)
		}
		n, at := uncovered(l.Collisions, got.Balls, 400, rand.New(rand.NewPCG(5, 6)))
		if at != nil || n < 100 {
			t.Errorf("%s: of %d points one is outside: %v", c.link, n, at)
		}
	}
	if !found {
		t.Skip("no robots beside the repository")
	}
}
