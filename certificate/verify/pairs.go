package verify

import (
	"slices"

	"github.com/firstcontact-ros/firstcontact/certificate"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// NotChecked is a pair about which the certificate proves nothing.
type NotChecked struct {
	A, B   string
	Reason string
	// Confirmed says that the reason is not only the certificate's: the SRDF, the scene or the
	// user gives it too, or it follows from the model.
	Confirmed bool
	Source    Source
}

// allowed confirms pairs that are left out, from the files themselves.
type allowed struct {
	names map[[2]string]string // reasons
}

func newAllowed(robot *urdf.Robot, world *scene.Snapshot) *allowed {
	a := &allowed{map[[2]string]string{}}
	if robot.Semantic != nil {
		for _, d := range robot.Semantic.Disabled {
			a.add(robot.Links[d.A].Name, robot.Links[d.B].Name, "srdf: "+d.Reason)
		}
	}
	for _, p := range world.Allowed {
		a.add(p[0], p[1], "scene")
	}
	for i := range world.Objects {
		o := &world.Objects[i]
		if o.AttachedTo == "" {
			continue
		}
		for _, link := range append([]string{o.AttachedTo}, o.TouchLinks...) {
			a.add(o.ID, link, "attached")
		}
	}
	return a
}

func (a *allowed) add(x, y, reason string) { a.names[[2]string{min(x, y), max(x, y)}] = reason }

// The reasons that files do not contain.
const (
	byOption    = "option"
	byAdjacency = "adjacent"
	byTouching  = "touch at the default state"
	byProof     = "proved to touch always" // of a report on pairs, which is trusted like an SRDF
)

// confirm judges a pair that the certificate leaves out.
func (v *verifier) confirm(files *allowed, p *certificate.Assumed) (NotChecked, error) {
	out := NotChecked{A: p.A, B: p.B, Reason: p.Reason, Source: OnTrust}
	if p.Reason == byAdjacency || p.Reason == byTouching {
		err := v.byDefault(p)
		if err == nil {
			out.Confirmed, out.Source = true, Recomputed
			return out, nil
		}
		if _, ok := files.names[[2]string{min(p.A, p.B), max(p.A, p.B)}]; !ok {
			return out, err
		}
	}
	if reason, ok := files.names[[2]string{min(p.A, p.B), max(p.A, p.B)}]; ok {
		out.Reason, out.Confirmed, out.Source = reason, true, FromFile
		return out, nil
	}
	switch p.Reason {
	case byOption:
		out.Confirmed = slices.ContainsFunc(v.opts.Allowed, func(q [2]string) bool {
			return q == [2]string{p.A, p.B} || q == [2]string{p.B, p.A}
		})
		return out, nil
	case byProof:
		return out, v.bothLinks(p)
	}
	return out, refuse("the pair %s, %s is left out (%q), but neither SRDF nor scene allows it", p.A, p.B, p.Reason)
}

func (v *verifier) bothLinks(p *certificate.Assumed) error {
	if v.robot.Link(p.A) < 0 || v.robot.Link(p.B) < 0 {
		return refuse("the pair %s, %s is left out by default (%s), which is for links only", p.A, p.B, p.Reason)
	}
	return nil
}

// byDefault confirms a pair of links that is left out for lack of an SRDF.
func (v *verifier) byDefault(p *certificate.Assumed) error {
	if err := v.bothLinks(p); err != nil {
		return err
	}
	i, j := v.robot.Link(p.A), v.robot.Link(p.B)
	if v.hasSRDF(i) || v.hasSRDF(j) {
		return refuse("the pair %s, %s is left out by default (%s), but there is an SRDF, which does not allow it", p.A, p.B, p.Reason)
	}
	if len(v.robot.Parts) > 0 && (v.robot.Part(i) < 0 || v.robot.Part(i) != v.robot.Part(j)) {
		return refuse("the pair %s, %s is left out by default (%s), but the links belong to two robots", p.A, p.B, p.Reason)
	}
	if p.Reason == byAdjacency {
		if !joined(v.robot, i, j) {
			return refuse("the pair %s, %s is left out as adjacent, but no joint connects them", p.A, p.B)
		}
		return nil
	}
	if p.Touch == nil {
		return refuse("the pair %s, %s is left out because it touches at the default state, but the certificate shows no common point of the links", p.A, p.B)
	}
	ok, err := v.touches(p.A, p.B, *p.Touch)
	if err == nil && !ok {
		err = refuse("the pair %s, %s is left out because it touches at the default state, but the point (%g, %g, %g) is not in both links then", p.A, p.B, p.Touch.X, p.Touch.Y, p.Touch.Z)
	}
	return err
}

// hasSRDF reports whether an SRDF lists the pairs of a link: the robot's or, for joined
// robots, that of the link's own robot.
func (v *verifier) hasSRDF(link int) bool {
	if len(v.robot.Parts) == 0 {
		return v.robot.Semantic != nil
	}
	part := v.robot.Part(link)
	return part >= 0 && v.robot.Parts[part].Robot.Semantic != nil
}

// joined reports whether a joint connects two links.
func joined(r *urdf.Robot, i, j int) bool {
	return slices.ContainsFunc(r.Joints, func(k urdf.Joint) bool {
		return k.Parent == i && k.Child == j || k.Parent == j && k.Child == i
	})
}

// pair is two bodies about which something must be proved. The second may be the world, of
// which only some objects may be required.
type pair struct {
	a, b    int
	objects []bool  // of b: those that must stay apart from a
	needed  []int32 // as in cover, nil for all
	items   []region
	// parts are the parts that items of the first piece separate at some instant.
	parts map[[4]int32]bool
	looks []certificate.Outside
}

// pairsOf lists the pairs of bodies: all of which at least one moves with the robot, except
// those that are left out.
func pairsOf(bodies []*body, h *certificate.Header, out map[[2]string]bool) (map[[2]int]*pair, int) {
	pairs, count := map[[2]int]*pair{}, 0
	for i, a := range bodies {
		for j := i + 1; j < len(bodies); j++ {
			b := bodies[j]
			if world := b.kind == certificate.World; world && !h.World || !world && !h.Self {
				continue
			}
			p := &pair{a: i, b: j, parts: map[[4]int32]bool{}}
			n := 0
			for _, o := range b.objects {
				on := !out[[2]string{min(a.name, o.name), max(a.name, o.name)}]
				p.objects = append(p.objects, on)
				if on {
					n++
				}
			}
			if n == 0 {
				continue
			}
			if n < len(b.objects) {
				p.needed = countNeeded(b, p.objects)
			}
			pairs[[2]int{i, j}] = p
			count += n
		}
	}
	return pairs, count
}

func countNeeded(b *body, on []bool) []int32 {
	n := make([]int32, len(b.atoms)+1)
	for i, o := range b.owner {
		n[i+1] = n[i]
		if on[o] {
			n[i+1]++
		}
	}
	return n
}

// flipped returns the item with its sides in the order of the bodies.
func flipped(i *certificate.Item) (a, b certificate.Part) {
	if i.A.Body > i.B.Body {
		return i.B, i.A
	}
	return i.A, i.B
}

// take records what an item proves.
func (p *pair) take(i *certificate.Item, at certificate.At, bodies []*body) {
	a, b := flipped(i)
	r := region{lo: at.Lo, hi: at.Hi}
	r.a0, r.a1 = ends(a, bodies[p.a])
	r.b0, r.b1 = ends(b, bodies[p.b])
	p.items = append(p.items, r)
	if at.Piece == 0 {
		p.parts[[4]int32{r.a0, r.a1, r.b0, r.b1}] = true
	}
}

func ends(p certificate.Part, b *body) (first, end int32) {
	if p.Count == 0 {
		return 0, int32(len(b.atoms))
	}
	return int32(p.First), int32(p.First + p.Count)
}
