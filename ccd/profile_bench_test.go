package ccd_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/internal/corpus"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// shelf is a Panda before a shelf, and the motions of a set that are free.
func shelf(b testing.TB, scene, set string) (*ccd.Checker, []*ccd.Motion) {
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
	var free []*ccd.Motion
	for _, m := range motions {
		if v, err := c.Check(context.Background(), m, ccd.Query{Question: motion.IsFree}); err == nil && v.Status == ccd.Free {
			free = append(free, m)
		}
	}
	return c, free
}

func BenchmarkMinClearance(b *testing.B) {
	for _, set := range []string{"panda_shelf.local", "panda_shelf.long", "panda_pipes38k.local"} {
		b.Run(set, func(b *testing.B) {
			c, free := shelf(b, set[:len(set)-len(filepath.Ext(set))], set)
			b.ResetTimer()
			for i := range b.N {
				v, err := c.Check(context.Background(), free[i%len(free)], ccd.Query{Question: motion.MinClearance})
				if err != nil || !v.MinClearance.Known {
					b.Fatal(err, v)
				}
			}
		})
	}
}

func BenchmarkProfile(b *testing.B) {
	for _, set := range []string{"panda_shelf.local", "panda_shelf.long", "panda_pipes38k.local"} {
		b.Run(set, func(b *testing.B) {
			c, free := shelf(b, set[:len(set)-len(filepath.Ext(set))], set)
			spans := 0
			b.ResetTimer()
			for i := range b.N {
				p, err := c.Profile(context.Background(), free[i%len(free)], ccd.ProfileQuery{})
				if err != nil || p.Reason != "" {
					b.Fatal(err, p.Reason)
				}
				spans += len(p.Spans)
			}
			b.ReportMetric(float64(spans)/float64(b.N), "spans/op")
		})
	}
}
