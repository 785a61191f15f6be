package spheretree

import "math"

// Level is what the balls of one depth of a tree come to.
type Level struct {
	Balls  int
	Mean   float64 // radius, m
	Most   float64 // radius, m
	Volume float64 // sum of the balls', m³
}

// Levels sums up a tree's balls by depth, the root's first: what SPHERE Figure 4 shows
// of both kinds of tree. A leaf counts for its own depth only.
func (t *Tree) Levels() []Level {
	var out []Level
	depth := make([]int32, len(t.Nodes))
	for i := range t.Nodes { // parents come before their children
		n := &t.Nodes[i]
		d := int(depth[i])
		if d == len(out) {
			out = append(out, Level{})
		}
		l := &out[d]
		l.Balls++
		l.Mean += n.Radius
		l.Most = max(l.Most, n.Radius)
		l.Volume += 4 * math.Pi / 3 * n.Radius * n.Radius * n.Radius
		if n.Left >= 0 {
			depth[n.Left], depth[n.Left+1] = depth[i]+1, depth[i]+1
		}
	}
	for i := range out {
		out[i].Mean /= float64(out[i].Balls)
	}
	return out
}

// Volume returns the sum of all balls' volumes in m³.
func (t *Tree) Volume() float64 {
	sum := 0.0
	for _, l := range t.Levels() {
		sum += l.Volume
	}
	return sum
}
