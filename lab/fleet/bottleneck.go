package main

import (
	"fmt"
	"math"
	"sort"
	"strings"
)

// relief is a fleet in which one part costs nothing.
type relief struct {
	part string
	give func(*Fleet)
}

// reliefs are the parts that may hold up a fleet.
var reliefs = []relief{
	{"the submitter's round trips", func(f *Fleet) { f.SubmitterLatency = 0 }},
	{"the submitter's disk and decoding", func(f *Fleet) { f.Keep, f.Between = 0, 0 }},
	{"the window", func(f *Fleet) { f.Window = max(f.Window, 2*f.Workers) }},
	{"the server", func(f *Fleet) { f.Offer, f.Pull, f.Store, f.Ack, f.Collect, f.StartServer = 0, 0, 0, 0, 0, 0 }},
	{"the workers' round trips", func(f *Fleet) { f.Latency, f.Turn = 0, 0 }},
	{"starting the workers", func(f *Fleet) { f.StartServer, f.StartWorker, f.StartRounds = 0, 0, 0 }},
}

// least is the gain by which a part is worth a name.
const least = 1.02

// bottlenecks names the part without whose cost a fleet would be the fastest, then the one that holds it up most without that, and
// so on until it is efficient; with each, how many times as fast the fleet becomes.
func bottlenecks(f Fleet) string {
	var parts []string
	for now := Simulate(f); now.Efficient < bound; {
		part, rest, then := worst(f, now)
		if part == "" {
			break
		}
		parts = append(parts, fmt.Sprintf("%s (%.1f)", part, now.Seconds/then.Seconds))
		f, now = rest, then
	}
	if parts == nil {
		return "the workers' processors"
	}
	return strings.Join(parts, ", then ")
}

// worst finds the part without whose cost a fleet would be the fastest, "" if none matters.
func worst(f Fleet, now Outcome) (part string, rest Fleet, then Outcome) {
	then.Seconds = now.Seconds / least
	for _, r := range reliefs {
		g := f
		r.give(&g)
		if o := Simulate(g); o.Seconds < then.Seconds {
			part, rest, then = r.part, g, o
		}
	}
	return part, rest, then
}

// most is how many workers are looked at.
const most = 4096

// breaks is the least number of workers at which a fleet's efficiency is below a bound, and 0 if that is not reached.
// The efficiency falls with the workers.
func breaks(bound float64, efficiency func(workers int) float64) int {
	high := 1
	for ; efficiency(high) >= bound; high *= 2 {
		if high >= most {
			return 0
		}
	}
	low := high / 2 // efficient, or 0
	return low + 1 + sort.Search(high-low-1, func(i int) bool { return efficiency(low+1+i) < bound })
}

// withTable is the efficiency of a batch to whose seconds the table at the end counts: the submitter writes it when all
// chunks are there, so many seconds for each.
func withTable(f Fleet, o Outcome, each float64) float64 {
	return float64(f.Chunks) * f.Compute / (float64(f.Workers) * (o.Seconds + float64(f.Chunks)*each))
}

// significant is a number with so many digits that count.
func significant(x float64, digits int) string {
	if x == 0 || math.IsInf(x, 0) || math.IsNaN(x) {
		return fmt.Sprint(x)
	}
	places := digits - 1 - int(math.Floor(math.Log10(math.Abs(x))))
	return fmt.Sprintf("%.*f", max(0, places), x)
}
