package ccd_test

import (
	"context"
	"os"
	"slices"
	"testing"
	"time"
	"fmt"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/internal/engine/corpus"
	"github.com/firstcontact-ros/firstcontact/motion"
)

func TestZZ(b *testing.T) {
	const dir = "../../shared/peers/corpus/"
	sets := map[string][2]string{
		"local": {"panda_shelf.scene", "panda_shelf.local.segs"},
		"long":  {"panda_shelf.scene", "panda_shelf.long.segs"},
		"38k":   {"panda_pipes38k.scene", "panda_pipes38k.local.segs"},
		"190k":  {"panda_pipes190k.scene", "panda_pipes190k.local.segs"},
		"g1":    {"g1.scene", "g1_moves_10hz.segs"},
	}
	for _, name := range []string{"local", "long", "38k", "190k", "g1"} {
		f := sets[name]
		if o := os.Getenv("ZSET"); o != "" && o != name { continue }
		s, err := corpus.Load(dir + f[0])
		if err != nil {
			b.Fatal(err)
		}
		ms, err := s.Segments(dir + f[1])
		if err != nil {
			b.Fatal(err)
		}
		c, err := ccd.New(s.Robot, s.World, ccd.Options{Allowed: s.Rigid()})
		if err != nil {
			b.Fatal(err)
		}
		var sets [2][]*motion.Motion
		for _, m := range ms {
			v, err := c.Check(context.Background(), m, motion.Query{})
			if err != nil {
				b.Fatal(err)
			}
			if v.Status == motion.Free {
				sets[0] = append(sets[0], m)
			} else {
				sets[1] = append(sets[1], m)
			}
		}
		for _, q := range []struct {
			n string
			q motion.Query
		}{{"toc", motion.Query{}}, {"free", motion.Query{Question: motion.IsFree}}} {
			for k, kind := range []string{"free", "contact"} {
				if o := os.Getenv("ZKIND"); o != "" && o != q.n+"/"+kind { continue }
				set := sets[k]
				var work motion.Work
				var ts []float64
				reps := 20
				if o := os.Getenv("ZREPS"); o != "" { fmt.Sscan(o, &reps) }
				for _, m := range set {
					best := 1e9
					for range reps {
						t0 := time.Now()
						v, _ := c.Check(context.Background(), m, q.q)
						best = min(best, float64(time.Since(t0).Nanoseconds())/1e3)
						work.Proofs += v.Work.Proofs
						work.Intervals += v.Work.Intervals
						work.Distances += v.Work.Distances
					}
					ts = append(ts, best)
				}
				mean := 0.0
				for _, t := range ts { mean += t }
				slices.Sort(ts)
				n := float64(len(set) * reps)
				fmt.Printf("%-6s %s/%-8s n %d median %7.2f mean %7.2f us; intervals %.2f proofs %.1f distances %.2f\n", name, q.n, kind, len(set), ts[len(ts)/2], mean/float64(len(ts)), float64(work.Intervals)/n, float64(work.Proofs)/n, float64(work.Distances)/n)
			}
		}
	}
}
