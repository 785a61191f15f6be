package catch

import (
	"fmt"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/bvh"
)

// ZRLK07, section 4, Preprocess.
//
// Departure: the hierarchies of the links' shapes are the model's (volume.go), with
// hulls for their lower nodes (hulltree.go).

// u is the largest relative error of one float64 operation.
const u = 0x1p-53

// Prepared is what the method makes of a model once: which links may hit what, and the
// hierarchies that spatial culling descends. It is immutable and may be shared.
type Prepared struct {
	m *model.Model

	self  []int32   // pairs of which neither link belongs to the world
	links *linkTree // the elements that may hit something of the world
	world []int32   // the world's elements
	boxes []geom.Box
	tree  *bvh.Wide // over boxes, of world's elements in W
	total int       // length of all elements' chains

	obbs  LinkBoxes
	hulls []*hullTree // of the elements that are meshes
}

// Prepare makes the method ready for a model. It fails on an object of the world that is
// too far away or too large for a box of numbers.
func Prepare(m *model.Model) (*Prepared, error) {
	p := &Prepared{m: m, obbs: NewLinkBoxes(m), hulls: hullTrees(m)}
	for i := range m.Pairs {
		if !m.Pairs[i].World {
			p.self = append(p.self, int32(i))
		}
	}
	var moving []int32
	for i := range m.Elements[:m.Real] {
		e := &m.Elements[i]
		p.total += len(m.Tree.Chain(e.Frame))
		if m.Bodies[e.Body].Link < 0 {
			box := standing(e)
			if !geom.Finite(box.Min) || !geom.Finite(box.Max) {
				return nil, fmt.Errorf("object %s reaches farther than can be computed: check its pose and its size", m.Bodies[e.Body].Name)
			}
			p.world, p.boxes = append(p.world, int32(i)), append(p.boxes, box)
		} else if m.Against[i] != nil {
			moving = append(moving, int32(i))
		}
	}
	p.tree = bvh.NewWide(p.boxes)
	p.links = newLinkTree(m, moving)
	return p, nil
}

// standing returns a box in W around an element of frame 0. What the element's place
// errs by, and the roundings here (16u of its size), are in it.
func standing(e *model.Element) geom.Box {
	rho := 2 * (geom.Norm(e.Center) + e.Radius)
	err := e.ErrP + e.ErrR*rho + 64*u*(geom.Norm(e.PoseFE.P)+rho)
	along := func(n geom.Vec) float64 {
		local := e.PoseFE.R.ApplyInv(n)
		return e.Core.SupportValue(local) + e.Core.SupportError(local) + e.Core.Radius + err
	}
	at := e.PoseFE.P
	reach := func(sign float64) geom.Vec {
		return geom.Vec{
			X: at.X + sign*along(geom.Vec{X: sign}),
			Y: at.Y + sign*along(geom.Vec{Y: sign}),
			Z: at.Z + sign*along(geom.Vec{Z: sign}),
		}
	}
	return geom.Box{Min: reach(-1), Max: reach(1)}
}

// NewWorker returns scratch for one goroutine.
func (p *Prepared) NewWorker() *Worker {
	m := p.m
	w := &Worker{p: p, m: m, state: kin.NewState(m.Tree)}
	w.taylor = NewTaylorBVH(m, p.obbs)
	n := len(m.Tree.Dofs)
	w.curves, w.around = make([]kin.Curve, n), make([]kin.Around, n)
	w.buf = make([]float64, n*kin.CurveSize(kin.MaxDegree+1))
	w.elements = make([]placed, m.Real)
	numbers := make([]float64, 2*p.total)
	longest := 0
	for i := range w.elements {
		k := len(m.Tree.Chain(m.Elements[i].Frame))
		w.elements[i].reach, numbers = numbers[:k:k], numbers[k:]
		w.elements[i].radii, numbers = numbers[:k:k], numbers[k:]
		longest = max(longest, k)
	}
	w.stepper.a.radii, w.stepper.b.radii = make([]float64, longest), make([]float64, longest)
	return w
}
