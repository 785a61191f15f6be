//go:build gl && cgo

package sweptgl

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/articulate"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/grazing"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// Nearly every motion that the CPU shows free is shown free on the device, those of links with
// pieces in their slices' boxes alone, too; and nothing that touches is left out.
func TestFreeMotionsAreCulled(t *testing.T) {
	free, walked, drawn, touching := 0, 0, 0, 0
	hard, hardDrawn := 0, 0
	for i := range uint64(8) {
		d := robots.NewDice(61, i)
		m, err := grazing.NewMoving(62, i, 0.5, d.World(robots.Scenery{Objects: 10, Size: 0.12, Reach: 0.5}))
		if err != nil {
			t.Fatal(err)
		}
		w := onDevice(t, m.Links)
		im, err := w.Image(128)
		if err != nil {
			t.Fatal(err)
		}
		cpu, walk := articulate.NewHullCuller(m.Links), w.Traversal()
		walk.AuditEvery, im.AuditEvery = 1, 1
		for range 3 {
			for _, k := range m.Elements() {
				var v articulate.SweptVolume
				m.Sweeper.Sweep(k, 0, 0.2, 0.6, &v)
				_, before, _ := cpu.Tests()
				left := hits(cpu, &v, 0.002)
				_, after, _ := cpu.Tests()
				byWalk, byImage := hits(walk, &v, 0.002), hits(im, &v, 0.002)
				for item := range touched(m.Links, &v, 0.002) {
					touching++
					if !byWalk[item] || !byImage[item] {
						t.Errorf("robot %d, element %d: item %d touches, walk %t, images %t", i, k, item, byWalk[item], byImage[item])
					}
				}
				if len(left) > 0 {
					continue
				}
				free++
				if len(byWalk) == 0 {
					walked++
				}
				if len(byImage) == 0 {
					drawn++
				}
				if after == before {
					continue
				}
				hard++
				if len(byImage) == 0 {
					hardDrawn++
				} else {
					t.Logf("robot %d, element %d: %d slices, images keep %d pieces", i, k, len(v.Slices), len(byImage))
				}
			}
			if err := m.Again(0.5); err != nil {
				t.Fatal(err)
			}
		}
		if walk.Err() != nil || im.Err() != nil {
			t.Fatal(walk.Err(), im.Err())
		}
	}
	t.Logf("%d free motions of links: %d culled by the traversal, %d by images; %d pieces touch", free, walked, drawn, touching)
	t.Logf("%d with pieces in boxes: %d culled by images", hard, hardDrawn)
	if hard < 10 || float64(hardDrawn) < 0.9*float64(hard) {
		t.Errorf("of %d free motions with pieces in boxes images cull %d", hard, hardDrawn)
	}
	if free < 30 || touching < 30 || float64(walked) < 0.95*float64(free) || float64(drawn) < 0.95*float64(free) {
		t.Errorf("%d free motions: %d culled by the traversal, %d by images; %d pieces touch", free, walked, drawn, touching)
	}
}

// touched lists the items that slices truly touch, measured one by one.
func touched(links *articulate.LinkBVH, v *articulate.SweptVolume, clearance float64) map[int32]bool {
	found := map[int32]bool{}
	m := links.Model()
	for i := range m.World.Items {
		other, pose := articulate.ItemCore(m, &m.World.Items[i])
		for k := range v.Slices {
			core := v.Slices[k].Core()
			core.Radius += clearance - 1e-9
			if convex.Distance(&core, &identity, &other, &pose, nil).Overlap {
				found[int32(i)] = true
			}
		}
	}
	return found
}

// Whatever the device fails to show, the CPU answers, at once and from then on.
func TestWhatIsNotShownIsNotCulled(t *testing.T) {
	c, err := grazing.New(51, 1, 60)
	if err != nil {
		t.Fatal(err)
	}
	w := onDevice(t, c.Links)
	all := len(hits(articulate.NewHullCuller(c.Links), &c.Volume, 0))
	lost := errors.New("the device is lost")
	image := func() *Image {
		im, err := w.Image(64)
		if err != nil {
			t.Fatal(err)
		}
		return im
	}
	for name, made := range map[string]func() (articulate.Culler, func() error){
		"lost device": func() (articulate.Culler, func() error) {
			x := w.Traversal()
			x.device = broken{lost}
			return x, x.Err
		},
		"lost device, images": func() (articulate.Culler, func() error) {
			x := image()
			x.device = broken{lost}
			return x, x.Err
		},
		"walk without a canary": func() (articulate.Culler, func() error) {
			x := w.Traversal()
			x.canaries = &canaries{slices: []solid{far()}, items: []uint32{0}} // said to touch, and does not
			return x, x.Err
		},
		"images of points": func() (articulate.Culler, func() error) {
			x := published(t, w)
			x.p.naive, x.p.dilation = false, -0.5 // all but the squares: known contacts or the audit must see it
			x.AuditEvery = 1
			return x, x.Err
		},
	} {
		culler, failed := made()
		for range 2 {
			if n := len(hits(culler, &c.Volume, 0)); n < all {
				t.Errorf("%s: %d of %d pieces kept", name, n, all)
			}
		}
		if failed() == nil {
			t.Errorf("%s: nobody noticed", name)
		}
	}
}

type broken struct{ err error }

func (b broken) Err() error { return b.err }

// far is a slice that touches nothing.
func far() (s solid) {
	p := geom.Vec{X: 1e4}
	s.hold([]geom.Vec{p, p, p, p}, 0.1)
	return s
}

// Counts and tokens that are not what they must be are errors.
func TestIncompleteAnswersAreErrors(t *testing.T) {
	const nonce = 77
	token := func(i, n uint32) [2]uint32 { return [2]uint32{nonce ^ i, n} }
	for name, c := range map[string]struct {
		hits  []found
		total int
		done  [][2]uint32
		want  string
	}{
		"whole":              {[]found{{1, 5}}, 1, [][2]uint32{token(0, 0), token(1, 1)}, ""},
		"not run":            {nil, 0, [][2]uint32{{}, {}}, "not walked to its end"},
		"another batch":      {nil, 0, [][2]uint32{token(0, 0), token(0, 0)}, "not walked to its end"},
		"a hit is lost":      {nil, 0, [][2]uint32{token(0, 0), token(1, 1)}, "are listed"},
		"a walk gave up":     {[]found{{1, 5}}, 1, [][2]uint32{token(0, 0), token(1, gaveUp)}, ""},
		"of another slice":   {[]found{{0, 5}}, 1, [][2]uint32{token(0, 0), token(1, 1)}, "are listed"},
		"of no slice at all": {[]found{{9, 5}}, 1, [][2]uint32{token(0, 0), token(1, 1)}, "not there"},
	} {
		_, err := complete(c.hits, c.total, c.done, nonce)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v", name, err)
		}
	}
	p := &printer{}
	v := &view{grid: grid{pixels: 4}, slices: batch{n: 1, rects: [][4]int32{{0, 0, 2, 3}}}, items: batch{n: 2, rects: [][4]int32{{0, 0, 1, 2}, {1, 1, 1, 1}}}}
	const base = 40
	for _, c := range []struct {
		counts []uint32
		want   string
		hidden [2]bool
	}{
		{[]uint32{16, 6, 2, 0, 0, 0, 0, 0}, "", [2]bool{true, true}},
		{[]uint32{16, 6, 0, 2, 0, 0, 0, 0}, "", [2]bool{true, true}},
		{[]uint32{16, 6, 1, 1, 3, 0, 0, 0}, "", [2]bool{false, true}},
		{[]uint32{16, 6, 3, 0, 0, 0, 0, 0}, "", [2]bool{false, true}}, // more fragments than pixels
		{[]uint32{16, 5, 2, 2, 0, 0, 0, 0}, "of slice 0", [2]bool{}},
		{[]uint32{15, 6, 2, 2, 0, 0, 0, 0}, "cleared 15 of 16", [2]bool{}},
	} {
		v.counts = nil
		for _, n := range c.counts {
			v.counts = append(v.counts, base+n)
		}
		hidden, err := p.judge(v, base)
		if c.want != "" {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v: %v", c.counts, err)
			}
			continue
		}
		if err != nil || [2]bool(hidden) != c.hidden {
			t.Errorf("%v: %v %v", c.counts, hidden, err)
		}
	}
}

// A walk that the driver ends is no walk: Mesa's software renderer ends all loops of an invocation
// after 65535 rounds together, and says nothing.
func TestLongWalksAreNotBelieved(t *testing.T) {
	const n = 60_000
	r := robots.NewDice(65, 0)
	dust := &mesh.Mesh{}
	for i := range n {
		at := r.Vec(0.5)
		dust.Vertices = append(dust.Vertices, at, geom.Vec{X: at.X + 0.01, Y: at.Y, Z: at.Z}, geom.Vec{X: at.X, Y: at.Y + 0.01, Z: at.Z})
		dust.Triangles = append(dust.Triangles, [3]int32{int32(3 * i), int32(3*i + 1), int32(3*i + 2)})
	}
	m, err := grazing.NewMoving(62, 3, 0.5, robots.World(robots.Object("dust", robots.Mesh(dust), geom.IdentityPose())))
	if err != nil {
		t.Fatal(err)
	}
	w := onDevice(t, m.Links)
	walk := w.Traversal()
	// All of the dust is near it and about half of it touches; what is short is walked beside.
	large := articulate.SweptVolume{Slices: []articulate.Slice{
		{S1: 0.5, Corners: [4]geom.Vec{{Z: -0.3}, {Z: 0.3}, {X: 0.1}, {X: 0.1, Z: 0.3}}, Radius: 0.35},
		{S0: 0.5, S1: 1, Corners: [4]geom.Vec{{X: 0.4}, {X: 0.4}, {X: 0.4}, {X: 0.4}}, Radius: 0.02},
	}}
	kept := hits(walk, &large, 0)
	for item := range hits(articulate.NewHullCuller(m.Links), &large, 0) {
		if !kept[item] {
			t.Fatalf("item %d, which the CPU keeps, is left out", item)
		}
	}
	if walk.Err() != nil {
		t.Fatal(walk.Err())
	}
	t.Logf("%d of %d pieces kept; %d slices given up", len(kept), n, walk.GaveUp())
	if w.device.Software && walk.GaveUp() == 0 {
		t.Error("no walk was given up: this shows nothing")
	}
}

// What single precision cannot hold goes to the CPU, NaN too.
func TestBeyondSinglePrecision(t *testing.T) {
	c, err := grazing.New(51, 2, 40)
	if err != nil {
		t.Fatal(err)
	}
	w := onDevice(t, c.Links)
	im, err := w.Image(64)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []float64{1e39, math.Inf(1), math.NaN()} {
		v := c.Volume
		v.Slices = append([]articulate.Slice(nil), v.Slices...)
		v.Slices[0].Radius = x
		for name, culler := range map[string]articulate.Culler{"walk": w.Traversal(), "images": im} {
			want := hits(articulate.NewHullCuller(c.Links), &v, 0)
			if n := len(hits(culler, &v, 0)); n < len(want) {
				t.Errorf("%s, radius %g: %d of %d pieces kept", name, x, n, len(want))
			}
		}
	}
}

// A solid in single precision holds the one in double precision.
func TestSolidsHoldWhatTheyAreOf(t *testing.T) {
	d := robots.NewDice(63, 0)
	for range 2000 {
		var ps []geom.Vec
		at := d.Vec(d.Spread(1e-3, 1e4))
		for range 1 + d.IntN(4) {
			q := d.Vec(0.3)
			ps = append(ps, geom.Vec{X: at.X + q.X, Y: at.Y + q.Y, Z: at.Z + q.Z})
		}
		radius := d.Spread(1e-6, 0.1)
		var s solid
		s.hold(ps, radius)
		for i, p := range ps {
			q := s.at(i)
			off := math.Hypot(math.Hypot(p.X-q.X, p.Y-q.Y), p.Z-q.Z)
			if off+radius > float64(s.radius) {
				t.Fatalf("%v is %g from its corner, radius %g of %g", p, off, radius, s.radius)
			}
			if p.X+radius > float64(s.box.Hi[0]) || p.Z-radius < float64(s.box.Lo[2]) {
				t.Fatalf("%v with %g is not in %v", p, radius, s.box)
			}
		}
		slabs := appendSlab(nil, &s, d.Unit())
		n := geom.Vec{X: float64(slabs[0]), Y: float64(slabs[1]), Z: float64(slabs[2])}
		for _, p := range ps {
			x := p.X*n.X + p.Y*n.Y + p.Z*n.Z
			if r := radius * geom.Norm(n); x+r > float64(slabs[4]) || x-r < float64(slabs[3]) {
				t.Fatalf("%g with %g is not in [%g, %g]", x, r, slabs[3], slabs[4])
			}
		}
	}
}

// The method's verdicts do not depend on who culls.
func TestVerdictsDoNotDependOnTheCuller(t *testing.T) {
	var notes []string
	Note = func(s string) { notes = append(notes, s) }
	defer func() { Note = nil }()
	contacts, n := 0, 0
	for i := range uint64(6) {
		d := robots.NewDice(64, i)
		robot := d.Robot(robots.Plan{Joints: 3})
		c, err := ccd.New(robot, d.World(robots.Scenery{Objects: 4}), ccd.Options{})
		if err != nil {
			t.Fatal(err)
		}
		m := d.Motion(robot, robots.Travel{Pieces: 1})
		var want motion.Verdict
		for _, research := range []string{"", "swept=gpu", "swept=image", "swept=auto"} {
			v, err := c.Check(context.Background(), m, motion.Query{Method: motion.Articulate, Research: research})
			if err != nil {
				if _, no := the(); no != nil {
					t.Skip(no)
				}
				t.Fatal(err)
			}
			if n++; v.Status == motion.Contact {
				contacts++
			}
			if research == "" {
				want = v
			} else if v.Status != want.Status || math.Abs(v.TOC.Hi-want.TOC.Hi) > 2e-6 {
				t.Errorf("case %d, %s: %v at %v, not %v at %v", i, research, v.Status, v.TOC, want.Status, want.TOC)
			}
		}
	}
	if contacts == 0 || contacts == n {
		t.Errorf("%d of %d verdicts are contacts", contacts, n)
	}
	if len(notes) == 0 || !strings.Contains(notes[0], "swept=auto on") {
		t.Errorf("auto says %q", notes)
	}
	t.Log(notes)
}
