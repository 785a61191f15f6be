package picture

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/picture/raster"
)

// The camera stands where it sees most, of these directions.
var elevations = [...]float64{12, 24, 40}

const azimuthStep = 20 // degrees

// Pictures that decide have this many pixels.
const surveyWidth, surveyHeight = 120, 90

// direction returns where the camera stands.
func (v *scenery) direction(from *[2]float64) geom.Vec {
	if from != nil {
		return raster.Direction(from[0], from[1])
	}
	most := 0.0
	spread := map[[2]float64]float64{}
	for _, e := range elevations {
		for a := 0.0; a < 360; a += azimuthStep {
			x := raster.Spread(v.moves, raster.Direction(a, e))
			spread[[2]float64{a, e}] = x
			most = max(most, x)
		}
	}
	var best geom.Vec
	score := math.Inf(-1)
	for _, e := range elevations {
		for a := 0.0; a < 360; a += azimuthStep {
			d := raster.Direction(a, e)
			s := v.score(d)
			if most > 0 {
				s += float64(0.35 * spread[[2]float64{a, e}] / most)
			}
			// From the front and a little above things look familiar.
			s += float64(0.12*d.X) - float64(math.Abs(e-24)*0.004)
			if s > score {
				best, score = d, s
			}
		}
	}
	return best
}

// score judges a direction: how much of the robot is seen of what would be without obstacles,
// how much of it at other times beside that, and how well the pair.
func (v *scenery) score(d geom.Vec) float64 {
	c := raster.Fit(v.all(), d, surveyWidth, surveyHeight)
	seen, could := visible(&c, v.coarse), visible(&c, robotOf(v.coarse))
	s := float64(seen) / float64(max(could, 1))
	if n := len(v.moves) - 1; n > 0 {
		bodies := v.coarse[:len(v.coarse):len(v.coarse)]
		for _, k := range [...]int{0, n / 3, 2 * n / 3} {
			bodies = append(bodies, v.moves[k]...)
		}
		s += 2 * float64(visible(&c, bodies)-seen) / float64(max(could, 1))
	}
	if v.shot.Witness != nil {
		s += v.pairScore(d)
	}
	return s
}

// visible returns how many pixels show the robot.
func visible(c *raster.Camera, bodies []raster.Body) (n int) {
	seen := raster.Survey(bodies, c)
	for _, k := range seen.Body {
		if k >= 0 && !bodies[k].Scenery {
			n++
		}
	}
	return n
}

func robotOf(bodies []raster.Body) (out []raster.Body) {
	for i := range bodies {
		if !bodies[i].Scenery {
			out = append(out, bodies[i])
		}
	}
	return out
}

// pairScore judges how well a direction shows both sides of a pair where it is closest: each
// should fill a quarter of the picture, and the gap be seen from the side.
func (v *scenery) pairScore(d geom.Vec) float64 {
	c := raster.Around(v.closeUp(), d, surveyHeight, surveyHeight)
	count := [2]int{}
	middle := [2]int{}
	seen := raster.Survey(v.coarse, &c)
	for i, k := range seen.Body {
		for side, of := range v.pair {
			if k >= 0 && k == of {
				count[side]++
				x, y := i%seen.Width-seen.Width/2, i/seen.Width-seen.Height/2
				if float64(x*x+y*y) < surveyHeight*surveyHeight/64 {
					middle[side]++
				}
			}
		}
	}
	const enough, core = surveyHeight * surveyHeight / 5, surveyHeight * surveyHeight / 64
	s := 0.0
	for side := range count {
		s += min(float64(count[side])/enough, 1) + min(float64(middle[side])/core, 1)
	}
	n := v.shot.Witness.Normal
	along := math.Abs(float64(n.X*d.X) + float64(n.Y*d.Y) + float64(n.Z*d.Z))
	return s - float64(0.5*along)
}

// closeUp is what the second picture shows.
func (v *scenery) closeUp() raster.Ball {
	w := v.shot.Witness
	middle := geom.Vec{X: (w.PointA.X + w.PointB.X) / 2, Y: (w.PointA.Y + w.PointB.Y) / 2, Z: (w.PointA.Z + w.PointB.Z) / 2}
	return raster.Ball{Center: middle, Radius: max(0.15*v.scene.Focus.Radius, 0.75*w.Distance)}
}
