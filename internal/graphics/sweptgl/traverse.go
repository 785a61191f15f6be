//go:build gl && cgo

package sweptgl

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/go-gl/gl/v4.3-core/gl"

	"github.com/firstcontact-ros/firstcontact/internal/engine/articulate"
	"github.com/firstcontact-ros/firstcontact/internal/graphics/offscreen"
)

// queryLimit bounds how long the processor may take for one batch.
const queryLimit = 20 * time.Second

// slicesAtOnce is how many slices one dispatch takes.
const slicesAtOnce = 1 << 14

// traversal is the world on the device, and the program that walks it. Several goroutines may
// use it.
type traversal struct {
	device *offscreen.Device
	world  *world

	mu       sync.Mutex // of what follows, which belongs to one batch at a time
	closed   bool
	program  uint32
	buffers  [6]uint32
	uniforms struct{ first, count, capacity, nonce int32 }
	capacity int
}

// slice32 is a slice as the shader takes it.
type slice32 struct {
	corner [4][4]float32
	lo, hi [4]float32
}

func newTraversal(d *offscreen.Device, w *world) (*traversal, error) {
	if !w.finite() {
		return nil, fmt.Errorf("a piece of the world exceeds single precision")
	}
	t := &traversal{device: d, world: w, capacity: 1 << 16}
	items, points := make([][4]uint32, len(w.solid)), [][4]float32{}
	for i := range w.solid {
		s := &w.solid[i]
		items[i] = [4]uint32{uint32(len(points)), uint32(s.n), math.Float32bits(s.radius)}
		for _, p := range s.points[:s.n] {
			points = append(points, [4]float32{p[0], p[1], p[2]})
		}
	}
	return t, d.Do(queryLimit, func() (err error) {
		if t.program, err = program(traverseSource, "TRAVERSE", gl.COMPUTE_SHADER); err != nil {
			return err
		}
		gl.GenBuffers(int32(len(t.buffers)), &t.buffers[0])
		uploadSlice(t.buffers[0], 0, w.nodes)
		uploadSlice(t.buffers[1], 1, items)
		uploadSlice(t.buffers[2], 2, points)
		u := &t.uniforms
		u.first, u.count, u.capacity, u.nonce = uniform(t.program, "first"), uniform(t.program, "count"), uniform(t.program, "capacity"), uniform(t.program, "nonce")
		return nil
	})
}

// errClosed is why a world's cullers leave all to the CPU once it was closed.
var errClosed = errors.New("the world was taken off the device")

func (t *traversal) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return
	}
	t.closed = true
	_ = t.device.Do(queryLimit, func() error { // a lost device has nothing left
		gl.DeleteBuffers(int32(len(t.buffers)), &t.buffers[0])
		gl.DeleteProgram(t.program)
		return nil
	})
}

// found is an item that a slice of the batch may touch.
type found struct{ slice, item uint32 }

// walked is what a batch of slices may touch.
type walked struct {
	hits   []found
	gaveUp []bool // per slice: the device did not see all of the world, and its hits say nothing
}

// gaveUp is what a walk says that did not see all that it had to, in place of its number of hits.
const gaveUp = math.MaxUint32

// run returns what the slices may touch, or an error where the processor did not show that it
// looked at all of them.
func (t *traversal) run(ss []solid) (walked, error) {
	in := make([]slice32, len(ss))
	for i := range ss {
		s := &ss[i]
		for k := range s.n {
			in[i].corner[k] = [4]float32{s.points[k][0], s.points[k][1], s.points[k][2]}
		}
		in[i].corner[0][3] = s.radius
		copy(in[i].lo[:], s.box.Lo[:])
		copy(in[i].hi[:], s.box.Hi[:])
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return walked{}, errClosed
	}
	for {
		w, total, err := t.dispatch(in)
		if err != nil || total <= len(w.hits) {
			return w, err
		}
		t.capacity = total + total/2 // they had no room
	}
}

// dispatch walks once. Where total exceeds the number of hits, some are missing.
func (t *traversal) dispatch(in []slice32) (w walked, total int, err error) {
	capacity, nonce := t.capacity, rand.Uint32()
	var head [4]uint32
	done := make([][2]uint32, len(in))
	err = t.device.Do(2*queryLimit, func() error {
		gl.UseProgram(t.program)
		for i, b := range t.buffers[:3] {
			gl.BindBufferBase(gl.SHADER_STORAGE_BUFFER, uint32(i), b)
		}
		uploadSlice(t.buffers[3], 3, in)
		upload(t.buffers[4], 4, 16+8*capacity, nil)
		gl.BufferSubData(gl.SHADER_STORAGE_BUFFER, 0, 16, gl.Ptr(&head[0]))
		uploadSlice(t.buffers[5], 5, done)
		gl.Uniform1ui(t.uniforms.capacity, uint32(capacity))
		gl.Uniform1ui(t.uniforms.nonce, nonce)
		for first := 0; first < len(in); first += slicesAtOnce {
			n := min(slicesAtOnce, len(in)-first)
			gl.Uniform1ui(t.uniforms.first, uint32(first))
			gl.Uniform1ui(t.uniforms.count, uint32(n))
			gl.DispatchCompute(uint32(n+63)/64, 1, 1)
			if err := wait(queryLimit); err != nil {
				return err
			}
		}
		gl.MemoryBarrier(gl.BUFFER_UPDATE_BARRIER_BIT | gl.SHADER_STORAGE_BARRIER_BIT)
		download(t.buffers[4], 0, head[:])
		download(t.buffers[5], 0, done)
		w.hits = make([]found, min(int(head[0]), capacity))
		download(t.buffers[4], 16, w.hits)
		return nil
	})
	if err != nil {
		return walked{}, 0, err
	}
	total = int(head[0])
	w.gaveUp, err = complete(w.hits, total, done, nonce)
	return w, total, err
}

// complete checks that every slice's walk came to its end, and that what it found is there if
// there was room for everything. It returns which slices gave up.
func complete(hits []found, total int, done [][2]uint32, nonce uint32) ([]bool, error) {
	left := make([]bool, len(done))
	for i, d := range done {
		if d[0] != nonce^uint32(i) {
			return nil, fmt.Errorf("slice %d of %d was not walked to its end", i, len(done))
		}
		left[i] = d[1] == gaveUp
	}
	if len(hits) < total {
		return left, nil // the caller makes room
	}
	each := make([]uint32, len(done))
	for _, h := range hits {
		if int(h.slice) >= len(done) {
			return nil, fmt.Errorf("a slice that is not there was found to touch")
		}
		each[h.slice]++
	}
	for i, d := range done {
		if !left[i] && each[i] != d[1] {
			return nil, fmt.Errorf("slice %d touches %d pieces, %d are listed", i, d[1], each[i])
		}
	}
	return left, nil
}

// Traversal culls on the device, many volumes at once. It is the scratch of one goroutine;
// several may share a device and a world.
type Traversal struct {
	guard
	t      *traversal
	solids []solid
	of     []int32 // per slice: its volume
	gaveUp int
}

// GaveUp returns how many slices the device gave up and the CPU took.
func (c *Traversal) GaveUp() int { return c.gaveUp }

// Cull implements [articulate.Culler].
func (c *Traversal) Cull(v *articulate.SweptVolume, clearance float64, wanted func(int32) bool, hit func(int32)) {
	c.CullAll([]*articulate.SweptVolume{v}, clearance, func(_ int, e int32) bool { return wanted(e) }, func(_ int, item int32) { hit(item) })
}

// CullAll implements [articulate.BatchCuller].
func (c *Traversal) CullAll(vs []*articulate.SweptVolume, clearance float64, wanted func(int, int32) bool, hit func(int, int32)) {
	if c.failed() != nil || len(c.t.world.nodes) == 0 {
		c.onCPU(vs, clearance, wanted, hit)
		return
	}
	c.solids, c.of = c.solids[:0], c.of[:0]
	for i, v := range vs {
		var ok bool
		from := len(c.solids)
		if c.solids, ok = c.t.world.solidsOf(c.solids, v, clearance); !ok {
			c.solids = c.solids[:from] // what has no bound in float32
			c.onCPU([]*articulate.SweptVolume{v}, clearance, func(_ int, e int32) bool { return wanted(i, e) }, func(_ int, item int32) { hit(i, item) })
		}
		for range len(c.solids) - from {
			c.of = append(c.of, int32(i))
		}
	}
	w, err := c.t.run(append(c.solids, c.canaries.slices...))
	if err == nil {
		err = c.canaries.take(&w, uint32(len(c.solids)))
	}
	if err == nil {
		err = c.audit(vs, clearance, w.has(c.of))
	}
	if err != nil {
		c.fail(err)
		c.onCPU(vs, clearance, wanted, hit)
		return
	}
	hits := w.hits
	// In an order that does not depend on the device's.
	slices.SortFunc(hits, func(a, b found) int {
		if a.slice != b.slice {
			return int(a.slice) - int(b.slice)
		}
		return int(a.item) - int(b.item)
	})
	items := c.t.world.model.World.Items
	for _, h := range hits {
		if v := int(c.of[h.slice]); !w.gaveUp[h.slice] && wanted(v, items[h.item].Element) {
			hit(v, int32(h.item))
		}
	}
	for i, given := range w.gaveUp[:len(c.solids)] {
		if given {
			c.gaveUp++
			c.alone(i, vs, clearance, wanted, hit)
		}
	}
}

// alone culls one slice of the batch on the CPU.
func (c *Traversal) alone(slice int, vs []*articulate.SweptVolume, clearance float64, wanted func(int, int32) bool, hit func(int, int32)) {
	v, first := int(c.of[slice]), slice
	for first > 0 && c.of[first-1] == c.of[slice] {
		first--
	}
	one := *vs[v]
	one.Slices = one.Slices[slice-first : slice-first+1]
	c.cpu.Cull(&one, clearance, func(e int32) bool { return wanted(v, e) }, func(item int32) { hit(v, item) })
}

// has returns what tells whether a volume's piece is left; of tells the volumes of the slices.
func (w *walked) has(of []int32) func(volume int, item int32) bool {
	type piece struct{ volume, item int32 }
	var left map[piece]bool
	given := map[int32]bool{}
	return func(volume int, item int32) bool {
		if left == nil {
			left = make(map[piece]bool, len(w.hits))
			for _, h := range w.hits {
				left[piece{of[h.slice], int32(h.item)}] = true
			}
			for i, v := range of {
				given[v] = given[v] || w.gaveUp[i]
			}
		}
		return given[int32(volume)] || left[piece{int32(volume), item}]
	}
}
