package ccd

import (
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/urdf"
)

// BenchmarkNew measures how long the checker of a humanoid of 219,000 triangles takes whose files are read, with an empty cache and
// with a filled one. Besides the mean it reports the least and the median.
func BenchmarkNew(b *testing.B) {
	const g1 = "../../shared/robots/g1/g1.urdf"
	if _, err := os.Stat(g1); err != nil {
		b.Skip("needs ../shared")
	}
	robot, err := urdf.Load(g1, urdf.Options{})
	if err != nil {
		b.Fatal(err)
	}
	for _, cold := range []bool{true, false} {
		b.Run(fmt.Sprintf("g1/cold=%v", cold), func(b *testing.B) {
			dir := b.TempDir()
			newOf(b, robot, dir)
			var took []time.Duration
			for b.Loop() {
				if cold {
					dir = b.TempDir()
				}
				begin := time.Now()
				newOf(b, robot, dir)
				took = append(took, time.Since(begin))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[0].Microseconds())/1e3, "least-ms")
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1e3, "median-ms")
		})
	}
}

func newOf(b *testing.B, robot *urdf.Robot, cache string) {
	b.Helper()
	c, err := New(robot, nil, Options{Cache: cache})
	if err != nil {
		b.Fatal(err)
	}
	if err := c.CacheError(); err != nil {
		b.Fatal(err)
	}
}
