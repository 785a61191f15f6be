package workload

import (
	"fmt"
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// square is the side of a square of the chessboard: room for a man to walk on.
const square = 0.75

// chessboard adds a board whose top is at z = 0, and 16 men of one colour on squares
// in the middle of a game.
func (c *cell) chessboard() {
	c.object("board", box(8.4*square, 8.4*square, 0.1).at(0, 0, -0.05))
	c.objects[len(c.objects)-1].triangles = minimum
	rng := c.random("chess")
	free := rng.Perm(64)
	men := []struct {
		name string
		make func() []solid
		n    int
	}{{"pawn", pawn, 8}, {"rook", rook, 2}, {"knight", knight, 2}, {"bishop", bishop, 2}, {"queen", queen, 1}, {"king", king, 1}}
	for _, man := range men {
		for i := range man.n {
			at := geom.Pose{
				R: geom.RPY(0, 0, 2*math.Pi*rng.Float64()),
				P: geom.Vec{X: square * (float64(free[0]%8) - 3.5), Y: square * (float64(free[0]/8) - 3.5), Z: 0.001},
			}
			free = free[1:]
			c.object(fmt.Sprintf("%s_%d", man.name, i+1), posed(at, man.make())...)
		}
	}
}

// foot is the turned base of a man of the given height, up to its collar at z.
func foot(collar float64, above ...point) solid {
	profile := []point{
		corner(0.24, 0), corner(0.24, 0.05), smooth(0.22, 0.08), corner(0.17, 0.1), smooth(0.12, 0.16),
		smooth(0.09, 0.3), smooth(0.085, collar-0.06), corner(0.14, collar-0.04), corner(0.14, collar),
	}
	return lathe(append(profile, above...)...)
}

func pawn() []solid {
	return []solid{foot(0.5, smooth(0.08, 0.51)), ball(0.12).at(0, 0, 0.6)}
}

func rook() []solid {
	out := []solid{foot(0.6, corner(0.1, 0.6), smooth(0.12, 0.66), corner(0.16, 0.68), corner(0.16, 0.78))}
	for i := range 6 {
		s, co := math.Sincos(2 * math.Pi * float64(i) / 6)
		out = append(out, box(0.06, 0.08, 0.08).turned(0, 0, math.Atan2(s, co)).at(0.12*co, 0.12*s, 0.81))
	}
	return out
}

func knight() []solid {
	v := func(x, z float64) geom.Vec { return geom.Vec{X: x, Z: z} }
	return []solid{
		foot(0.45, corner(0.1, 0.47)),
		limb(v(0, 0.46), v(-0.05, 0.72), 0.11, 0.09, 0.1),
		limb(v(-0.03, 0.76), v(0.16, 0.66), 0.09, 0.05, 0),
		limb(geom.Vec{X: -0.06, Y: 0.04, Z: 0.82}, geom.Vec{X: -0.06, Y: 0.05, Z: 0.89}, 0.025, 0.012, 0),
		limb(geom.Vec{X: -0.06, Y: -0.04, Z: 0.82}, geom.Vec{X: -0.06, Y: -0.05, Z: 0.89}, 0.025, 0.012, 0),
		sheet(0.02, func(u, w float64) geom.Vec { // mane
			return geom.Vec{X: -0.1 - 0.06*math.Sin(math.Pi*u) - 0.04*w, Y: 0.01, Z: 0.48 + 0.36*u}
		}),
	}
}

func bishop() []solid {
	return []solid{
		foot(0.65, corner(0.07, 0.66), smooth(0.11, 0.74), smooth(0.1, 0.82), smooth(0.05, 0.92), smooth(0.02, 0.94)),
		ball(0.035).at(0, 0, 0.96),
	}
}

func queen() []solid {
	out := []solid{
		foot(0.8, corner(0.08, 0.82), smooth(0.1, 0.9), corner(0.15, 1), corner(0.09, 0.98), smooth(0.05, 1.04)),
		ball(0.035).at(0, 0, 1.06),
	}
	for i := range 8 {
		s, co := math.Sincos(2 * math.Pi * float64(i) / 8)
		out = append(out, ball(0.025).at(0.13*co, 0.13*s, 1.01))
	}
	return out
}

func king() []solid {
	return []solid{
		foot(0.85, corner(0.08, 0.87), smooth(0.1, 0.95), corner(0.14, 1.05), smooth(0.08, 1.1)),
		box(0.04, 0.03, 0.16).at(0, 0, 1.17),
		box(0.13, 0.03, 0.04).at(0, 0, 1.19),
	}
}
