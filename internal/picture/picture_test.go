package picture

import (
	"context"
	"image"
	"math"
	"testing"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/picture/raster"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/motion/motionfile"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

const humanoid = "../../testdata/humanoid/"

// staged is the humanoid among its obstacles on a motion that touches.
func staged(t testing.TB) (*Stage, *ccd.Checker, *motion.Motion, motion.Verdict) {
	t.Helper()
	robot, err := urdf.Load(humanoid+"humanoid.urdf", urdf.Options{SRDF: humanoid + "humanoid.srdf"})
	if err != nil {
		t.Fatal(err)
	}
	world, err := scene.Load(humanoid+"obstacles.yaml", scene.Options{Robot: robot})
	if err != nil {
		t.Fatal(err)
	}
	c, err := ccd.New(robot, world, ccd.Options{})
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := motionfile.Load(humanoid+"wave.csv", motionfile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m := loaded[0].Motion
	v, err := c.Check(context.Background(), m, motion.Query{})
	if err != nil || v.Status != motion.Contact {
		t.Fatal(v.Status, err)
	}
	s, err := NewArtist(c.Robot()).On(c, m)
	if err != nil {
		t.Fatal(err)
	}
	return s, c, m, v
}

// What is drawn is where the engine found it: the points of a witness lie on the triangles of
// their bodies, and the colours are those of the pair.
func TestDrawnPoseIsTheEngines(t *testing.T) {
	s, _, _, v := staged(t)
	drawn, err := s.scenery(&Shot{Time: v.TOC.Hi, Witness: &v.Contact}, &Options{})
	if err != nil {
		t.Fatal(err)
	}
	for side, p := range [...]geom.Vec{v.Contact.PointA, v.Contact.PointB} {
		b := drawn.scene.Bodies[drawn.pair[side]]
		if b.Colour != light.pair[side] || b.Scenery {
			t.Errorf("side %d has the colour %v", side, b.Colour)
		}
		if d := distance(&b, p); d > 2e-6 { // the poses' rounding, and the vertices'
			t.Errorf("side %d: the witness is %g m from what is drawn", side, d)
		}
	}
	elsewhere, err := s.scenery(&Shot{Time: v.TOC.Hi - 0.2, Witness: &v.Contact}, &Options{})
	if err != nil {
		t.Fatal(err)
	}
	if d := distance(&elsewhere.scene.Bodies[elsewhere.pair[1]], v.Contact.PointB); d < 1e-3 {
		t.Errorf("0.2 s before, the hand is drawn %g m from where it touches", d)
	}
}

// distance is how far a point is from a body's triangles.
func distance(b *raster.Body, p geom.Vec) float64 {
	m := b.Mesh
	at := func(i uint32) geom.Vec {
		v := m.Vertices[3*m.Triangles[i]:]
		return b.Pose.Apply(geom.Vec{X: float64(v[0]), Y: float64(v[1]), Z: float64(v[2])})
	}
	sub := func(a, b geom.Vec) geom.Vec { return geom.Vec{X: a.X - b.X, Y: a.Y - b.Y, Z: a.Z - b.Z} }
	dot := func(a, b geom.Vec) float64 { return a.X*b.X + a.Y*b.Y + a.Z*b.Z }
	least := math.Inf(1)
	segment := func(a, b geom.Vec) {
		ab, ap := sub(b, a), sub(p, a)
		f := min(max(dot(ab, ap)/dot(ab, ab), 0), 1)
		least = min(least, geom.Norm(sub(ap, geom.Vec{X: f * ab.X, Y: f * ab.Y, Z: f * ab.Z})))
	}
	for i := uint32(0); i < uint32(len(m.Triangles)); i += 3 {
		a, b, c := at(i), at(i+1), at(i+2)
		segment(a, b)
		segment(b, c)
		segment(c, a)
		e, f, d := sub(b, a), sub(c, a), sub(p, a)
		ee, ef, ff, de, df := dot(e, e), dot(e, f), dot(f, f), dot(d, e), dot(d, f)
		if det := ee*ff - ef*ef; det > 0 {
			x, y := (de*ff-df*ef)/det, (df*ee-de*ef)/det
			if x >= 0 && y >= 0 && x+y <= 1 {
				least = min(least, geom.Norm(geom.Vec{X: d.X - x*e.X - y*f.X, Y: d.Y - x*e.Y - y*f.Y, Z: d.Z - x*e.Z - y*f.Z}))
			}
		}
	}
	return least
}

// The camera that is chosen sees both sides of the contact, close to it.
func TestCameraSeesTheContact(t *testing.T) {
	s, _, _, v := staged(t)
	drawn, err := s.scenery(&Shot{Time: v.TOC.Hi, Witness: &v.Contact}, &Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := raster.Around(drawn.closeUp(), drawn.direction(nil), 100, 100)
	count := map[int]int{}
	seen := raster.Survey(drawn.scene.Bodies, &c)
	for _, k := range seen.Body {
		count[k]++
	}
	for side, k := range drawn.pair {
		if count[k] < 300 {
			t.Errorf("side %d has %d of 10000 pixels", side, count[k])
		}
	}
}

// Every size gives a picture, with room for words or without.
func TestSizes(t *testing.T) {
	s, _, _, v := staged(t)
	shot := &Shot{Title: "a title that is much too long for a picture as small as this", Caption: "Ωμέγα, 漢字", Time: 1, Ghosts: []float64{0, 0.5}, Witness: &v.Contact}
	for _, size := range [...]image.Point{{64, 64}, {65, 300}, {300, 64}, {131, 97}} {
		img, err := s.Draw(t.Context(), shot, Options{Width: size.X, Height: size.Y, Workers: 2, From: &[2]float64{30, 20}})
		if err != nil || img.Bounds().Size() != size {
			t.Errorf("%v: %v", size, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Draw(ctx, shot, Options{Width: 100, Height: 100}); err == nil {
		t.Error("a context that is done draws a picture")
	}
}

// A robot of which nothing can be drawn, in no world, is an empty picture.
func TestNothingToDraw(t *testing.T) {
	robot, err := urdf.Parse([]byte(`<robot name="r"><link name="a"/></robot>`), urdf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := ccd.New(robot, nil, ccd.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewArtist(c.Robot()).On(c, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Draw(t.Context(), &Shot{Title: "nothing"}, Options{Width: 100, Height: 80}); err != nil {
		t.Error(err)
	}
}
