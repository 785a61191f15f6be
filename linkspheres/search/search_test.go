package search

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/linkspheres"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

func bodyOf(t testing.TB, shapes ...*shape.Shape) *linkspheres.Body {
	t.Helper()
	l := &urdf.Link{Name: "link"}
	for _, s := range shapes {
		l.Collisions = append(l.Collisions, urdf.Collision{PoseLS: geom.IdentityPose(), Shape: s})
	}
	b, err := linkspheres.NewBody(l)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func rod() *shape.Shape { return &shape.Shape{Kind: shape.Capsule, Radius: 0.1, Length: 0.8} }

func must(t testing.TB, b *linkspheres.Body, o Options) *Result {
	t.Helper()
	r, err := Cover(context.Background(), b, o)
	if err != nil {
		t.Fatal(err)
	}
	// The caller's own proof and measure, not the search's word.
	if _, err := linkspheres.Prove(context.Background(), b, r.Balls, linkspheres.Options{SurfaceOnly: o.SurfaceOnly}); err != nil {
		t.Fatal(err)
	}
	e, err := b.Excess(context.Background(), r.Balls, linkspheres.ExcessOptions{})
	if err != nil || e != r.Excess {
		t.Fatalf("excess %+v, said to be %+v (%v)", e, r.Excess, err)
	}
	return r
}

// A rod's best cover is known: n balls along its axis, between which r^2 = R^2 + (s/2)^2
// at a spacing s, the outer ones at the caps.
func TestRodsAreCoveredAsWellAsCanBe(t *testing.T) {
	b := bodyOf(t, rod())
	for _, n := range []int{2, 3, 5, 8} {
		if race.Enabled && n > 2 {
			break
		}
		// The outer centres lie d inside the ends of the axis and reach the caps' tips: r =
		// R + d; between them are n-1 gaps of (L - 2d)/(n-1) each.
		best := math.Inf(1)
		for d := 0.0; d < 0.4; d += 1e-5 {
			best = math.Min(best, math.Max(d, math.Hypot(0.1, (0.8-2*d)/float64(2*(n-1)))-0.1))
		}
		r := must(t, b, Options{Balls: n, Strategy: Medial})
		t.Logf("%d balls: excess %.4f, best %.4f", n, r.Excess.Upper, best)
		if r.Excess.Upper < best*(1-1e-6) || r.Excess.Upper > 1.2*best+1e-4 {
			t.Errorf("%d balls stick out %g, the best %g", n, r.Excess.Upper, best)
		}
	}
	// A ball is its own cover.
	ball := must(t, bodyOf(t, &shape.Shape{Kind: shape.Sphere, Radius: 0.3}), Options{Balls: 3})
	if len(ball.Balls) != 1 || ball.Excess.Upper > 1e-8 {
		t.Errorf("a ball takes %v", ball.Balls)
	}
}

// More balls never stick out more than half as much again: the search has no cliffs.
func TestMoreBallsAreBetter(t *testing.T) {
	b := bodyOf(t, &shape.Shape{Kind: shape.Box, Size: geom.Vec{X: 0.4, Y: 0.2, Z: 0.1}}, rod())
	last := math.Inf(1)
	for _, n := range []int{1, 4, 16} {
		e := must(t, b, Options{Balls: n, Sparse: true}).Excess.Upper
		if e > 0.8*last {
			t.Errorf("%d balls stick out %g, fewer %g", n, e, last)
		}
		last = e
	}
}

// An excess is kept, by fewer balls where it may be larger.
func TestExcessIsKept(t *testing.T) {
	if race.Enabled {
		t.Skip("nothing runs at once here")
	}
	b := bodyOf(t, rod())
	last := 0
	for _, e := range []float64{0.3, 0.03} {
		r := must(t, b, Options{Excess: e, Sparse: true})
		if r.Excess.Upper > e || len(r.Balls) <= last {
			t.Errorf("%d balls stick out %g where %g was asked for, after %d", len(r.Balls), r.Excess.Upper, e, last)
		}
		last = len(r.Balls)
	}
}

// A surface that is not closed is covered near to it, not across what it surrounds.
func TestOpenSurfaces(t *testing.T) {
	m := &mesh.Mesh{Vertices: []geom.Vec{{}, {X: 1}, {X: 1, Y: 1}, {Y: 1}}, Triangles: [][3]int32{{0, 1, 2}, {0, 2, 3}}}
	r := must(t, bodyOf(t, &shape.Shape{Kind: shape.Mesh, Mesh: m}), Options{Balls: 16})
	if r.Proof.Cells != 0 || r.Excess.Upper > 0.35 {
		t.Errorf("%+v", r)
	}
}

// What cannot be had says so.
func TestErrors(t *testing.T) {
	b := bodyOf(t, rod())
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for name, c := range map[string]struct {
		ctx  context.Context
		body *linkspheres.Body
		o    Options
		says string
	}{
		"no balls":      {context.Background(), b, Options{}, "link link: 0 spheres"},
		"too many":      {context.Background(), b, Options{Balls: MaxBalls + 1}, "link link: 2001"},
		"nothing there": {context.Background(), bodyOf(t), Options{Balls: 1}, "link link has no collision geometry"},
		"stopped":       {ctx, b, Options{Balls: 2, Sparse: true}, "canceled"},
	} {
		if _, err := Cover(c.ctx, c.body, c.o); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Share(context.Background(), []*linkspheres.Body{b, b}, 1, Options{}, nil); err == nil {
		t.Error("one ball for two links")
	}
	// A proof that may cost nothing is no proof.
	var refusal *linkspheres.Refusal
	if _, err := Cover(context.Background(), b, Options{Balls: 2, Sparse: true, Proof: linkspheres.Options{MaxPieces: 1}}); !errors.As(err, &refusal) {
		t.Errorf("one piece was enough: %v", err)
	}
}

// Shared out, the larger and the more crooked link gets more.
func TestShare(t *testing.T) {
	small := &shape.Shape{Kind: shape.Sphere, Radius: 0.05}
	plate := &shape.Shape{Kind: shape.Box, Size: geom.Vec{X: 0.5, Y: 0.5, Z: 0.02}}
	bodies := []*linkspheres.Body{bodyOf(t, small), bodyOf(t, plate), bodyOf(t, rod())}
	told := 0
	counts, err := Share(context.Background(), bodies, 30, Options{}, func(int) { told++ })
	if err != nil {
		t.Fatal(err)
	}
	sum := 0
	for _, n := range counts {
		sum += n
	}
	if sum > 30 || sum < 20 || counts[0] != 1 || counts[1] <= counts[2] || told != 3 {
		t.Errorf("shared out as %v", counts)
	}
}

// shared are links of real robots, chosen for what is hard about them.
var shared = []struct{ robot, link string }{
	{"panda/panda.urdf", "panda_link5"},
	{"panda/panda.urdf", "panda_hand"},
	{"ur5e/ur5e.urdf", "forearm_link"},
	{"g1/g1.urdf", "left_ankle_roll_link"}, // four small spheres
	{"g1/g1.urdf", "left_elbow_link"},      // not closed
	{"h1/h1.urdf", "torso_link"},
	{"pr2/pr2.urdf", "base_link"},
	{"baxter/baxter.urdf", "torso"},
	{"romeo/romeo.urdf", "r_wrist"}, // many open parts
	{"anymal_c/anymal_c.urdf", "base"},
}

// On real robots both strategies are proved, and medial is the better one.
func TestSharedRobots(t *testing.T) {
	if testing.Short() || race.Enabled {
		t.Skip("short")
	}
	robots := map[string]*urdf.Robot{}
	better, links := 0, 0
	var ratios []float64
	for _, c := range shared {
		path := filepath.Join("..", "..", "..", "shared", "robots", filepath.FromSlash(c.robot))
		if _, err := os.Stat(path); err != nil {
			continue
		}
		if robots[c.robot] == nil {
			r, err := urdf.Load(path, urdf.Options{})
			if err != nil {
				t.Fatal(err)
			}
			robots[c.robot] = r
		}
		r := robots[c.robot]
		i := r.Link(c.link)
		if i < 0 {
			t.Errorf("%s has no link %s", c.robot, c.link)
			continue
		}
		b, err := linkspheres.NewBody(&r.Links[i])
		if err != nil {
			t.Fatal(err)
		}
		o := Options{Balls: 6, Sparse: true, Strategy: Medial}
		medial := must(t, b, o)
		o.Strategy = Clusters
		clusters := must(t, b, o)
		links++
		if medial.Excess.Upper <= clusters.Excess.Upper {
			better++
		}
		if clusters.Excess.Upper > 1e-6 {
			ratios = append(ratios, medial.Excess.Upper/clusters.Excess.Upper)
		}
		t.Logf("%-24s medial %.4f clusters %.4f, %+v", c.link, medial.Excess.Upper, clusters.Excess.Upper, medial.Proof)
	}
	if links == 0 {
		t.Skip("no robots beside the repository")
	}
	slices.Sort(ratios)
	if median := ratios[len(ratios)/2]; median > 0.9 || 2*better < links {
		t.Errorf("medial is better on %d of %d links, its median ratio is %.2f", better, links, median)
	}
}
