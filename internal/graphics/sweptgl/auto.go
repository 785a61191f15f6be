//go:build gl && cgo

package sweptgl

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/articulate"
)

// Calibration is what a slice costs on the CPU and on the device, and from how many slices at
// once the device is faster.
type Calibration struct {
	CPU     time.Duration   // a slice on one core
	Batches []int           // of slices
	Device  []time.Duration // each batch
	// Crossover is the smallest batch that the device was faster with; 0: none of them.
	Crossover int
}

// batches are those that Calibrate tries.
var batches = []int{1, 16, 128, 1024, 4096}

// String says when the device pays.
func (c *Calibration) String() string {
	last := len(c.Batches) - 1
	per := func(i int) time.Duration { return c.Device[i] / time.Duration(c.Batches[i]) }
	said := fmt.Sprintf("a slice takes %v on the CPU; on the device one takes %v, and %d at once take %v each: ",
		round(c.CPU), round(c.Device[0]), c.Batches[last], round(per(last)))
	if c.Crossover == 0 {
		return said + "it never pays"
	}
	return said + fmt.Sprintf("it pays from %d slices at once on", c.Crossover)
}

func round(d time.Duration) time.Duration {
	if d < 10*time.Microsecond {
		return d.Round(10 * time.Nanosecond)
	}
	return d.Round(time.Microsecond)
}

// Calibrate measures with slices of the size of links among the world's pieces: medians of three.
func (w *World) Calibrate() (*Calibration, error) {
	vs := w.samples(batches[len(batches)-1])
	c := &Calibration{Batches: batches}
	cpu, device := articulate.NewHullCuller(w.links), w.Traversal()
	ignore := func(int, int32) {}
	all := func(int, int32) bool { return true }
	few := vs[:256]
	median := func(f func()) time.Duration {
		var took [3]time.Duration
		for i := range took {
			begin := time.Now()
			f()
			took[i] = time.Since(begin)
		}
		slices.Sort(took[:])
		return took[1]
	}
	c.CPU = median(func() {
		for _, v := range few {
			cpu.Cull(v, 0, func(int32) bool { return true }, func(int32) {})
		}
	}) / time.Duration(len(few))
	for _, n := range batches {
		took := median(func() { device.CullAll(vs[:n], 0, all, ignore) })
		c.Device = append(c.Device, took)
		if c.Crossover == 0 && took < c.CPU*time.Duration(n) {
			c.Crossover = n
		}
	}
	return c, device.Err()
}

// samples are slices of links in the world's box.
func (w *World) samples(n int) []*articulate.SweptVolume {
	r := rand.New(rand.NewPCG(5, 6))
	box := w.world.model.World.Box
	in := func(lo, hi float64) float64 { return lo + r.Float64()*(hi-lo) }
	vs := make([]*articulate.SweptVolume, n)
	for i := range vs {
		a := geom.Vec{X: in(box.Min.X, box.Max.X), Y: in(box.Min.Y, box.Max.Y), Z: in(box.Min.Z, box.Max.Z)}
		step := func(size float64) geom.Vec {
			return geom.Vec{X: size * r.NormFloat64(), Y: size * r.NormFloat64(), Z: size * r.NormFloat64()}
		}
		b, move := r3.Add(a, step(0.15)), step(0.05)
		vs[i] = &articulate.SweptVolume{Slices: []articulate.Slice{{
			S1: 1, Corners: [4]geom.Vec{a, b, r3.Add(a, move), r3.Add(b, r3.Add(move, step(0.01)))}, Radius: 0.06,
		}}}
	}
	return vs
}

// Auto culls on the device where that is faster, else on the CPU. It is the scratch of one
// goroutine.
type Auto struct {
	device *Traversal
	from   int // slices
}

// Auto returns a culler that follows a calibration.
func (w *World) Auto(c *Calibration) *Auto {
	a := &Auto{device: w.Traversal(), from: c.Crossover}
	if a.from == 0 {
		a.from = math.MaxInt
	}
	return a
}

// Cull implements [articulate.Culler].
func (a *Auto) Cull(v *articulate.SweptVolume, clearance float64, wanted func(int32) bool, hit func(int32)) {
	if len(v.Slices) < a.from {
		a.device.cpu.Cull(v, clearance, wanted, hit)
		return
	}
	a.device.Cull(v, clearance, wanted, hit)
}

// CullAll implements [articulate.BatchCuller].
func (a *Auto) CullAll(vs []*articulate.SweptVolume, clearance float64, wanted func(int, int32) bool, hit func(int, int32)) {
	n := 0
	for _, v := range vs {
		n += len(v.Slices)
	}
	if n < a.from {
		a.device.onCPU(vs, clearance, wanted, hit)
		return
	}
	a.device.CullAll(vs, clearance, wanted, hit)
}
