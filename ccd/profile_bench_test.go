package ccd_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/internal/engine/corpus"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// shelf is the robot and world of a scene of the comparison corpus, a Panda before a
// shelf, say, and the motions of a set that are free.
func shelf(b testing.TB, scene, set string) (*ccd.Checker, []*motion.Motion) {
	b.Helper()
	c, motions := everyMotion(b, scene, set)
	free := motions[:0]
	for _, m := range motions {
		if v, err := c.Check(context.Background(), m, motion.Query{Question: motion.IsFree}); err == nil && v.Status == motion.Free {
			free = append(free, m)
		}
	}
	return c, free
}

// everyMotion is a scene of the corpus and all motions of a set.
func everyMotion(b testing.TB, scene, set string) (*ccd.Checker, []*motion.Motion) {
	b.Helper()
	const dir = "../../shared/peers/corpus/"
	if _, err := os.Stat(filepath.Join(dir, set+".segs")); err != nil {
		b.Skip("the corpus is not here: ", err)
	}
	s, err := corpus.Load(dir + scene + ".scene")
	if err != nil {
		b.Fatal(err)
	}
	motions, err := s.Segments(dir + set + ".segs")
	if err != nil {
		b.Fatal(err)
	}
	c, err := ccd.New(s.Robot, s.World, ccd.Options{Allowed: s.Rigid()})
	if err != nil {
		b.Fatal(err)
	}
	return c, motions
}

// BenchmarkCheck asks what planners and monitors ask, whole sets at a time.
func BenchmarkCheck(b *testing.B) {
	for _, set := range []string{"panda_shelf.local", "panda_shelf.long", "panda_pipes38k.local", "panda_pipes190k.local", "g1_moves_10hz"} {
		c, motions := everyMotion(b, sceneOf(set), set)
		for name, q := range map[string]motion.Query{"yes or no": {Question: motion.IsFree}, "first contact": {}} {
			b.Run(set+"/"+name, func(b *testing.B) {
				for b.Loop() {
					for _, m := range motions {
						if v, err := c.Check(context.Background(), m, q); err != nil || v.Status == motion.Undecided {
							b.Fatal(err, v.Reason)
						}
					}
				}
			})
		}
	}
}

// sceneOf names the scene of a set.
func sceneOf(set string) string {
	if set == "g1_moves_10hz" {
		return "g1"
	}
	return strings.TrimSuffix(set, filepath.Ext(set))
}

func BenchmarkMinClearance(b *testing.B) {
	for _, set := range []string{"panda_shelf.local", "panda_shelf.long", "panda_pipes38k.local"} {
		b.Run(set, func(b *testing.B) {
			c, free := shelf(b, sceneOf(set), set)
			b.ResetTimer()
			for i := range b.N {
				v, err := c.Check(context.Background(), free[i%len(free)], motion.Query{Question: motion.MinClearance})
				if err != nil || !v.MinClearance.Known {
					b.Fatal(err, v)
				}
			}
		})
	}
}

func BenchmarkProfile(b *testing.B) {
	for _, set := range []string{"panda_shelf.local", "panda_shelf.long", "panda_pipes38k.local", "g1_moves_10hz"} {
		b.Run(set, func(b *testing.B) {
			c, free := shelf(b, sceneOf(set), set)
			spans := 0
			took := make([]time.Duration, 0, b.N)
			b.ResetTimer()
			for i := range b.N {
				p, err := c.Profile(context.Background(), free[i%len(free)], motion.ProfileQuery{})
				if err != nil || p.Reason != "" {
					b.Fatal(err, p.Reason)
				}
				spans += len(p.Spans)
				took = append(took, p.Compute)
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2])/1e3, "median-us")
			b.ReportMetric(float64(took[len(took)*9/10])/1e3, "p90-us")
			b.ReportMetric(float64(spans)/float64(b.N), "spans/op")
		})
	}
}
