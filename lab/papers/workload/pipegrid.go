package workload

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// pipeGrid lays pipes along the edges of a grid, no two through the same node.
type pipeGrid struct {
	step  float64
	box   geom.Box
	free  float64 // around the z axis
	taken map[[3]int]bool
}

func newPipeGrid(step float64, box geom.Box, free float64) *pipeGrid {
	return &pipeGrid{step: step, box: box, free: free, taken: map[[3]int]bool{}}
}

func (g *pipeGrid) place(n [3]int) geom.Vec {
	return r3.Add(g.box.Min, r3.Scale(g.step, geom.Vec{X: float64(n[0]), Y: float64(n[1]), Z: float64(n[2])}))
}

// open reports whether a pipe may pass the node.
func (g *pipeGrid) open(n [3]int) bool {
	p := g.place(n)
	inside := n[0] >= 0 && n[1] >= 0 && n[2] >= 0 && p.X <= g.box.Max.X && p.Y <= g.box.Max.Y && p.Z <= g.box.Max.Z
	return inside && !g.taken[n] && outside(p, g.free)
}

// random returns a node within the box.
func (g *pipeGrid) random(rng *rand.Rand) [3]int {
	size := r3.Sub(g.box.Max, g.box.Min)
	return [3]int{rng.IntN(1 + int(size.X/g.step)), rng.IntN(1 + int(size.Y/g.step)), rng.IntN(1 + int(size.Z/g.step))}
}

// run returns the corners of a pipe of a few bends, nil if there is no room for one
// where it was looked for.
func (g *pipeGrid) run(rng *rand.Rand, bends int) []geom.Vec {
	for range 100 {
		n := g.random(rng)
		if !g.open(n) {
			continue
		}
		nodes := g.wander(rng, n, bends)
		if len(nodes) < 3 {
			continue
		}
		corners := make([]geom.Vec, len(nodes))
		for i, n := range nodes {
			corners[i] = g.place(n)
		}
		return corners
	}
	return nil
}

// wander goes straight for a few nodes, then to the side, and so on, and takes the
// nodes that it passes.
func (g *pipeGrid) wander(rng *rand.Rand, n [3]int, bends int) [][3]int {
	g.taken[n] = true
	nodes := [][3]int{n}
	axis := -1
	for range bends {
		next := rng.IntN(3)
		if next == axis {
			next = (next + 1) % 3
		}
		axis = next
		dir := 1 - 2*rng.IntN(2)
		moved := false
		for range 1 + rng.IntN(5) {
			m := n
			m[axis] += dir
			if !g.open(m) {
				break
			}
			n, moved = m, true
			g.taken[n] = true
		}
		if moved {
			nodes = append(nodes, n)
		}
	}
	return nodes
}
