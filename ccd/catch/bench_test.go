package catch

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/motion"
)

func BenchmarkCorpus(b *testing.B) {
	for _, c := range [][2]string{
		{"panda_shelf.scene", "panda_shelf.local.segs"},
		{"panda_shelf.scene", "panda_shelf.long.segs"},
		{"panda_pipes38k.scene", "panda_pipes38k.local.segs"},
		{"g1.scene", "g1_moves_10hz.segs"},
	} {
		b.Run(c[1], func(b *testing.B) {
			r, ms := corpusRig(b, c[0], c[1])
			var courses []*kin.Course
			d := rand.New(rand.NewPCG(1, 1))
			for range 50 {
				x, err := kin.Bind(r.m.Tree, ms[d.IntN(len(ms))], make([]float64, len(r.m.Tree.Dofs)))
				if err != nil {
					b.Fatal(err)
				}
				courses = append(courses, x)
			}
			for b.Loop() {
				for _, x := range courses {
					r.w.Check(context.Background(), x, motion.Query{})
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(courses)), "us/segment")
		})
	}
}
