package main

import (
	"math"
	"testing"
	"time"
)

// arm is a small robot made here.
var arm = bench{robot: "../../testdata/examples/arm.urdf", scene: "../../testdata/examples/table.yaml"}

// The simulation of one worker and of some, by the costs of another batch, takes as long as the product's own queue does over a slow
// network. The delays are the larger part of it, so a busy machine changes little; what it does change makes a batch longer,
// and another attempt may do. A simulation that leaves out a round trip of whoever holds up the batch does not agree.
func TestSimulationAgrees(t *testing.T) {
	r, err := arm.measure(t.Context(), trial{chunks: 70, each: 10, workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if r.Window != 64 || r.Batch != 64 || r.Wait < 0.4 || r.Wait > 0.5 {
		t.Errorf("the submitter has another policy than the page says, which is to be written anew by make fleet: %+v", r.Policy)
	}
	costs, slow := r.costs(median[float64]), Network{Latency: 15 * time.Millisecond}
	oneLessOfThree := func(f *Fleet) { f.Latency *= 2.0 / 3 }
	oneLessOfTwo := func(f *Fleet) { f.SubmitterLatency /= 2 }
	for name, test := range map[string]struct {
		trial
		leaveOut func(*Fleet)
	}{
		"the worker holds it up":    {trial{chunks: 6, each: 10, workers: 1, Network: slow}, oneLessOfThree},
		"two workers":               {trial{chunks: 8, each: 10, workers: 2, Network: slow}, func(f *Fleet) { oneLessOfThree(f); oneLessOfTwo(f) }},
		"the submitter holds it up": {trial{chunks: 14, each: 10, workers: 3, Network: slow}, oneLessOfTwo},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for attempt := 0; ; attempt++ {
				c, err := arm.compare(t.Context(), test.trial, costs, r.Policy)
				if err != nil {
					t.Fatal(err)
				}
				t.Logf("%.3f s, simulated %.3f s", c.real, c.simulated)
				test.leaveOut(&c.fleet)
				fewer := comparison{real: c.real, simulated: Simulate(c.fleet).Seconds}
				if c.agrees() && !fewer.agrees() {
					return
				}
				if attempt == 20 {
					t.Fatalf("the batch took %.3f s, and %.3f s are simulated, %.3f s with a round trip less", c.real, c.simulated, fewer.simulated)
				}
			}
		})
	}
}

// What can be computed by hand.
func TestSimulate(t *testing.T) {
	free := Policy{Window: 1 << 20, Batch: 1 << 20, Wait: 0.5}
	for _, test := range []struct {
		name string
		f    Fleet
		want float64
	}{
		{"a worker alone", Fleet{Costs: Costs{Compute: 1}, Policy: free, Workers: 1, Chunks: 10}, 10},
		{"three workers, ten chunks", Fleet{Costs: Costs{Compute: 1}, Policy: free, Workers: 3, Chunks: 10}, 4},
		// Chunk by chunk: there, computed, and three round trips; the last answer reaches the submitter, is confirmed, and that is known.
		{"a slow network", Fleet{Costs: Costs{Compute: 1}, Policy: free, Workers: 1, Chunks: 2, Latency: 0.1}, 0.1 + 1 + 0.6 + 1 + 0.1},
		{"a server that does one thing at a time", Fleet{Costs: Costs{Store: 1}, Policy: free, Workers: 100, Chunks: 100}, 100},
		{"a submitter that does", Fleet{Costs: Costs{Keep: 1}, Policy: Policy{Window: 100, Batch: 100, Wait: 1}, Workers: 100, Chunks: 100}, 100},
		{"a window of one chunk", Fleet{Costs: Costs{Compute: 1}, Policy: Policy{Window: 1, Batch: 1, Wait: 9}, Workers: 9, Chunks: 5}, 5},
		// The submitter offers again only when its time is over.
		{"a window of two", Fleet{Costs: Costs{Compute: 0.1}, Policy: Policy{Window: 2, Batch: 9, Wait: 1}, Workers: 2, Chunks: 4}, 1.1},
		{"a start", Fleet{Costs: Costs{Compute: 1, StartServer: 1, StartWorker: 2, StartRounds: 1}, Policy: free, Workers: 2, Chunks: 2}, 5},
	} {
		if got := Simulate(test.f).Seconds; math.Abs(got-test.want) > 1e-9 {
			t.Errorf("%s: %g s, want %g", test.name, got, test.want)
		}
	}
}

// Each part is named where it alone is slow.
func TestBottleneck(t *testing.T) {
	fast := Fleet{Costs: Costs{Compute: 1}, Policy: Policy{Window: 64, Batch: 64, Wait: 0.01}, Workers: 16, Chunks: 320}
	for want, change := range map[string]func(*Fleet){
		"the workers' processors": func(*Fleet) {},
		reliefs[0].part:           func(f *Fleet) { f.SubmitterLatency = 0.1 },
		reliefs[1].part:           func(f *Fleet) { f.Keep = 0.2 },
		reliefs[2].part:           func(f *Fleet) { f.Window = 4 },
		reliefs[3].part:           func(f *Fleet) { f.Ack = 0.2 },
		reliefs[4].part:           func(f *Fleet) { f.Latency = 0.5 },
		reliefs[5].part:           func(f *Fleet) { f.StartWorker = 10 },
	} {
		f := fast
		change(&f)
		if got := bottlenecks(f); len(got) < len(want) || got[:len(want)] != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestBreaks(t *testing.T) {
	for want := 1; want < 70; want++ {
		if got := breaks(0.9, func(n int) float64 { return map[bool]float64{true: 1, false: 0.5}[n < want] }); got != want {
			t.Errorf("%d, want %d", got, want)
		}
	}
	if got := breaks(0.9, func(int) float64 { return 1 }); got != 0 {
		t.Errorf("%d, want none", got)
	}
}

// A line passes on what two speakers of NATS say and notes messages of both, with and without headers.
func TestParse(t *testing.T) {
	for text, want := range map[string]event{
		"PUB a.b 3\r\n":             {subject: "a.b", size: 3},
		"PUB a.b reply 3\r\n":       {subject: "a.b", reply: "reply", size: 3},
		"HPUB a.b reply 2 3\r\n":    {subject: "a.b", reply: "reply", size: 3},
		"HPUB a.b 2 3\r\n":          {subject: "a.b", size: 3},
		"MSG a.b 17 3\r\n":          {subject: "a.b", size: 3},
		"MSG a.b 17 reply 3\r\n":    {subject: "a.b", reply: "reply", size: 3},
		"HMSG a.b 17 reply 2 3\r\n": {subject: "a.b", reply: "reply", size: 3},
	} {
		got, ok := parse(text, []byte("abc\r\n"))
		if !ok || got.subject != want.subject || got.reply != want.reply || got.size != want.size {
			t.Errorf("%q: %+v", text, got)
		}
	}
	if _, ok := parse("PING\r\n", nil); ok {
		t.Error("a PING is a message")
	}
}
