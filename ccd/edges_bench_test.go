package ccd_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/internal/base/cputime"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// BenchmarkEdges asks whether edges are free, as a planner that grows a tree does: in
// planning problems, from configurations that are free, of a given length in a random direction. It tells
// the mean computing time of those that are free and of the others, the least of four, with -benchtime 1x.
func BenchmarkEdges(b *testing.B) {
	for _, name := range []string{"panda", "ur5"} {
		folder := shared + "robots/" + name + "/" + name
		robot, err := urdf.Load(folder+".urdf", urdf.Options{SRDF: folder + ".srdf"})
		if err != nil {
			b.Skip(err)
		}
		var checkers []*ccd.Checker
		for _, w := range problemWorlds(b, name) {
			c, err := ccd.New(robot, w, ccd.Options{})
			if err != nil {
				b.Fatal(err)
			}
			checkers = append(checkers, c)
		}
		for _, length := range []float64{0.5, 1, 2, 4} {
			b.Run(fmt.Sprintf("%s/%grad", name, length), func(b *testing.B) {
				var us, n [2]float64 // of free edges, of others
				for range b.N {
					rng := rand.New(rand.NewPCG(1, 2))
					for _, c := range checkers {
						edgesOf(b, rng, c, length, func(free bool, spent time.Duration) {
							kind := 0
							if !free {
								kind = 1
							}
							n[kind]++
							us[kind] += float64(spent) / 1e3
						})
					}
				}
				b.ReportMetric(us[0]/n[0], "us/free")
				b.ReportMetric(us[1]/n[1], "us/other")
				b.ReportMetric(n[0]/(n[0]+n[1]), "free")
			})
		}
	}
}

// problemWorlds returns the worlds of some planning problems for a robot.
func problemWorlds(b *testing.B, robot string) (out []*scene.Snapshot) {
	b.Helper()
	for _, set := range []string{"bookshelf_small", "bookshelf_thin", "box", "table_pick"} {
		for k := range 8 {
			problems, err := scene.Problems(fmt.Sprintf("%sscenes/motionbenchmaker/%s.json#%s/%d", shared, robot, set, k+1))
			if err != nil {
				b.Fatal(err)
			}
			w, err := problems[0].Snapshot()
			if err != nil {
				b.Fatal(err)
			}
			out = append(out, w)
		}
	}
	return out
}

// anyEdge draws the ends of a motion of a length from anywhere in any direction.
func anyEdge(rng *rand.Rand, c *ccd.Checker, length float64) (from, to []float64) {
	sum := 0.0
	for _, name := range c.ActiveJoints() {
		limit := &c.Robot().Joints[c.Robot().Joint(name)].Limit
		from = append(from, limit.Lower+(limit.Upper-limit.Lower)*(0.2+0.6*rng.Float64()))
		to = append(to, rng.NormFloat64())
		sum += to[len(to)-1] * to[len(to)-1]
	}
	for j := range to {
		to[j] = from[j] + length*to[j]/math.Sqrt(sum)
	}
	return from, to
}

// edgesOf calls f with 40 edges.
func edgesOf(b *testing.B, rng *rand.Rand, c *ccd.Checker, length float64, f func(free bool, spent time.Duration)) {
	b.Helper()
	joints := c.ActiveJoints()
	isFree := func(from, to []float64) (free bool, spent time.Duration) {
		m, err := motion.Between(joints, from, to, 1)
		if err != nil {
			b.Fatal(err)
		}
		spent = time.Hour
		for range 4 {
			var v motion.Verdict
			spent = min(spent, cputime.Of(func() { v, err = c.Check(context.Background(), m, motion.Query{Question: motion.IsFree}) }))
			if err != nil {
				b.Fatal(err)
			}
			free = v.Status == motion.Free
		}
		return free, spent
	}
	for left := 40; left > 0; {
		from, to := anyEdge(rng, c, length)
		if free, _ := isFree(from, from); !free {
			continue
		}
		left--
		f(isFree(from, to))
	}
}
