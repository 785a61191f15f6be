package verify

import (
	"fmt"
	"slices"

	"github.com/firstcontact-ros/firstcontact/ccd/certificate"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// NotChecked is a pair that the certificate says nothing about.
type NotChecked struct {
	A, B   string
	Reason string
	// Confirmed says that the SRDF, the scene or the joint between them gives the
	// reason too. Otherwise it is the certificate's word alone.
	Confirmed bool
}

// allowed confirms pairs that are left out from the files themselves.
type allowed struct {
	robot *urdf.Robot
	names map[[2]string]string // reasons
}

func newAllowed(robot *urdf.Robot, world *scene.Snapshot) *allowed {
	a := &allowed{robot, map[[2]string]string{}}
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

// byDefault are the reasons that count only where no SRDF says what to check.
var byDefault = []string{"adjacent", "touch at the default state"}

// confirm judges a pair that the certificate leaves out.
func (a *allowed) confirm(p certificate.Assumed) (NotChecked, error) {
	out := NotChecked{A: p.A, B: p.B, Reason: p.Reason}
	if reason, ok := a.names[[2]string{min(p.A, p.B), max(p.A, p.B)}]; ok {
		out.Reason, out.Confirmed = reason, true
		return out, nil
	}
	switch {
	case p.Reason == "option":
		return out, nil
	case !slices.Contains(byDefault, p.Reason):
		return out, fmt.Errorf("the pair %s, %s is left out (%q), but neither SRDF nor scene says so", p.A, p.B, p.Reason)
	case a.robot.Semantic != nil:
		return out, fmt.Errorf("the pair %s, %s is left out by default (%s), but there is an SRDF, which does not allow it", p.A, p.B, p.Reason)
	}
	i, j := a.robot.Link(p.A), a.robot.Link(p.B)
	if i < 0 || j < 0 {
		return out, fmt.Errorf("the pair %s, %s is left out by default (%s), which is for links only", p.A, p.B, p.Reason)
	}
	joined := slices.ContainsFunc(a.robot.Joints, func(k urdf.Joint) bool {
		return k.Parent == i && k.Child == j || k.Parent == j && k.Child == i
	})
	if p.Reason == byDefault[0] && !joined {
		return out, fmt.Errorf("the pair %s, %s is left out as adjacent, but no joint connects them", p.A, p.B)
	}
	out.Confirmed = p.Reason == byDefault[0]
	return out, nil
}

// pair is two bodies of which something has to be proved. The second may be the
// world, of which then only some objects count.
type pair struct {
	a, b    int
	objects []bool  // of b: which must stay apart from a
	needed  []int32 // as in cover, nil for all
	items   []region
	// parts are what items of the first piece separate at some instant.
	parts map[[4]int32]bool
	looks []certificate.Outside
}

// pairsOf lists the pairs of bodies: all of which one moves with the robot, less
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

// take notes what an item proves.
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
