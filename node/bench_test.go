package node

import (
	"context"
	"math"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/node/internal/jointstates"
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
	at := &jointstates.Sample{Position: make([]float64, len(m.joints))}
	for what, name := range []string{closestPair: "closest", nearPairs: "near", severalPairs: "several"} {
		b.Run(name, func(b *testing.B) {
			if m.trackers.ready[what].Load() == nil {
				b.Skip("no pair has a margin of its own")
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := m.distances(context.Background(), at, search(what)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkSelfMethod measures the monitor's search of real robots by both methods in turns,
// along a motion in small steps within the joints' limits. It reports medians.
func BenchmarkSelfMethod(b *testing.B) {
	methods := []string{"spheres", "spacetime"}
	for _, name := range treeRobots {
		b.Run(name, func(b *testing.B) {
			var models []*model
			for _, method := range methods {
				models = append(models, treeModel(b, method, treeRobot(b, name)))
			}
			at := &jointstates.Sample{Position: make([]float64, len(models[0].joints))}
			rest, robot := models[0].checker.State(), models[0].checker.Robot()
			took := make([][]float64, len(methods))
			k := 0
			for b.Loop() {
				k++
				for i, joint := range models[0].joints {
					x := rest[joint] + 0.3*math.Sin(float64(k)*0.01*(1+0.1*float64(i)))
					if j := robot.Joint(joint); j >= 0 && robot.Joints[j].Limit.Bounded {
						x = max(robot.Joints[j].Limit.Lower, min(robot.Joints[j].Limit.Upper, x))
					}
					at.Position[i] = x
				}
				for i, m := range models {
					begin := time.Now()
					if _, _, err := m.distances(context.Background(), at, closestPair); err != nil {
						b.Fatal(err)
					}
					took[i] = append(took[i], time.Since(begin).Seconds())
				}
			}
			for i, method := range methods {
				slices.Sort(took[i])
				b.ReportMetric(1e6*took[i][len(took[i])/2], method+"-µs")
			}
			b.ReportMetric(1e3*models[0].trees.Time.Seconds(), "trees-ms")
			b.ReportMetric(float64(models[0].trees.Bytes)/1e3, "trees-kB")
		})
	}
}
