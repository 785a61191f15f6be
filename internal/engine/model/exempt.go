package model

import (
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
)

// Exempt lists pairs of bodies that are not checked, by their indices, the smaller first, with
// the reasons.
type Exempt map[[2]int32]string

// exempted is an Exempt to be looked up often.
type exempted struct {
	pairs Exempt
	some  []bool // per body: some pair of it is exempt
}

func (x Exempt) indexed(bodies int) exempted {
	some := make([]bool, bodies)
	for k := range x {
		some[k[0]], some[k[1]] = true, true
	}
	return exempted{x, some}
}

// Add exempts two bodies; it replaces a reason given before.
func (x Exempt) Add(a, b int, reason string) {
	x[[2]int32{int32(min(a, b)), int32(max(a, b))}] = reason
}

// AddLinks exempts pairs of links, by their indices in the robot. Links without
// collision geometry and pairs without a reason are ignored.
func (x Exempt) AddLinks(m *Model, links map[[2]int]string) {
	body := map[int]int{}
	for i := range m.Bodies {
		if b := &m.Bodies[i]; b.Kind == motion.RobotLink {
			body[b.Link] = i
		}
	}
	for k, reason := range links {
		a, hasA := body[k[0]]
		b, hasB := body[k[1]]
		if hasA && hasB && reason != "" {
			x.Add(a, b, reason)
		}
	}
}

// AddNamed exempts pairs of bodies by their names and ignores unknown names.
func (x Exempt) AddNamed(m *Model, pairs [][2]string, reason string) {
	if len(pairs) == 0 {
		return
	}
	named := make(map[string]int, len(m.Bodies))
	for i := range m.Bodies {
		named[m.Bodies[i].Name] = i
	}
	for _, p := range pairs {
		a, hasA := named[p[0]]
		b, hasB := named[p[1]]
		if hasA && hasB {
			x.Add(a, b, reason)
		}
	}
}

// AddScene exempts the pairs that a scene allows, and attached objects with the links
// that carry or touch them. A nil scene exempts nothing.
func (x Exempt) AddScene(m *Model, world *scene.Snapshot) {
	if world == nil {
		return
	}
	x.AddNamed(m, world.Allowed, "scene")
	var attached [][2]string
	for i := range world.Objects {
		o := &world.Objects[i]
		if o.AttachedTo == "" {
			continue
		}
		attached = append(attached, [2]string{o.ID, o.AttachedTo})
		for _, link := range o.TouchLinks {
			attached = append(attached, [2]string{o.ID, link})
		}
	}
	x.AddNamed(m, attached, "attached")
}
