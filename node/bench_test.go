package node

import (
	"context"
	"os"
	"testing"
)

// BenchmarkDistances measures a humanoid's closest pairs at rest, by what the monitor asks.
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
	for what, name := range []string{closestPair: "closest", nearPairs: "near", severalPairs: "several"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := m.distances(context.Background(), at, search(what)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
