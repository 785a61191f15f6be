package node

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/firstcontact-ros/firstcontact/motion"
)

// BenchmarkDistances measures a humanoid's closest pairs at rest, as many as margins of
// their own ask for.
func BenchmarkDistances(b *testing.B) {
	path := "../../shared/robots/g1/g1.urdf"
	if _, err := os.Stat(path); err != nil {
		b.Skip("no robots in ../shared")
	}
	v := values(b, map[string]any{"robot_description_file": path})
	m, err := build(context.Background(), describe(v), v)
	if err != nil {
		b.Fatal(err)
	}
	at := &sample{position: make([]float64, len(m.joints))}
	for _, q := range []motion.DistanceQuery{{K: 1, DistanceRanges: motion.DistanceRanges{Max: 0.5}}, {K: 16, DistanceRanges: motion.DistanceRanges{Max: 0.5}}, {K: 16, DistanceRanges: motion.DistanceRanges{Max: 0.051}}, {K: 5, DistanceRanges: motion.DistanceRanges{Max: 0.5}}} {
		q.Relative = tolerance
		b.Run(fmt.Sprintf("%d within %g m", q.K, q.Max), func(b *testing.B) {
			for b.Loop() {
				if _, _, err := m.distances(context.Background(), at, q); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
