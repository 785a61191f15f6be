package urdf

import (
	"maps"
	"math"
)

// FollowTube returns a tube (rad or m, by joint) with the mimic joints that stray because the joint that they follow does: each by
// |multiplier| times as much, unless the tube names it itself.
func (r *Robot) FollowTube(tube map[string]float64) map[string]float64 {
	out := maps.Clone(tube)
	for i := range r.Joints {
		j := &r.Joints[i]
		if j.Mimic == nil {
			continue
		}
		if _, own := tube[j.Name]; own {
			continue
		}
		if width := math.Abs(j.Mimic.Multiplier) * tube[r.Joints[j.Mimic.Joint].Name]; width > 0 {
			out[j.Name] = width
		}
	}
	return out
}
