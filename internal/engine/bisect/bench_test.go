package bisect

import (
	"context"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/enginetest"
	"github.com/firstcontact-ros/firstcontact/motion"
)

func BenchmarkCorpus(b *testing.B) {
	for _, c := range []struct{ scene, segments string }{
		{"panda_shelf", "panda_shelf.local"},
		{"panda_shelf", "panda_shelf.long"},
		{"panda_pipes38k", "panda_pipes38k.local"},
	} {
		s := enginetest.LoadScene(b, "../../../../shared", c.scene)
		m, ms := s.Model, s.Motions(b, c.segments, 0)
		p, err := Prepare(m)
		if err != nil {
			b.Fatal(err)
		}
		courses := make([]*kin.Course, len(ms))
		for i := range ms {
			if courses[i], err = kin.Bind(m.Tree, ms[i], make([]float64, len(m.Tree.Dofs))); err != nil {
				b.Fatal(err)
			}
		}
		for name, o := range map[string]Options{"adaptive": {}, "refined": {Refined: true}} {
			b.Run(c.segments+"/"+name, func(b *testing.B) {
				w := p.NewWorker()
				w.Options = o
				bv, tri := 0, 0
				for i := 0; b.Loop(); i++ {
					w.Check(context.Background(), courses[i%len(courses)], motion.Query{Question: motion.IsFree, Tolerance: 1e-4})
					bv, tri = bv+w.stats.BVTests, tri+w.stats.TriTests
				}
				b.ReportMetric(float64(bv)/float64(b.N), "BV/op")
				b.ReportMetric(float64(tri)/float64(b.N), "Tri/op")
			})
		}
	}
}
