package raster

import (
	"bytes"
	"context"
	"encoding/binary"
	"image"
	"image/png"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"regexp"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
)

// block is the mesh of a box.
func block(x, y, z float32) *Mesh {
	m := &Mesh{}
	for i := range 8 {
		v := [3]float32{-x, -y, -z}
		for k := range v {
			if i>>k&1 != 0 {
				v[k] = -v[k]
			}
		}
		m.Vertices = append(m.Vertices, v[:]...)
	}
	for _, f := range [6][4]uint32{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}} {
		m.Triangles = append(m.Triangles, f[0], f[1], f[2], f[0], f[2], f[3])
	}
	return m
}

// ball is the mesh of a ball, refined from an octahedron, whose corners are on it.
func ball(r float64, steps int) *Mesh {
	faces := [][3]vec{}
	for i := range 8 {
		sign := func(k int) float64 { return float64(1 - 2*(i>>k&1)) }
		a, b, c := vec{sign(0), 0, 0}, vec{0, sign(1), 0}, vec{0, 0, sign(2)}
		if sign(0)*sign(1)*sign(2) < 0 {
			b, c = c, b
		}
		faces = append(faces, [3]vec{a, b, c})
	}
	for range steps {
		var finer [][3]vec
		for _, f := range faces {
			a, b, c := f[0].add(f[1]).unit(), f[1].add(f[2]).unit(), f[2].add(f[0]).unit()
			finer = append(finer, [3]vec{f[0], a, c}, [3]vec{a, f[1], b}, [3]vec{c, b, f[2]}, [3]vec{a, b, c})
		}
		faces = finer
	}
	m := &Mesh{}
	at := map[[3]float32]uint32{}
	for _, f := range faces {
		for _, v := range f {
			key := [3]float32{float32(r * v.x), float32(r * v.y), float32(r * v.z)}
			i, ok := at[key]
			if !ok {
				i = uint32(len(m.Vertices) / 3)
				at[key] = i
				m.Vertices = append(m.Vertices, key[:]...)
			}
			m.Triangles = append(m.Triangles, i)
		}
	}
	return m
}

// still is a scene with all that there is: solid bodies, scenery that is cut, ghosts, ground.
func still() (*Scene, *Camera) {
	turned := geom.Pose{R: geom.Rot{XX: 0.8, XY: -0.6, YX: 0.6, YY: 0.8, ZZ: 1}, P: geom.Vec{X: 0.1, Y: -0.5, Z: 0.25}}
	s := &Scene{
		Bodies: []Body{
			{Mesh: ball(0.3, 3), Pose: geom.Translation(geom.Vec{Z: 0.6}), Colour: Colour{200, 80, 60}},
			{Mesh: block(0.4, 0.15, 0.25), Pose: turned, Colour: Colour{185, 199, 214}},
			{Mesh: block(0.05, 0.05, 1), Pose: geom.Translation(geom.Vec{X: 1.3, Y: 0.3, Z: 0.5}), Colour: Colour{220, 205, 180}, Scenery: true},
			{Mesh: block(3, 0.05, 1), Pose: geom.Translation(geom.Vec{Y: 1.2, Z: 1}), Colour: Colour{220, 205, 180}, Scenery: true},
		},
		Layers: []Layer{
			{Bodies: []Body{{Mesh: ball(0.3, 2), Pose: geom.Translation(geom.Vec{X: -0.1, Y: 0.35, Z: 0.7}), Colour: Colour{60, 120, 210}}}, Opacity: 0.3},
			{Bodies: []Body{{Mesh: block(0.2, 0.2, 0.2), Pose: geom.Translation(geom.Vec{Y: -0.9, Z: 0.3}), Colour: Colour{60, 210, 120}}}, Opacity: 0.2},
		},
		Ground: Ground{Shown: true, Height: -0.001, Lines: 0.1},
		Focus:  Ball{Center: geom.Vec{Z: 0.5}, Radius: 0.9},
		Theme:  Theme{Top: Colour{251, 252, 254}, Bottom: Colour{222, 227, 234}, Ground: Colour{228, 232, 237}, Line: Colour{168, 177, 190}, Sky: 0.55},
	}
	c := Fit(s.Bodies[:2], Direction(35, 25), 200, 150)
	return s, &c
}

func pictureOf(t testing.TB, s *Scene, c *Camera, workers int) *image.RGBA {
	t.Helper()
	img, err := Render(context.Background(), s, c, workers, nil)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// The picture is the one in testdata, to the last bit, on every machine and with any number of
// goroutines.
func TestGolden(t *testing.T) {
	s, c := still()
	got := pictureOf(t, s, c, 1)
	if switches.Golden.On() {
		var b bytes.Buffer
		if err := png.Encode(&b, got); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("testdata/golden.png", b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.Open("testdata/golden.png")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	want, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	different := 0
	for y := range c.Height {
		for x := range c.Width {
			r, g, b, _ := want.At(x, y).RGBA()
			p := got.RGBAAt(x, y)
			if uint8(r>>8) != p.R || uint8(g>>8) != p.G || uint8(b>>8) != p.B {
				different++
			}
		}
	}
	if want.Bounds() != got.Bounds() || different > 0 {
		t.Errorf("%d pixels differ from testdata/golden.png: if that is meant, run it with UPDATE_GOLDEN=1", different)
	}
	if again := pictureOf(t, s, c, 3); !bytes.Equal(got.Pix, again.Pix) {
		t.Error("three goroutines draw another picture")
	}
}

// The compiler for a processor that has fused operations puts none into this package.
func TestNothingIsFused(t *testing.T) {
	if !switches.Long.Set() {
		t.Skip("compiles the standard library and the product for another processor")
	}
	cmd := exec.Command("go", "build", "-gcflags=-S", ".", "..")
	cmd.Env = append(os.Environ(), "GOARCH=arm64", "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if !bytes.Contains(out, []byte("FMULD")) {
		t.Fatal("the listing has no products: it is not what this test takes it for")
	}
	fused := regexp.MustCompile(`([a-z_]+\.go:[0-9]+).*\bF(N?)M(ADD|SUB)[DS]\b`)
	for _, m := range fused.FindAllSubmatch(out, -1) {
		t.Errorf("%s: a product is fused with a sum: write float64(x*y) + z", m[1])
	}
}

// Every sample shows what a ray through it hits first, found by trying all triangles. Samples
// within a cell's fraction of an edge may go either way, and so may those where two triangles are
// equally near.
func TestHiddenSurfaces(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const width, height, rounds = 96, 72, 40
	compared, left := 0, 0
	for range rounds {
		var bodies []Body
		for range 3 + random.IntN(6) {
			m := &Mesh{}
			for range 3 * (1 + random.IntN(5)) {
				m.Triangles = append(m.Triangles, uint32(len(m.Vertices)/3))
				for range 3 {
					m.Vertices = append(m.Vertices, float32(2*random.Float64()-1))
				}
			}
			q, _ := geom.Quat(random.NormFloat64(), random.NormFloat64(), random.NormFloat64(), random.NormFloat64())
			bodies = append(bodies, Body{Mesh: m, Pose: geom.Pose{R: q, P: geom.Vec{X: random.Float64(), Y: random.Float64()}}, Scenery: random.IntN(2) == 0})
		}
		c := Fit(bodies, Direction(360*random.Float64(), 180*random.Float64()-90), width, height)
		if random.IntN(3) == 0 { // into the middle: what is behind the eye is clipped
			c.Eye, c.Near = geom.Vec{}, 0.3
		}
		v := c.view(1)
		seen := Survey(bodies, &c)
		for y := range height {
			for x := range width {
				want, sure := cast(&v, bodies, float64(x)+0.5, float64(y)+0.5)
				switch got := seen.Body[y*width+x]; {
				case !sure:
					left++
				case got != want:
					t.Fatalf("pixel %d,%d shows body %d; a ray hits %d", x, y, got, want)
				default:
					compared++
				}
			}
		}
	}
	if left > compared/5 {
		t.Errorf("only %d of %d samples are compared", compared, compared+left)
	}
}

// cast is the slow twin of the renderer: the body that a ray hits first, and whether that is
// beyond doubt.
func cast(v *view, bodies []Body, x, y float64) (body int, sure bool) {
	const edge = 2.0 / cell // of a pixel: two corners' rounding
	body = -1
	first, second, doubtful := math.Inf(1), math.Inf(1), math.Inf(1)
	ray := v.ray(x, y)
	for i := range bodies {
		near := tooNear * v.near
		if bodies[i].Scenery {
			near = v.near
		}
		m, at := bodies[i].Mesh, frameOf(bodies[i].Pose)
		for k := 0; k < len(m.Triangles); k += 3 {
			a, b, c := at.apply(m.vertex(m.Triangles[k])), at.apply(m.vertex(m.Triangles[k+1])), at.apply(m.vertex(m.Triangles[k+2]))
			n := b.sub(a).cross(c.sub(a))
			d := n.dot(ray)
			z := n.dot(a.sub(v.eye)) / d
			p := v.eye.plus(z, ray)
			// The distance to each edge's line, positive inside, in pixels there.
			inside := math.Inf(1)
			for _, e := range [...][2]vec{{a, b}, {b, c}, {c, a}} {
				s := e[1].sub(e[0])
				inside = min(inside, n.cross(s).unit().dot(p.sub(e[0])))
			}
			slant := math.Abs(n.unit().dot(ray.unit()))
			inside *= slant * v.focal / max(z, 1e-9)
			switch {
			case !(z > 0) || inside < -edge/max(slant, 1e-6)-1e-6:
				continue
			case math.Abs(inside) <= edge/max(slant, 1e-6)+1e-6 || slant < 0.02 || math.Abs(z-near) < 1e-3*near:
				doubtful = min(doubtful, z)
				continue
			case z < near:
				continue
			}
			if z < first {
				first, second, body = z, first, i
			} else {
				second = min(second, z)
			}
		}
	}
	return body, doubtful > first*(1+1e-3) && !(second-first <= 1e-3*first) || doubtful == math.Inf(1) && body < 0
}

// Triangles that share an edge share no sample and leave none out, at any place.
func TestEdgesAreTight(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	const side = 40
	for range 300 {
		at := func() corner {
			return corner{int32(random.IntN(side * cell)), int32(random.IntN(side * cell)), 1}
		}
		// A fan around a point inside a square.
		middle := at()
		rim := []corner{{0, 0, 1}, {0, side * cell, 1}, {side * cell, side * cell, 1}, {side * cell, 0, 1}}
		hits := make([]int, side*side)
		for i := range rim {
			g := grid{width: side, height: side, near: make([]float32, side*side), id: make([]uint32, side*side)}
			g.fill(middle, rim[i], rim[(i+1)%4], 1, nil)
			for k, id := range g.id {
				hits[k] += int(id)
			}
		}
		for k, n := range hits {
			if n != 1 {
				t.Fatalf("around %v sample %d,%d belongs to %d triangles", middle, k%side, k/side, n)
			}
		}
	}
}

// A camera that was fitted has every vertex in its picture, and two edges of it are reached.
func TestFit(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		m := &Mesh{Triangles: []uint32{0, 1, 2}}
		for range 3 * (3 + random.IntN(20)) {
			m.Vertices = append(m.Vertices, float32(random.NormFloat64()))
		}
		bodies := []Body{{Mesh: m, Pose: geom.IdentityPose()}}
		w, h := 50+random.IntN(500), 50+random.IntN(500)
		c := Fit(bodies, Direction(360*random.Float64(), 160*random.Float64()-80), w, h)
		left, right, top, bottom := 1.0, 0.0, 1.0, 0.0
		for i := 0; i < len(m.Vertices); i += 3 {
			x, y, far := c.Project(geom.Vec{X: float64(m.Vertices[i]), Y: float64(m.Vertices[i+1]), Z: float64(m.Vertices[i+2])})
			if far <= 0 {
				t.Fatal("a vertex is behind the camera")
			}
			left, right = min(left, x/float64(w)), max(right, x/float64(w))
			top, bottom = min(top, y/float64(h)), max(bottom, y/float64(h))
		}
		const e = 1e-6
		if min(left, top) < margin-e || max(right, bottom) > 1-margin+e {
			t.Fatalf("%g to %g, %g to %g are not in the picture", left, right, top, bottom)
		}
		if right-left < 1-2*margin-e && bottom-top < 1-2*margin-e {
			t.Fatalf("%g to %g, %g to %g leave room on all sides", left, right, top, bottom)
		}
	}
}

// Whatever the numbers, a picture comes out.
func FuzzRender(f *testing.F) {
	f.Add(uint16(64), uint16(48), []byte("some numbers of a mesh, four bytes each, and some more"))
	f.Add(uint16(1), uint16(300), []byte{0xff, 0xff, 0x7f, 0x7f, 0, 0, 0x80, 0x7f, 0, 0, 0xc0, 0x7f, 1, 0, 0, 0})
	f.Fuzz(func(t *testing.T, width, height uint16, data []byte) {
		w, h := 1+int(width%16), 1+int(height%16)
		m := &Mesh{}
		for len(data) >= 4 && len(m.Vertices) < 120 {
			x := math.Float32frombits(binary.LittleEndian.Uint32(data))
			if x != x || math.Abs(float64(x)) > geom.MaxLength { // no robot has these
				x = float32(len(data))
			}
			m.Vertices = append(m.Vertices, x)
			data = data[4:]
		}
		n := uint32(len(m.Vertices) / 3)
		m.Vertices = m.Vertices[:3*n]
		for i := uint32(0); i+2 < n; i++ {
			m.Triangles = append(m.Triangles, i, i+1, i+2)
		}
		bodies := []Body{{Mesh: m, Pose: geom.IdentityPose(), Colour: Colour{200, 100, 50}, Scenery: n%2 == 0}}
		box := Bounds(bodies)
		s, _ := still()
		s.coarse = 48 // most of the time of a small picture goes into shadows
		s.Bodies, s.Layers = append(bodies, s.Bodies[1:]...), s.Layers[1:]
		if n > 0 {
			s.Focus = Ball{box.Center(), max(geom.Norm(box.Half()), 1e-9)}
		}
		c := Fit(bodies, Direction(float64(width), float64(height%90)), w, h)
		if img := pictureOf(t, s, &c, 2); img.Bounds().Dx() != w || img.Bounds().Dy() != h {
			t.Error(img.Bounds())
		}
	})
}
