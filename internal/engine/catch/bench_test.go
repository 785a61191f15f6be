package catch

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/enginetest"
	"github.com/firstcontact-ros/firstcontact/motion"
)

func BenchmarkCorpus(b *testing.B) {
	for _, c := range [][2]string{
		{"panda_shelf", "panda_shelf.local"},
		{"panda_shelf", "panda_shelf.long"},
		{"panda_pipes38k", "panda_pipes38k.local"},
		{"g1", "g1_moves_10hz"},
	} {
		b.Run(c[1], func(b *testing.B) {
			s := enginetest.LoadScene(b, "../../../../shared", c[0])
			r, ms := rigOf(b, s.Model), s.Motions(b, c[1], 0)
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
