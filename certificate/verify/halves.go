package verify

import (
	"github.com/firstcontact-ros/firstcontact/certificate"
	"github.com/firstcontact-ros/firstcontact/geom"
)

// The search may know more about a motion than the rules here do. Its intervals may then be
// too long for these rules: A h²/2 is a quarter for half the length. A statement that holds on
// both halves holds on the interval. Near misses need many: where the sides pass each other
// with a gap of g, h has to be about sqrt(2 g / A).

// maxHalvings bounds the depth of halving: a millionth of the interval remains.
const maxHalvings = 20

// maxParts bounds the parts of one interval that are examined for one item, and with them the
// work that a certificate can cause. An item that is not shown by then counts as not shown.
const maxParts = 10_000

// holds decides whether an item of the interval is true, on the whole of it or on its parts.
func (m *moment) holds(i *certificate.Item, clearance float64) (bool, error) {
	parts := maxParts
	return m.holdsInParts(i, clearance, maxHalvings, &parts)
}

func (m *moment) holdsInParts(i *certificate.Item, clearance float64, halvings int, parts *int) (bool, error) {
	ok, err := m.apart(i, clearance)
	if ok || err != nil || halvings == 0 || m.h == 0 || *parts == 0 {
		return ok, err
	}
	*parts--
	for k := range m.halves {
		half, err := m.half(k)
		if err != nil {
			return false, err
		}
		j := *i
		if j.HasNormal {
			j.Normal = m.carried(i, half)
		}
		if ok, err := half.holdsInParts(&j, clearance, halvings-1, parts); !ok || err != nil {
			return false, err
		}
	}
	return true, nil
}

// half returns the earlier or the later half of the interval.
func (m *moment) half(k int) (*moment, error) {
	if m.halves[k] == nil {
		at := m.at
		if k == 0 {
			at.Hi = m.c
		} else {
			at.Lo = m.c
		}
		var err error
		if m.halves[k], err = newMoment(m.tree, m.bodies, m.course, at); err != nil {
			return nil, err
		}
	}
	return m.halves[k], nil
}

// carried returns the item's normal at the middle of the half: carried there by the body at
// which the chains of its sides part. It is only a candidate: the rule proves it
// independently.
func (m *moment) carried(i *certificate.Item, half *moment) geom.Vec {
	chain := func(p certificate.Part) []int { return m.tree.chain(m.tree.mount(m.bodies[p.Body].link)) }
	a := chain(i.A)
	from := parting(a, chain(i.B))
	if from == 0 {
		return i.Normal
	}
	k := a[from-1]
	back := m.joints[k].pose.r.inverse()
	local := back.apply(at(i.Normal))
	return half.joints[k].pose.r.apply(local).v
}
