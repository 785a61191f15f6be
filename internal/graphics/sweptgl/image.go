//go:build gl && cgo

package sweptgl

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"

	"github.com/go-gl/gl/v4.3-core/gl"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/articulate"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/bvh"
	"github.com/firstcontact-ros/firstcontact/internal/graphics/offscreen"
)

// views are the directions of view of a frame. Each is seen from both ends: six views.
const views = 3

// printer draws on the device. Several goroutines may use it.
type printer struct {
	device *offscreen.Device
	world  *world
	pixels int // of a side of the images, a power of two
	naive  bool

	mu                sync.Mutex // of what follows, which belongs to one query at a time
	closed            bool
	vao               uint32
	slices, items     uint32 // programs
	round             uint32 // that of slices with more slabs
	buffers           [4]uint32
	texture           uint32
	images, countOnly uint32  // framebuffers
	dilation          float64 // of a pixel: the rasterizer's subpixel precision
}

func newPrinter(d *offscreen.Device, w *world, pixels int) (*printer, error) {
	if pixels < 16 || pixels > 4096 || pixels&(pixels-1) != 0 {
		return nil, fmt.Errorf("images of %d pixels: give a power of two, 16 to 4096", pixels)
	}
	if !w.finite() {
		return nil, errors.New("a piece of the world exceeds single precision")
	}
	p := &printer{device: d, world: w, pixels: pixels}
	return p, d.Do(queryLimit, p.open)
}

// open makes programs, buffers and images, in the device's thread.
func (p *printer) open() (err error) {
	if p.slices, err = program(imageSource, fmt.Sprint("SLABS ", sliceSlabs, "\n#define VOLUME"), gl.VERTEX_SHADER, gl.FRAGMENT_SHADER); err != nil {
		return err
	}
	if p.round, err = program(imageSource, fmt.Sprint("SLABS ", roundSlabs, "\n#define VOLUME"), gl.VERTEX_SHADER, gl.FRAGMENT_SHADER); err != nil {
		return err
	}
	if p.items, err = program(imageSource, fmt.Sprint("SLABS ", itemSlabs, "\n#define PIECES"), gl.VERTEX_SHADER, gl.FRAGMENT_SHADER); err != nil {
		return err
	}
	var bits int32
	gl.GetIntegerv(gl.SUBPIXEL_BITS, &bits)
	p.dilation = math.Ldexp(1, -int(min(max(bits, 4), 24)))
	n := int32(p.pixels)
	gl.GenBuffers(int32(len(p.buffers)), &p.buffers[0])
	gl.GenTextures(1, &p.texture)
	gl.BindTexture(gl.TEXTURE_2D, p.texture)
	gl.TexStorage2D(gl.TEXTURE_2D, 1, gl.RG32F, n, n)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST)
	var fbo [2]uint32
	gl.GenFramebuffers(2, &fbo[0])
	p.images, p.countOnly = fbo[0], fbo[1]
	gl.BindFramebuffer(gl.FRAMEBUFFER, p.images)
	gl.FramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, p.texture, 0)
	whole := gl.CheckFramebufferStatus(gl.FRAMEBUFFER) == gl.FRAMEBUFFER_COMPLETE
	gl.BindFramebuffer(gl.FRAMEBUFFER, p.countOnly)
	gl.FramebufferParameteri(gl.FRAMEBUFFER, gl.FRAMEBUFFER_DEFAULT_WIDTH, n)
	gl.FramebufferParameteri(gl.FRAMEBUFFER, gl.FRAMEBUFFER_DEFAULT_HEIGHT, n)
	if whole = whole && gl.CheckFramebufferStatus(gl.FRAMEBUFFER) == gl.FRAMEBUFFER_COMPLETE; !whole {
		return errors.New("the device cannot draw images of two float32 numbers")
	}
	gl.GenVertexArrays(1, &p.vao)
	gl.Disable(gl.DEPTH_TEST)
	gl.Disable(gl.CULL_FACE)
	gl.Disable(gl.MULTISAMPLE)
	gl.Disable(gl.DITHER)
	return nil
}

func (p *printer) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return
	}
	p.closed = true
	_ = p.device.Do(queryLimit, func() error { // a lost device has nothing left
		gl.DeleteBuffers(int32(len(p.buffers)), &p.buffers[0])
		gl.DeleteProgram(p.slices)
		gl.DeleteProgram(p.round)
		gl.DeleteProgram(p.items)
		gl.DeleteTextures(1, &p.texture)
		gl.DeleteFramebuffers(1, &p.images)
		gl.DeleteFramebuffers(1, &p.countOnly)
		gl.DeleteVertexArrays(1, &p.vao)
		return nil
	})
}

// grid is a view's raster.
type grid struct {
	axis, a, b   int
	pixels       int // of a side
	x0, y0       float32
	dx, dy       float32
	halfX, halfY float32
}

// gridOf lays the raster of a view over a box, a pixel wider on each side.
func (p *printer) gridOf(axis, pixels int, box *bvh.Box32) grid {
	g := grid{axis: axis, a: (axis + 1) % 3, b: (axis + 2) % 3, pixels: pixels}
	lay := func(k int) (x0, d, half float32) {
		n := float64(pixels)
		lo, hi := float64(box.Lo[k]), float64(box.Hi[k])
		step := max((hi-lo)/(n-2), 1e-9*(1+math.Abs(lo)+math.Abs(hi)))
		d = upward(step * (1 + 1e-6))
		x0 = downward(lo - float64(d))
		// What rounding of float32 does to a pixel's middle, and the dilation.
		half = upward(float64(d)*(0.5+p.dilation) + 0x1p-21*(math.Abs(float64(x0))+float64(d)*n))
		return x0, d, half
	}
	g.x0, g.dx, g.halfX = lay(g.a)
	g.y0, g.dy, g.halfY = lay(g.b)
	if p.naive {
		g.halfX, g.halfY = 0, 0
	}
	return g
}

// rect returns the whole pixels over which a box may be, those of the raster.
func (g *grid) rect(box *bvh.Box32) [4]int32 {
	along := func(lo, hi, x0, d float32) (int32, int32) {
		n := float64(g.pixels)
		from := math.Floor((float64(lo)-float64(x0))/float64(d) - 0.01)
		to := math.Ceil((float64(hi)-float64(x0))/float64(d) + 0.01)
		from, to = min(max(from, 0), n), min(max(to, 0), n)
		return int32(from), int32(max(from, to))
	}
	x0, x1 := along(box.Lo[g.a], box.Hi[g.a], g.x0, g.dx)
	y0, y1 := along(box.Lo[g.b], box.Hi[g.b], g.y0, g.dy)
	return [4]int32{x0, y0, x1, y1}
}

func area(r [4]int32) uint32 { return uint32(r[2]-r[0]) * uint32(r[3]-r[1]) }

// batch is things as the shaders take them, in one view.
type batch struct {
	n     int
	rects [][4]int32
	boxes [][4]float32
	slabs []float32
}

func (g *grid) batchOf(things []solid, slabs func([]float32, *solid, int) []float32) (b batch) {
	b.n = len(things)
	var raw []float32
	for i := range things {
		s := &things[i]
		b.rects = append(b.rects, g.rect(&s.box))
		b.boxes = append(b.boxes,
			[4]float32{s.box.Lo[g.a], s.box.Lo[g.b], s.box.Lo[g.axis]},
			[4]float32{s.box.Hi[g.a], s.box.Hi[g.b], s.box.Hi[g.axis]})
		raw = slabs(raw[:0], s, g.axis)
		for k := 0; k < len(raw); k += slabFloats {
			b.slabs = append(b.slabs, raw[k+g.a], raw[k+g.b], raw[k+g.axis], raw[k+3], raw[k+4])
		}
	}
	return b
}

// look is a way to look at a volume: in images of pixels by pixels along the axes of a turned frame.
type look struct {
	pixels int
	turn   geom.Rot
	round  bool // slices have more slabs
}

// coarse is how many pixels the first images have: most pieces need no finer ones.
const coarse = 64

// turns are the frames that are drawn in, three directions of view each: those of the paper, and
// another for what is hidden from all axes.
var turns = []geom.Rot{geom.RPY(0, 0, 0), geom.RPY(0.6, 0.5, 0.8)}

// looks returns the ways to look at a volume, and at its slices alone.
func (p *printer) looks(alone bool) (all []look) {
	if p.naive {
		return []look{{pixels: p.pixels, turn: turns[0]}}
	}
	last := p.pixels
	if !alone { // what that leaves is drawn again
		last = min(coarse, p.pixels)
	}
	for pixels := min(coarse, p.pixels); pixels <= last; pixels *= 2 {
		for _, turn := range turns {
			all = append(all, look{pixels, turn, alone})
		}
	}
	return all
}

// hidden reports, for each of the items, whether a view shows it before the volume; an error where
// the device did not show that it drew everything. The last of the items, known in number, are drawn
// wherever others are, and by themselves nowhere.
func (p *printer) hidden(slices, items []solid, known int, alone bool) ([]bool, error) {
	hidden := make([]bool, len(items))
	left := make([]int, len(items))
	for i := range left {
		left[i] = i
	}
	for _, l := range p.looks(alone) {
		if len(left) == 0 || left[0] >= len(items)-known {
			break
		}
		as := func(s *solid) solid {
			if l.turn == turns[0] {
				return *s
			}
			return s.turned(l.turn)
		}
		ss, things := make([]solid, len(slices)), make([]solid, len(left))
		for i := range slices {
			ss[i] = as(&slices[i])
		}
		for j, i := range left {
			things[j] = as(&items[i])
		}
		shown, err := p.hiddenIn(l, ss, things)
		if err != nil {
			return nil, err
		}
		kept := left[:0]
		for j, i := range left {
			if hidden[i] = shown[j]; !shown[j] {
				kept = append(kept, i)
			}
		}
		left = kept
	}
	return hidden, nil
}

// hiddenIn is hidden with one look.
func (p *printer) hiddenIn(l look, slices, items []solid) ([]bool, error) {
	box := slices[0].box
	for i := range slices {
		for k := range 3 {
			box.Lo[k], box.Hi[k] = min(box.Lo[k], slices[i].box.Lo[k]), max(box.Hi[k], slices[i].box.Hi[k])
		}
	}
	hidden := make([]bool, len(items))
	left := make([]int, len(items))
	for i := range left {
		left[i] = i
	}
	for axis := range views {
		if len(left) == 0 {
			break
		}
		things := make([]solid, len(left))
		for k, i := range left {
			things[k] = items[i]
		}
		shown, err := p.view(axis, l, &box, slices, things)
		if err != nil {
			return nil, err
		}
		kept := left[:0]
		for k, i := range left {
			if hidden[i] = shown[k]; !shown[k] {
				kept = append(kept, i)
			}
		}
		left = kept
	}
	return hidden, nil
}

// view is what one view needs: made by the caller, drawn in the device's thread.
type view struct {
	grid          grid
	slices, items batch
	program       uint32 // of the slices
	counts        []uint32
}

// itemCounts is how many counters a piece has: of pixels where it is before the volume, of those
// where it is behind it, and whether it failed to be both.
const itemCounts = 3

// view reports which items one direction of view, seen from either end, shows before the volume.
func (p *printer) view(axis int, l look, box *bvh.Box32, slices, items []solid) ([]bool, error) {
	base := rand.Uint32() &^ 3
	v := &view{grid: p.gridOf(axis, l.pixels, box), program: p.slices}
	slabsOf := appendSliceSlabs
	if l.round {
		v.program, slabsOf = p.round, appendRoundSlabs
	}
	v.slices, v.items = v.grid.batchOf(slices, slabsOf), v.grid.batchOf(items, appendItemSlabs)
	v.counts = make([]uint32, 1+len(slices)+itemCounts*len(items))
	for i := range v.counts {
		v.counts[i] = base
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, errClosed
	}
	if err := p.device.Do(2*queryLimit, func() error { return p.draw(v) }); err != nil {
		return nil, err
	}
	return p.judge(v, base)
}

// draw counts the fragments of a view.
func (p *printer) draw(v *view) error {
	uploadSlice(p.buffers[3], 3, v.counts)
	gl.BindVertexArray(p.vao)
	gl.Enable(gl.BLEND)
	gl.BlendFunc(gl.ONE, gl.ONE)
	gl.BindFramebuffer(gl.FRAMEBUFFER, p.images)
	p.pass(v.program, v, &v.slices, 0, 0, 1, gl.MAX) // what was there is below BIG
	p.pass(v.program, v, &v.slices, 1, 1, v.slices.n, gl.MIN)
	gl.MemoryBarrier(gl.ALL_BARRIER_BITS)
	gl.BindFramebuffer(gl.FRAMEBUFFER, p.countOnly)
	p.pass(p.items, v, &v.items, 2, 1+v.slices.n, v.items.n, gl.FUNC_ADD)
	gl.MemoryBarrier(gl.ALL_BARRIER_BITS)
	if err := wait(queryLimit); err != nil {
		return err
	}
	download(p.buffers[3], 0, v.counts)
	return nil
}

// pass draws things in a mode, and counts from first on.
func (p *printer) pass(program uint32, v *view, b *batch, mode, first, n int, blend uint32) {
	gl.UseProgram(program)
	gl.BlendEquation(blend)
	if mode == 0 { // no blending with what an older view left
		gl.Disable(gl.BLEND)
		defer gl.Enable(gl.BLEND)
	}
	if mode != 0 {
		uploadSlice(p.buffers[0], 0, b.rects)
		uploadSlice(p.buffers[1], 1, b.boxes)
		uploadSlice(p.buffers[2], 2, b.slabs)
	}
	g := &v.grid
	slack := float32(1)
	if p.naive {
		slack = 0
	}
	gl.Viewport(0, 0, int32(g.pixels), int32(g.pixels))
	gl.Uniform1f(uniform(program, "pixels"), float32(g.pixels))
	gl.Uniform4f(uniform(program, "grid"), g.x0, g.y0, g.dx, g.dy)
	gl.Uniform2f(uniform(program, "half_"), g.halfX, g.halfY)
	gl.Uniform1f(uniform(program, "slack"), slack)
	gl.Uniform1i(uniform(program, "first"), int32(first))
	gl.Uniform1i(uniform(program, "mode"), int32(mode))
	if mode == 2 {
		gl.ActiveTexture(gl.TEXTURE0)
		gl.BindTexture(gl.TEXTURE_2D, p.texture)
		gl.Uniform1i(uniform(program, "volume"), 0)
	}
	gl.DrawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, int32(n))
}

// judge returns the items that every pixel of the view shows before the volume, or every pixel
// behind it. A rectangle whose fragments are not counted one by one says nothing.
func (p *printer) judge(v *view, base uint32) ([]bool, error) {
	if n := uint32(v.grid.pixels); v.counts[0]-base != n*n {
		return nil, fmt.Errorf("the device cleared %d of %d pixels", v.counts[0]-base, n*n)
	}
	for i, r := range v.slices.rects {
		if got := v.counts[1+i] - base; got != area(r) {
			return nil, fmt.Errorf("the device drew %d of %d pixels of slice %d", got, area(r), i)
		}
	}
	hidden := make([]bool, v.items.n)
	of := v.counts[1+v.slices.n:]
	for i, r := range v.items.rects {
		want := base + area(r)
		hidden[i] = of[itemCounts*i] == want || of[itemCounts*i+1] == want
	}
	return hidden, nil
}

// Image culls in images, one volume at a time. It is the scratch of one goroutine; several may
// share a device and a world.
type Image struct {
	guard
	p              *printer
	slices, things []solid
	alone          []solid
	items          []int32
	stamp          []uint32
	now            uint32
}

// Cull implements [articulate.Culler].
func (c *Image) Cull(v *articulate.SweptVolume, clearance float64, wanted func(int32) bool, hit func(int32)) {
	vs := []*articulate.SweptVolume{v}
	ask, tell := func(_ int, e int32) bool { return wanted(e) }, func(_ int, item int32) { hit(item) }
	if c.failed() != nil || len(v.Slices) == 0 {
		c.onCPU(vs, clearance, ask, tell)
		return
	}
	var ok bool
	if c.slices, ok = c.p.world.solidsOf(c.slices[:0], v, clearance); !ok {
		c.onCPU(vs, clearance, ask, tell)
		return
	}
	c.candidates(wanted)
	if len(c.items) == 0 {
		return
	}
	hidden, err := c.p.hidden(c.slices, c.things, len(c.slices), false)
	if err == nil && !c.p.naive {
		err = c.believe(v, clearance, hidden)
	}
	if err != nil {
		c.fail(err)
		c.onCPU(vs, clearance, ask, tell)
		return
	}
	world := c.p.world.model.World.Items
	for i, item := range c.items {
		if !hidden[i] && wanted(world[item].Element) {
			hit(item)
		}
	}
}

// candidates collects the pieces whose boxes meet those of slices. At the end are pieces that are
// known to touch, for believe.
func (c *Image) candidates(wanted func(int32) bool) {
	c.items, c.things = c.items[:0], c.things[:0]
	if len(c.stamp) != len(c.p.world.solid) {
		c.stamp = make([]uint32, len(c.p.world.solid))
	}
	c.now++
	for i := range c.slices {
		c.stack = c.p.world.walk(&c.slices[i].box, c.stack, wanted, func(item int32) {
			if c.stamp[item] != c.now {
				c.stamp[item] = c.now
				c.items, c.things = append(c.items, item), append(c.things, c.p.world.solid[item])
			}
		})
	}
	if len(c.items) > 0 {
		c.things = append(c.things, specks(c.slices)...)
	}
}

// eachAlone draws, for the pieces that no view of the volume shows, the slices one by one, and marks
// what is apart from each. A piece in a bend of the volume is seen from no side. A slice is convex, and
// of two convex things that are apart every direction shows one before the other, but for those along
// a plane between them.
func (c *Image) eachAlone(hidden []bool) error {
	var left []int
	for i := range c.items {
		if !hidden[i] {
			left = append(left, i)
		}
	}
	touching := specks(c.slices)
	for k := range c.slices {
		slice := c.slices[k : k+1]
		var near []int
		c.alone = c.alone[:0]
		kept := left[:0]
		for _, i := range left {
			if slice[0].box.Meets(&c.things[i].box) {
				near, c.alone = append(near, i), append(c.alone, c.things[i])
			} else {
				kept = append(kept, i)
			}
		}
		if left = kept; len(near) == 0 {
			continue
		}
		apart, err := c.p.hidden(slice, append(c.alone, touching[k]), 1, true)
		if err != nil {
			return err
		}
		if apart[len(near)] {
			return touchingHidden(k)
		}
		for j, i := range near {
			if apart[j] {
				left = append(left, i)
			}
		}
	}
	for _, i := range left {
		hidden[i] = true
	}
	return nil
}

func touchingHidden(slice int) error {
	return fmt.Errorf("the images hide a piece that is known to touch slice %d", slice)
}

// believe checks that no view hides what is known to touch, looks again at what is left, and audits.
func (c *Image) believe(v *articulate.SweptVolume, clearance float64, hidden []bool) error {
	for i := len(c.items); i < len(hidden); i++ {
		if hidden[i] {
			return touchingHidden(i - len(c.items))
		}
	}
	if err := c.eachAlone(hidden); err != nil {
		return err
	}
	return c.audit([]*articulate.SweptVolume{v}, clearance, func(_ int, item int32) bool {
		if c.stamp[item] != c.now {
			return false
		}
		for i, k := range c.items {
			if k == item {
				return !hidden[i]
			}
		}
		return false
	})
}
