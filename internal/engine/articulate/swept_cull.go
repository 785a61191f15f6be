package articulate

// Culling by swept volumes: RKLM04, section 4.2.3.
//
// The paper asks a graphics processor which objects are hidden by the tessellated volume
// from three sides (CULLIDE). A Culler implements that stage. HullCuller does it
// on the CPU with the slices, and what it excludes is proved apart.

import (
	"fmt"
	"math/bits"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/bvh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/numeric/interval"
)

var identity = geom.IdentityPose()

// Culler finds what of the environment a swept volume, in the world's frame, may touch.
type Culler interface {
	// Cull calls hit with every item of the world (an index of model.World.Items) that
	// may come within clearance of the volume, and of whose element wanted holds; with one
	// more than once perhaps. What it does not call hit with is proved farther away. Of a
	// closed mesh the items are its triangles: what is inside of it touches none.
	Cull(v *SweptVolume, clearance float64, wanted func(element int32) bool, hit func(item int32))
}

// BatchCuller is a Culler that holds several volumes against the world at once, for what takes
// long to be asked at all.
type BatchCuller interface {
	Culler
	// CullAll does for each of the volumes what Cull does for one. It asks wanted, and calls
	// hit, with the volume's place in vs.
	CullAll(vs []*SweptVolume, clearance float64, wanted func(volume int, element int32) bool, hit func(volume int, item int32))
}

// NewGraphics makes cullers on a graphics processor, one for each goroutine, where the program
// has them: kind is Options.Graphics. It is nil in a program without.
var NewGraphics func(kind string, links *LinkBVH) (func() Culler, error)

// culler returns what makes the cullers that the options ask for; nil for those of the CPU.
func (o *Options) culler(links *LinkBVH) (func() Culler, error) {
	switch {
	case o.Graphics == "", NewGraphics == nil && o.Graphics == "auto":
		return nil, nil
	case NewGraphics == nil:
		return nil, fmt.Errorf("swept=%s needs a program with graphics, which this one was built without: build it with -tags gl, or leave swept=%[1]s out", o.Graphics)
	}
	c, err := NewGraphics(o.Graphics, links)
	if err != nil {
		return nil, fmt.Errorf("swept=%s: %w; leave it out, and the CPU does the same", o.Graphics, err)
	}
	return c, nil
}

// HullCuller holds the slices of a volume against the environment's static tree. It is
// the scratch of one goroutine.
type HullCuller struct {
	links *LinkBVH
	ws    convex.Workspace
	stack []int32

	// The slice and the item at hand: in the culler, so that no check allocates.
	core, other convex.Core

	nodes, tests, hits int
}

// NewHullCuller returns a culler for the hierarchy's world.
func NewHullCuller(links *LinkBVH) *HullCuller { return &HullCuller{links: links} }

// Tests returns how many nodes of the world's tree, and how many of its items, were held
// against slices so far, and how many items may be touched.
func (c *HullCuller) Tests() (nodes, tests, hits int) { return c.nodes, c.tests, c.hits }

// Cull implements [Culler].
func (c *HullCuller) Cull(v *SweptVolume, clearance float64, wanted func(element int32) bool, hit func(item int32)) {
	w := c.links.model.World
	if len(w.Tree.Nodes) == 0 {
		return
	}
	margin := (clearance + w.Err) * (1 + 2*u)
	for i := range v.Slices {
		c.slice(&v.Slices[i], margin, wanted, hit)
	}
}

func (c *HullCuller) slice(s *Slice, margin float64, wanted func(int32) bool, hit func(int32)) {
	w := c.links.model.World
	box := bvh.Outward(interval.OfBox(s.Box()).Grow(margin).Box())
	bounded := s.finite()
	c.core = s.Core()
	c.stack = append(c.stack[:0], 0)
	for len(c.stack) > 0 {
		at := c.stack[len(c.stack)-1]
		c.stack = c.stack[:len(c.stack)-1]
		if sole := c.links.sole[at]; sole >= 0 && !wanted(sole) {
			continue
		}
		n := &w.Tree.Nodes[at]
		c.nodes++
		for mask := n.Meets(&box); mask != 0; mask &= mask - 1 {
			child := n.Child[bits.TrailingZeros32(mask)]
			if child >= 0 {
				c.stack = append(c.stack, child)
				continue
			}
			if item := ^child; wanted(w.Items[item].Element) && !(bounded && c.apart(item, margin)) {
				c.hits++
				hit(item)
			}
		}
	}
}

// apart looks for a proof that the slice at hand and an item are more than margin apart.
func (c *HullCuller) apart(item int32, margin float64) bool {
	var pose geom.Pose
	c.tests++
	c.other, pose = ItemCore(c.links.model, &c.links.model.World.Items[item])
	c.ws.Dir = geom.Vec{}
	_, _, ok := convex.Separated(&c.core, &identity, &c.other, &pose, margin, &c.ws)
	return ok
}

// ItemCore returns an item as a convex piece and its pose in the world.
func ItemCore(m *model.Model, it *model.Item) (convex.Core, geom.Pose) {
	e := &m.Elements[it.Element]
	if it.Leaf < 0 {
		return e.Core, e.PoseFE
	}
	switch it.Kind(m) {
	case convex.Triangle:
		return convex.Core{Kind: convex.Triangle, Vertices: it.Vertices[:], Radius: it.Radius}, geom.IdentityPose()
	case convex.Box:
		core := convex.BoxOf(e.Leaves.Cells[it.Leaf])
		core.Radius += it.Radius
		return core, e.PoseFE
	}
	return convex.Core{Kind: convex.Point, Vertices: it.Vertices[:1], Radius: it.Radius}, geom.IdentityPose()
}

// SweptApart proves what two elements of one robot sweep in the same time more than
// clearance apart, time by time: both volumes are in the same frame. False says nothing.
func SweptApart(a, b *SweptVolume, clearance float64) bool {
	var s sweptPair
	return s.apart(a, b, clearance)
}

// sweptPair is the scratch of SweptApart.
type sweptPair struct {
	ws   convex.Workspace
	a, b convex.Core
}

func (w *sweptPair) apart(a, b *SweptVolume, clearance float64) bool {
	w.ws = convex.Workspace{}
	for i, j := 0, 0; i < len(a.Slices) && j < len(b.Slices); {
		s, t := &a.Slices[i], &b.Slices[j]
		if !s.finite() || !t.finite() {
			return false
		}
		w.a, w.b = s.Core(), t.Core()
		if _, _, ok := convex.Separated(&w.a, &identity, &w.b, &identity, clearance, &w.ws); !ok {
			return false
		}
		// The next pair of slices that share a time; where both end together, both go on.
		end := min(s.S1, t.S1)
		if s.S1 <= end {
			i++
		}
		if t.S1 <= end {
			j++
		}
	}
	return true
}
