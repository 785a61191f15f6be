package ccd

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/ccd/spacetime"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/model"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/selfcollision"
)

// touches returns, for each pair of links (indices, the smaller first) that is left out
// because it touches at the model's default state, a point that both have then, in the
// frame of the root link. It is worked out once, when a certificate first asks for it.
func (c *Checker) touches() (map[[2]int]geom.Vec, error) {
	pairs := map[[2]int]geom.Vec{}
	for _, d := range c.defaults {
		if d.Reason == selfcollision.TouchAtRest {
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
	m.PairUp(func(a, b *model.Body) string {
		if _, touch := pairs[key(a, b)]; touch {
			return ""
		}
		return "not asked"
	})
	w := spacetime.NewWorker(m)
	w.At(context.Background(), defaultState(c.robot, m.Tree), false)
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
