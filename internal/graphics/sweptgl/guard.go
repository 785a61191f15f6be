//go:build gl && cgo

package sweptgl

import (
	"fmt"
	"math/rand/v2"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/articulate"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/bvh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
)

var identity = geom.IdentityPose()

// guard is what a culler has besides the device: the CPU's culler, which answers where the
// device does not, and the audit of what the device leaves out.
type guard struct {
	links    *articulate.LinkBVH
	world    *world
	device   interface{ Err() error }
	cpu      *articulate.HullCuller
	canaries *canaries
	chance   *rand.Rand
	stack    []int32
	ws       convex.Workspace
	err      error

	// AuditEvery is how many volumes are culled for one whose pieces are all measured on the
	// CPU; 0 stands for 64.
	AuditEvery int
	audited    int
}

func newGuard(links *articulate.LinkBVH, w *world, device interface{ Err() error }, c *canaries) guard {
	return guard{links: links, world: w, device: device, cpu: articulate.NewHullCuller(links), canaries: c, chance: rand.New(rand.NewPCG(rand.Uint64(), 1))}
}

// failed returns why the device is not asked any more, nil as long as it is.
func (g *guard) failed() error {
	if g.err == nil {
		g.err = g.device.Err()
	}
	return g.err
}

// Err returns why the CPU answers instead of the device, nil as long as it does not.
func (g *guard) Err() error { return g.failed() }

func (g *guard) fail(err error) {
	if g.err == nil {
		g.err = err
	}
}

// Audited returns how many pieces that the device left out were measured on the CPU.
func (g *guard) Audited() int { return g.audited }

// onCPU answers without the device.
func (g *guard) onCPU(vs []*articulate.SweptVolume, clearance float64, wanted func(int, int32) bool, hit func(int, int32)) {
	for i, v := range vs {
		g.cpu.Cull(v, clearance, func(e int32) bool { return wanted(i, e) }, func(item int32) { hit(i, item) })
	}
}

// auditSlack is how much deeper than the clearance a piece must be, in metres, so that rounding
// on the CPU blames no device.
const auditSlack = 1e-8

// audit measures, for some of the volumes, the pieces whose boxes they meet. It fails if a slice
// touches a piece that was left out: of that there is a witness, so that the device erred.
func (g *guard) audit(vs []*articulate.SweptVolume, clearance float64, kept func(volume int, item int32) bool) error {
	every := g.AuditEvery
	if every == 0 {
		every = 64
	}
	for i, v := range vs {
		if g.chance.IntN(every) == 0 {
			if err := g.auditOne(v, clearance, func(item int32) bool { return kept(i, item) }); err != nil {
				return err
			}
		}
	}
	return nil
}

func (g *guard) auditOne(v *articulate.SweptVolume, clearance float64, kept func(item int32) bool) (err error) {
	any := func(int32) bool { return true }
	for i := range v.Slices {
		s := &v.Slices[i]
		box := bvh.Outward(grown(s.Box(), g.world.margin(clearance)))
		core := s.Core()
		core.Radius += clearance - auditSlack
		if !(core.Radius > 0) {
			continue
		}
		g.stack = g.world.walk(&box, g.stack, any, func(item int32) {
			if err != nil || kept(item) {
				return
			}
			g.audited++
			other, pose := articulate.ItemCore(g.world.model, &g.world.model.World.Items[item])
			g.ws = convex.Workspace{}
			d := convex.Distance(&core, &identity, &other, &pose, &g.ws)
			if d.Overlap {
				err = fmt.Errorf("the device left out piece %d, which slice %d touches: its answers are not used any more", item, i)
			}
		})
	}
	return err
}

func grown(b geom.Box, r float64) geom.Box {
	out := geom.Vec{X: r, Y: r, Z: r}
	b.Min.X, b.Min.Y, b.Min.Z = b.Min.X-out.X, b.Min.Y-out.Y, b.Min.Z-out.Z
	b.Max.X, b.Max.Y, b.Max.Z = b.Max.X+out.X, b.Max.Y+out.Y, b.Max.Z+out.Z
	return b
}
