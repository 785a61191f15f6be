package main

import (
	"fmt"
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
)

func sweeps() []sweep {
	return []sweep{
		{"gap-past", "A bar sweeps past a ball", "1 / gap (1/m)", logarithmic, decades(1, 6), pastABall},
		{"gap-along", "A cylinder slides along a wall", "1 / gap (1/m)", power, decades(1, 5), slideBy(0)},
		{"gap-roll", "A cylinder slides along a wall and rolls by 3 rad", "1 / gap (1/m)", power, decades(1, 5), slideBy(3)},
		{"length", "An arm of 7 joints among 20 boxes", "largest joint's way (rad)", power, []float64{0.05, 0.1, 0.2, 0.4, 0.8, 1.6}, farther},
		{"triangles", "A bar turns within a ring, 1 cm apart", "triangles", power, []float64{1e3, 1e4, 1e5, 1e6, 1e7}, finer},
		{"links", "An arm beside 5 boxes", "links", power, []float64{6, 10, 20, 40, 60}, longer},
		{"obstacles", "An arm of 7 joints among small boxes", "boxes", power, []float64{10, 100, 1000, 10000}, fuller},
	}
}

// decades is 10^from to 10^to.
func decades(from, to int) (xs []float64) {
	for k := from; k <= to; k++ {
		xs = append(xs, math.Pow(10, float64(k)))
	}
	return xs
}

// pastABall turns the bar by 2 rad, symmetrically past a ball ahead of its tip.
func pastABall(x float64) ([]question, error) {
	r, err := bar()
	if err != nil {
		return nil, err
	}
	const radius = 0.1
	reach := math.Hypot(1, 0.05) // of the corners of the tip
	c, err := checkerOf(r, scene.NewSphere("ball", geom.Translation(geom.Vec{X: reach + 1/x + radius}), radius))
	if err != nil {
		return nil, err
	}
	m, err := motion.Between([]string{"turn"}, []float64{-1}, []float64{1}, 1)
	return []question{{c, m}}, err
}

// slideBy slides by 4 m and rolls by an angle (rad).
func slideBy(roll float64) func(float64) ([]question, error) {
	return func(x float64) ([]question, error) {
		r, err := slide()
		if err != nil {
			return nil, err
		}
		wall := scene.NewBox("wall", geom.Translation(geom.Vec{Z: -0.05 - 1/x - 0.5}), geom.Vec{X: 20, Y: 20, Z: 1})
		c, err := checkerOf(r, wall)
		if err != nil {
			return nil, err
		}
		m, err := motion.Between([]string{"along", "roll"}, []float64{-2, 0}, []float64{2, roll}, 1)
		return []question{{c, m}}, err
	}
}

// boxes are n cubes around the origin at 0.5 to 1.5 m, in a shell, each of an edge so long.
func boxes(d chance.Dice, n int, edge float64) []scene.Object {
	var out []scene.Object
	for len(out) < n {
		p := geom.Vec{X: d.In(-1.5, 1.5), Y: d.In(-1.5, 1.5), Z: d.In(-1.5, 1.5)}
		if s := math.Sqrt(p.X*p.X + p.Y*p.Y + p.Z*p.Z); s < 0.5 || s > 1.5 {
			continue
		}
		pose := geom.Pose{R: geom.RPY(d.In(-3, 3), d.In(-1, 1), d.In(-3, 3)), P: p}
		out = append(out, scene.NewBox(fmt.Sprintf("box%d", len(out)), pose, geom.Vec{X: edge, Y: edge, Z: edge}))
	}
	return out
}

// moves are random motions of an arm of n joints among objects, on which each joint goes at most
// so far.
func moves(d chance.Dice, n, count int, way float64, objects []scene.Object) ([]question, error) {
	r, joints, err := arm(n)
	if err != nil {
		return nil, err
	}
	c, err := checkerOf(r, objects...)
	if err != nil {
		return nil, err
	}
	bend := 4 / float64(n) // an arm of many joints would roll up
	var out []question
	for range count {
		from, to := make([]float64, n), make([]float64, n)
		for i := range from {
			from[i] = d.In(-bend, bend)
			to[i] = from[i] + d.In(-way, way)
		}
		m, err := motion.Between(joints, from, to, 1)
		if err != nil {
			return nil, err
		}
		out = append(out, question{c, m})
	}
	return out, nil
}

func farther(way float64) ([]question, error) {
	d := chance.New(1, 91)
	return moves(d, 7, 300, way, boxes(d, 20, 0.1))
}

func longer(links float64) ([]question, error) {
	d := chance.New(2, 91)
	return moves(d, int(links), 200, 2/links, boxes(d, 5, 0.1))
}

func fuller(n float64) ([]question, error) {
	d := chance.New(3, 91)
	return moves(d, 7, 1000, 0.05, boxes(d, int(n), 0.01))
}

// finer turns the bar by 0.2 rad within a ring around it, which its hull fills.
func finer(triangles float64) ([]question, error) {
	r, err := bar()
	if err != nil {
		return nil, err
	}
	const x, turn, thick, gap = 0.7, 0.1, 0.05, 0.01
	hole := math.Hypot(x*turn+0.05, 0.05) + gap // the bar is 10 cm thick
	vertices, faces := torus(int(triangles), hole+thick, thick)
	c, err := checkerOf(r, scene.NewMesh("ring", geom.Pose{P: geom.Vec{X: x}, R: geom.AxisAngle(geom.Vec{Y: 1}, math.Pi/2)}, vertices, faces))
	if err != nil {
		return nil, err
	}
	m, err := motion.Between([]string{"turn"}, []float64{-turn}, []float64{turn}, 1)
	return []question{{c, m}}, err
}
