package spheretree

import "testing"

func BenchmarkCompact(b *testing.B) {
	m := bumpySphere(100, 0.1, 1)
	for range b.N {
		mustTree(b)(Compact(m))
	}
	b.ReportMetric(float64(len(m)), "triangles")
}

func BenchmarkGreedy(b *testing.B) {
	m := bumpySphere(100, 0.1, 1)
	for range b.N {
		mustTree(b)(Greedy(m, 0))
	}
	b.ReportMetric(float64(len(m)), "triangles")
}

func BenchmarkDistance(b *testing.B) {
	x, y := mustTree(b)(Compact(bumpySphere(60, 0.1, 1))), mustTree(b)(Compact(bumpySphere(60, 0.1, 2)))
	var s Scratch
	r := dice(1)
	pose := randomPose(r, 0)
	pose.P.X = 3
	for range b.N {
		Distance(x, y, pose, Query{}, &s)
	}
}
