package ccd

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/defaultpairs"
	"github.com/firstcontact-ros/firstcontact/internal/engine/distance"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// touches returns, for each pair of links (indices, the smaller first) that is left out
// because it touches at the model's default state, a point that both have then, in the
// frame of the root link. It is worked out once, when a certificate first asks for it.
func (c *Checker) touches() (map[[2]int]geom.Vec, error) {
	pairs := map[[2]int]geom.Vec{}
	for _, d := range c.defaults {
		if d.Reason == defaultpairs.TouchAtRest {
			pairs[[2]int{d.A, d.B}] = geom.Vec{}
		}
	}
	if len(pairs) == 0 {
		return nil, nil
	}
	m, err := model.New(c.robot, nil, nil, c.lib)
	if err != nil {
		return nil, err
	}
	key := func(a, b *model.Body) [2]int { return [2]int{min(a.Link, b.Link), max(a.Link, b.Link)} }
	m.PairOnly(bodiesOf(m, slices.Collect(maps.Keys(pairs))))
	w := distance.New(m)
	w.At(context.Background(), defaultpairs.State(c.robot, m.Tree), false)
	nearest := map[[2]int]float64{}
	for i := range m.Pairs {
		p := &m.Pairs[i]
		found := w.Look(int32(i), 2*motion.DefaultTolerance, 0, 0)
		k := key(&m.Bodies[m.Elements[p.A].Body], &m.Bodies[m.Elements[p.B].Body])
		if d, known := nearest[k]; found.Pair >= 0 && (!known || found.Upper < d) {
			nearest[k], pairs[k] = found.Upper, r3.Scale(0.5, r3.Add(found.PointA, found.PointB))
		}
	}
	for k := range pairs {
		if d, known := nearest[k]; !known || d > motion.DefaultTolerance {
			return nil, fmt.Errorf("links %s and %s are left out because they touch at the default state, but no point is found that both have", c.robot.Links[k[0]].Name, c.robot.Links[k[1]].Name)
		}
	}
	return pairs, nil
}

// bodiesOf turns pairs of links into pairs of their bodies, in the model's order.
func bodiesOf(m *model.Model, links [][2]int) [][2]int {
	body := map[int]int{}
	for i := range m.Bodies {
		body[m.Bodies[i].Link] = i
	}
	out := make([][2]int, len(links))
	for i, k := range links {
		a, b := body[k[0]], body[k[1]]
		out[i] = [2]int{min(a, b), max(a, b)}
	}
	slices.SortFunc(out, func(p, q [2]int) int { return slices.Compare(p[:], q[:]) })
	return out
}
