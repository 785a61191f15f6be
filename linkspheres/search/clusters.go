package search

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
)

// clusters chooses centres for n balls: the smallest balls around groups of points.
func (s *sample) clusters(n int) []site {
	centers := s.spread(n)
	for range 30 {
		groups := make([][]geom.Vec, len(centers))
		for _, p := range s.points {
			i := nearest(centers, p)
			groups[i] = append(groups[i], p)
		}
		moved := 0.0
		for i := range centers {
			if len(groups[i]) == 0 {
				continue
			}
			b := convex.MinBall(groups[i])
			moved = math.Max(moved, distance(b.Center, centers[i])/(b.Radius+1e-300))
			centers[i] = b.Center
		}
		if moved < 1e-3 {
			break
		}
	}
	out := make([]site, len(centers))
	for i, c := range centers {
		out[i] = site{c, depth(s.body, c)}
	}
	return out
}

// spread returns n points, each as far from the previous ones as possible.
func (s *sample) spread(n int) []geom.Vec {
	centers := []geom.Vec{s.points[0]}
	far := make([]float64, len(s.points))
	for i := range far {
		far[i] = math.Inf(1)
	}
	for len(centers) < min(n, len(s.points)) {
		last, best := centers[len(centers)-1], 0
		for i, p := range s.points {
			far[i] = math.Min(far[i], distance(p, last))
			if far[i] > far[best] {
				best = i
			}
		}
		centers = append(centers, s.points[best])
	}
	return centers
}

func nearest(centers []geom.Vec, p geom.Vec) int {
	best, at := math.Inf(1), 0
	for i, c := range centers {
		if d := distance(p, c); d < best {
			best, at = d, i
		}
	}
	return at
}
