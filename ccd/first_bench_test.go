package ccd_test

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// BenchmarkFirstQuestions measures what a planner pays for another world: to take it, for the first question in it, and for each of
// the hundred after that, which are then asked again. Worlds are planning problems, edges 1 rad long.
func BenchmarkFirstQuestions(b *testing.B) {
	for _, name := range []string{"panda", "ur5"} {
		folder := shared + "robots/" + name + "/" + name
		robot, err := urdf.Load(folder+".urdf", urdf.Options{SRDF: folder + ".srdf"})
		if err != nil {
			b.Skip(err)
		}
		base, err := ccd.New(robot, nil, ccd.Options{})
		if err != nil {
			b.Fatal(err)
		}
		worlds := problemWorlds(b, name)
		b.Run(name, func(b *testing.B) {
			rng := rand.New(rand.NewPCG(3, 4))
			var taken, first, next, again time.Duration
			for i := 0; b.Loop(); i++ {
				began := time.Now()
				c, err := base.WithWorld(worlds[i%len(worlds)])
				if err != nil {
					b.Fatal(err)
				}
				taken += time.Since(began)
				var edges []*motion.Motion
				for range 101 {
					from, to := anyEdge(rng, c, 1)
					m, err := motion.Between(c.ActiveJoints(), from, to, 1)
					if err != nil {
						b.Fatal(err)
					}
					edges = append(edges, m)
				}
				first += askAll(b, c, edges[:1])
				next += askAll(b, c, edges[1:])
				again += askAll(b, c, edges[1:])
			}
			micros := func(d time.Duration) float64 { return d.Seconds() * 1e6 / float64(b.N) }
			b.ReportMetric(micros(taken), "us/world")
			b.ReportMetric(micros(first), "us/first")
			b.ReportMetric(micros(next)/100, "us/next")
			b.ReportMetric(micros(again)/100, "us/again")
		})
	}
}

func askAll(b *testing.B, c *ccd.Checker, edges []*motion.Motion) time.Duration {
	b.Helper()
	began := time.Now()
	for _, m := range edges {
		if _, err := c.Check(context.Background(), m, motion.Query{Question: motion.IsFree}); err != nil {
			b.Fatal(err)
		}
	}
	return time.Since(began)
}
