package main

import (
	"fmt"
	"runtime"
	"strings"
)

// The fleets of the page.
var (
	fleetSizes = []int{1, 10, 100, 1000}
	latencies  = []float64{0.0001, 0.001, 0.02}
)

const (
	chunkSeconds = 1.0
	perWorker    = 60  // chunks
	bound        = 0.9 // of the efficiency
)

// page is the report in Markdown.
func (r *report) page() string {
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format, args...) }
	p("# How many workers a batch can feed\n\n    make fleet PAGE=lab/docs/fleet.md\n\n")
	p("wrote this page (`lab/fleet`): what a chunk of [`firstcontact batch`](../../docs/batch.md) costs on its way through the queue, what\n")
	p("that makes of 1 to 1,000 workers, and the memory of a million motions. The motions are edges of roadmaps of the arm in\n`testdata/examples`, made here.\n\n")
	p("Machine: %d cores (%s), shared with others. Its load: %s. Times of a loaded machine are too long rather than too short.\n", runtime.NumCPU(), runtime.GOARCH, strings.Join(r.loads, ", "))
	r.costsOn(p)
	r.comparedOn(p)
	r.fleetsOn(p)
	r.wholeOn(p)
	return b.String()
}

func (r *report) costsOn(p func(string, ...any)) {
	p("\n## What a chunk costs\n\n")
	p("Server, submitter and one worker are the product's own, on one machine over loopback; a line between each and the server notes when each message passes. Medians, in\n")
	p("microseconds. The queue knows only storage in files, so \"in memory\" is a folder in memory (tmpfs) for the server. Answers are kept on disk in both.\n\n")
	row := func(name string, of func(s *sized, c *Costs) string) {
		p("| %s |", name)
		for i := range r.sizes {
			c := r.sizes[i].run.costs(median[float64])
			p(" %s |", of(&r.sizes[i], &c))
		}
		p("\n")
	}
	p("| motions in a chunk |")
	for _, s := range r.sizes {
		p(" %d%s |", s.each, map[bool]string{true: "", false: ", in memory"}[s.where == "disk"])
	}
	p("\n|---|%s\n", strings.Repeat("---|", len(r.sizes)))
	micros := func(of func(*Costs) float64) func(*sized, *Costs) string {
		return func(_ *sized, c *Costs) string { return significant(1e6*of(c), 3) }
	}
	row("submitter offers it: the server takes it", micros(func(c *Costs) float64 { return c.Offer }))
	row("worker pulls it", micros(func(c *Costs) float64 { return c.Pull }))
	row("worker checks it", micros(func(c *Costs) float64 { return c.Compute }))
	row("worker stores the answer", micros(func(c *Costs) float64 { return c.Store }))
	row("worker takes the chunk from the queue", micros(func(c *Costs) float64 { return c.Ack }))
	row("worker, between what the server says and the next request (twice)", micros(func(c *Costs) float64 { return c.Turn }))
	row("submitter checks the answer and writes it to disk", micros(func(c *Costs) float64 { return c.Keep }))
	row("submitter takes the answer from the queue", micros(func(c *Costs) float64 { return c.Collect }))
	row("mean of the submitter's check and disk", func(s *sized, _ *Costs) string { return significant(1e6*mean(s.run.keep), 3) })
	row("table at the end, for each chunk", func(s *sized, _ *Costs) string { return significant(1e6*s.run.tableSeconds/float64(s.chunks), 3) })
	row("bytes of an answer", func(s *sized, _ *Costs) string { return fmt.Sprintf("%.0f", median(s.run.partBytes)) })
	p("\nOnce for a batch the submitter stores robot, scene and plan as one object and each file as another; each worker fetches them for its first chunk, in %d round trips. Milliseconds, of one batch each:\n\n", r.usual.startRounds[0])
	p("| object | bytes | stored | fetched |\n|---|---|---|---|\n")
	for _, s := range r.sizes {
		if s.where == "disk" {
			p("| robot, scene, plan of %d chunks | %d | %s | %s |\n", s.chunks, s.run.specBytes, significant(1e3*s.run.putSpec, 2), significant(1e3*s.run.getSpec, 2))
			p("| roadmap of %d edges | %d | %s | %s |\n", s.chunks*s.each, s.run.fileBytes, significant(1e3*s.run.putFile, 2), significant(1e3*s.run.getFile, 2))
		}
	}
}

func (r *report) comparedOn(p func(string, ...any)) {
	u := r.usual
	p("\n## The simulation\n\n")
	p("Discrete events: one server, one submitter, workers; each does one thing after the other. The submitter has at most %d chunks out, asks for %d answers at once, waits %.1f s for\n", u.Window, u.Batch, u.Wait)
	p("them, and only then offers more: that was seen on its line. It takes the mean costs of a batch of one worker without delays. These batches were then both checked and simulated. \"Held\"\n")
	p("means that chunks had 10 motions and a line held back each answer for a second, so that workers seem to compute that long on machines of their own; else chunks had 5,000\n")
	p("motions and were computed here. More than 100 workers were simulated only. How long workers compute is the batch's own. The tolerance is %.0f %%; the command fails if one or two workers are farther off, and `TestSimulationAgrees` tries it at every change.\n\n", 100*tolerance)
	p("| workers | latency, one way | chunks | a chunk takes | checked in | simulated | off by |\n|---|---|---|---|---|---|---|\n")
	for _, c := range r.compared {
		held := ""
		if c.Hold > 0 {
			held = ", held"
		}
		p("| %d | %g ms | %d | %.3f s%s | %.2f s | %.2f s | %.0f %% |\n", c.workers, 1e3*c.Latency.Seconds(), c.chunks, c.fleet.Compute, held, c.real, c.simulated, 100*c.off())
	}
}

// fleet is a fleet of the page: chunks of a second, one minute of work for each worker, everybody as far from the server.
func (r *report) fleet(workers int, latency float64) Fleet {
	c := r.usual.costs(median[float64])
	c.Compute = chunkSeconds
	return Fleet{Costs: c, Policy: r.usual.Policy, Workers: workers, Chunks: perWorker * workers, Latency: latency, SubmitterLatency: latency}
}

func (r *report) fleetsOn(p func(string, ...any)) {
	table := r.usual.tableSeconds / (r.usual.rowsTables / usual)
	p("\n## Fleets\n\n")
	p("Chunks of %g s with %d motions each, %d for each worker, simulated by the medians above. Submitter and workers are as far from the server. Efficiency is the computing time\n", chunkSeconds, usual, perWorker)
	p("of all chunks over that of all processors; \"with table\" counts what the submitter writes at the end, %s ms for each chunk, on one core. The bottleneck is the part without whose cost\n", significant(1e3*table, 2))
	p("the fleet gains most, and behind it how many times as fast it becomes; then what holds it up most without that, until the efficiency is %g.\n\n", bound)
	p("| latency, one way | workers | chunks/s | efficiency | with table | server busy | submitter busy | bottleneck |\n|---|---|---|---|---|---|---|---|\n")
	for _, latency := range latencies {
		for _, workers := range fleetSizes {
			f := r.fleet(workers, latency)
			o := Simulate(f)
			p("| %g ms | %d | %s | %.2f | %.2f | %.0f %% | %.0f %% | %s |\n", 1e3*latency, workers, significant(float64(f.Chunks)/o.Seconds, 3), o.Efficient, withTable(f, o, table),
				100*o.Server, 100*o.Submitter, bottlenecks(f))
		}
	}
	p("\nThe efficiency falls below %g at\n\n| latency, one way | workers | with table |\n|---|---|---|\n", bound)
	for _, latency := range latencies {
		p("| %g ms | %s | %s |\n", 1e3*latency,
			count(breaks(bound, func(n int) float64 { return Simulate(r.fleet(n, latency)).Efficient })),
			count(breaks(bound, func(n int) float64 { f := r.fleet(n, latency); return withTable(f, Simulate(f), table) })))
	}
	p("\nThe server's times are from request to answer, so they hold loopback and the scheduler besides its work, and it is simulated as if it did nothing at the same time: a real one is\n")
	p("faster. Left out are the requests of workers that have nothing to do, one every two seconds each.\n")
}

func count(n int) string {
	if n == 0 {
		return fmt.Sprintf("more than %d", most)
	}
	return fmt.Sprint(n)
}

func (r *report) wholeOn(p func(string, ...any)) {
	p("\n## Memory\n\n")
	p("The command itself, in one process, chunk by chunk: `firstcontact batch --robot arm.urdf --scene table.yaml --map map.yaml --out results --jobs 1 roadmaps`. The peak is\n`VmHWM`.\n\n")
	p("| edges | roadmaps | read | table | wall time | edges/s | peak |\n|---|---|---|---|---|---|---|\n")
	for _, w := range r.whole {
		p("| %d | %d | %s MB | %s MB | %.2f s | %.0f | %.0f MiB |\n", w.edges, w.folders, significant(float64(w.files)/1e6, 2), significant(float64(w.table)/1e6, 2), w.wall.Seconds(), float64(w.edges)/w.wall.Seconds(), float64(w.peak)/(1<<20))
	}
	p("\nMemory does not grow with the number of motions: twice as many roadmaps of the same size take as much. What it grows with are two other things. The writer of the table keeps up to\n")
	p("100,000 rows until it writes them as a group, so the peak rises until a batch has as many. And a file with motions is read as a whole, when the batch is planned and again when it is checked,\n")
	p("so the peak follows the largest file once that needs more than the table. Runs differ by some 20 MiB, by when the collector ran.\n")
}
