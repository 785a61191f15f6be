package articulate

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Culling in image space as RKLM04, section 4.2.3, has it of CULLIDE, drawn here in plain
// arithmetic: an object that is fully visible before the swept surface, in one of three
// orthographic views, seen from either end, is taken not to touch it. Drawing samples the middles
// of pixels. What covers no middle is "fully visible", and what is drawn is compared at
// the middles alone.

// image is one orthographic view of triangles: at each pixel's middle, how near and how far.
type image struct {
	box       geom.Box
	axis      int
	n         int
	near, far []float64
}

func newImage(box geom.Box, axis, n int) *image {
	im := &image{box: box, axis: axis, n: n, near: make([]float64, n*n), far: make([]float64, n*n)}
	for i := range im.near {
		im.near[i], im.far[i] = math.Inf(1), math.Inf(-1)
	}
	return im
}

// project returns a point's place in pixels and its depth.
func (im *image) project(p geom.Vec) (x, y, depth float64) {
	c := [3]float64{p.X, p.Y, p.Z}
	lo := [3]float64{im.box.Min.X, im.box.Min.Y, im.box.Min.Z}
	hi := [3]float64{im.box.Max.X, im.box.Max.Y, im.box.Max.Z}
	a, b := (im.axis+1)%3, (im.axis+2)%3
	n := float64(im.n)
	return (c[a] - lo[a]) / (hi[a] - lo[a]) * n, (c[b] - lo[b]) / (hi[b] - lo[b]) * n, c[im.axis]
}

// draw calls pixel with each pixel whose middle the triangle covers, and the depth there.
func (im *image) draw(t *[3]geom.Vec, pixel func(at int, depth float64)) {
	var x, y, z [3]float64
	for i := range t {
		x[i], y[i], z[i] = im.project(t[i])
	}
	area := (x[1]-x[0])*(y[2]-y[0]) - (x[2]-x[0])*(y[1]-y[0])
	if area == 0 {
		return
	}
	first := func(v [3]float64) int { return max(int(math.Ceil(min(v[0], v[1], v[2])-0.5)), 0) }
	last := func(v [3]float64) int { return min(int(math.Floor(max(v[0], v[1], v[2])-0.5)), im.n-1) }
	for i := first(x); i <= last(x); i++ {
		for j := first(y); j <= last(y); j++ {
			px, py := float64(i)+0.5, float64(j)+0.5
			b := ((px-x[0])*(y[2]-y[0]) - (x[2]-x[0])*(py-y[0])) / area
			c := ((x[1]-x[0])*(py-y[0]) - (px-x[0])*(y[1]-y[0])) / area
			if b >= 0 && c >= 0 && b+c <= 1 {
				pixel(i*im.n+j, z[0]+b*(z[1]-z[0])+c*(z[2]-z[0]))
			}
		}
	}
}

func (im *image) add(t *[3]geom.Vec) {
	im.draw(t, func(at int, depth float64) {
		im.near[at], im.far[at] = min(im.near[at], depth), max(im.far[at], depth)
	})
}

// fullyVisible reports whether the triangle is before all that was added, seen from either end.
func (im *image) fullyVisible(t *[3]geom.Vec) bool {
	front, back := true, true
	im.draw(t, func(at int, depth float64) {
		front, back = front && depth <= im.near[at], back && depth >= im.far[at]
	})
	return front || back
}

// Things that dent the swept surface a little are dropped by the naive stage, most of
// them; slices, and triangles with their error, keep every one.
func TestNaiveImageCullingDropsGrazingContacts(t *testing.T) {
	const count, pixels, tol = 300, 512, 0.01
	d := newChance(41, 0)
	// All of it is turned so that nothing is seen edge-on: that draws nothing at all.
	turn := geom.Pose{R: geom.RPY(0.7, 0.5, 0.4)}
	world := &scene.Snapshot{}
	for i := range count {
		angle := d.In(0.1, 1.1)
		out := geom.Vec{Y: -math.Sin(angle), Z: math.Cos(angle)}
		n, at := out, r3.Scale(1.6, out) // on the pipe of the far end, or on an offset
		if d.IntN(2) == 0 {
			n = geom.Vec{X: 1}
			at = r3.Add(r3.Scale(d.In(0.7, 1.3), out), geom.Vec{X: 0.1})
		}
		depth := math.Exp(d.In(math.Log(1e-5), math.Log(1e-2)))
		size := math.Exp(d.In(math.Log(1e-3), math.Log(3e-2)))
		o := speck(turn.Apply(r3.Sub(at, r3.Scale(depth, n))), turn.R.Apply(n), size)
		o.ID = fmt.Sprint("speck", i)
		world.Objects = append(world.Objects, o)
	}
	s := rodAt(t, turn, urdf.Revolute, geom.Vec{X: 1}, geom.Vec{Z: 1}, world, 0, 1.2)
	links := NewLinkBVH(s.model)
	w := NewSweeper(links, s.mover)
	w.Load()
	shell, err := w.Tessellate(0, 0, 1, tol)
	if err != nil {
		t.Fatal(err)
	}
	dropped := 0
	box := geom.EmptyBox()
	for _, tr := range shell.Triangles {
		for _, p := range tr {
			box = box.Extend(p)
		}
	}
	var views [3]*image
	for axis := range views {
		views[axis] = newImage(box, axis, pixels)
		for i := range shell.Triangles {
			views[axis].add(&shell.Triangles[i])
		}
	}
	for i := range s.model.World.Items {
		tr := s.model.World.Items[i].Vertices
		if views[0].fullyVisible(&tr) || views[1].fullyVisible(&tr) || views[2].fullyVisible(&tr) {
			dropped++
		}
	}
	t.Logf("naive culling in images of %d x %d drops %d of %d grazing contacts", pixels, pixels, dropped, count)
	if dropped < count/2 {
		t.Errorf("naive culling drops %d of %d grazing contacts: this shows little", dropped, count)
	}
	var v SweptVolume
	w.Sweep(0, 0, 0, 1, &v)
	c := NewTessellationCuller(w)
	c.Tolerance = tol
	for name, culler := range map[string]Culler{"slices": NewHullCuller(links), "triangles": c} {
		hit := map[int32]bool{}
		culler.Cull(&v, 0, func(int32) bool { return true }, func(item int32) { hit[item] = true })
		if len(hit) != count {
			t.Errorf("%s keep %d of %d grazing contacts", name, len(hit), count)
		}
	}
}

// The images are drawn right: what is well inside is seen not to be before the surface, what is
// far off is.
func TestImagesSeeWhatIsPlain(t *testing.T) {
	box := geom.Box{Min: geom.Vec{X: -1, Y: -1, Z: -1}, Max: geom.Vec{X: 1, Y: 1, Z: 1}}
	ball := convex.Core{Kind: convex.Point, Vertices: []geom.Vec{{}}, Radius: 0.5}
	d := newChance(42, 0)
	for axis := range 3 {
		im := newImage(box, axis, 128)
		for range 4000 { // a sphere of triangles
			n := d.Unit()
			x, y := across(n)
			at := r3.Scale(0.5, n)
			im.add(&[3]geom.Vec{r3.Add(at, r3.Scale(0.1, x)), r3.Add(at, r3.Scale(0.1, y)), r3.Sub(at, r3.Scale(0.1, r3.Add(x, y)))})
		}
		inside := [3]geom.Vec{{X: 0.1}, {Y: 0.1}, {Z: 0.1}}
		outside := [3]geom.Vec{{X: 0.9, Y: 0.9, Z: 0.8}, {X: 0.9, Y: 0.8, Z: 0.9}, {X: 0.8, Y: 0.9, Z: 0.9}}
		tr := convex.Core{Kind: convex.Triangle, Vertices: outside[:]}
		if convex.Distance(&ball, &identity, &tr, &identity, nil).Overlap {
			t.Fatal("what should be outside is not")
		}
		if im.fullyVisible(&inside) || !im.fullyVisible(&outside) {
			t.Errorf("axis %d: inside visible %t, outside visible %t", axis, im.fullyVisible(&inside), im.fullyVisible(&outside))
		}
	}
}
