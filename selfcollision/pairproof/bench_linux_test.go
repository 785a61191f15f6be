package pairproof

import (
	"context"
	"syscall"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
)

// BenchmarkRealRobots decides all pairs of the robots that FIRSTCONTACT_ROBOTS
// names; docs/pairs.md has its table. Run it with -benchtime 1x.
func BenchmarkRealRobots(b *testing.B) {
	for _, name := range switches.Robots.Or("panda", "ur5e") {
		b.Run(name, func(b *testing.B) {
			robot := shared(b, name+"/"+name+".urdf")
			begin, boxes := cpu(), 0
			var rep Report
			for b.Loop() {
				var err error
				if rep, err = All(context.Background(), robot, Options{}); err != nil {
					b.Fatal(err)
				}
			}
			for i := range rep.Pairs {
				boxes += rep.Pairs[i].Boxes
			}
			for m := Undecided; m <= Sometimes; m++ {
				b.ReportMetric(float64(rep.Count(m)), m.String())
			}
			b.ReportMetric(float64(boxes), "boxes")
			b.ReportMetric((cpu()-begin).Seconds()/float64(b.N), "cpu-s/op")
		})
	}
}

// cpu is the processor time that the process has used.
func cpu() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		panic(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
