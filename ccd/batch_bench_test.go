package ccd_test

import (
	"context"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// BenchmarkBatch asks whether 10,000 motions of the training sets are free, in turns with one
// worker and with one for each processor: go test ./ccd -run xxx -bench Batch
func BenchmarkBatch(b *testing.B) {
	for i := range trainingSets {
		s := &trainingSets[i]
		c, few := s.motions(b)
		motions := make([]*motion.Motion, 10000)
		for i := range motions {
			motions[i] = few[i%len(few)]
		}
		b.Run(s.name, func(b *testing.B) {
			var answers []ccd.Answer
			ask := func(workers int) (spent time.Duration) {
				started := time.Now()
				answers = c.CheckAll(context.Background(), motions, motion.Query{Question: motion.IsFree}, ccd.Batch{Workers: workers, Into: answers})
				return time.Since(started)
			}
			ask(1)
			var one, all time.Duration
			for b.Loop() {
				one += ask(1)
				all += ask(0)
			}
			b.ReportMetric(float64(all.Microseconds())/float64(b.N)/float64(len(motions)), "us/motion")
			b.ReportMetric(one.Seconds()/all.Seconds(), "times-one-worker")
		})
	}
}
