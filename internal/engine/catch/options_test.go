package catch

import (
	"context"
	"runtime"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/engine/agreement"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// offSwitches lists the ideas that can be switched off, one by one.
var offSwitches = map[string]func(*Options){
	"interval boxes":      func(o *Options) { o.IntervalBoxes = true },
	"sums of norms":       func(o *Options) { o.SumsOfNorms = true },
	"no spatial culling":  func(o *Options) { o.NoSpatialCulling = true },
	"no hulls":            func(o *Options) { o.NoHulls = true },
	"no sorting":          func(o *Options) { o.NoSorting = true },
	"no temporal culling": func(o *Options) { o.NoTemporalCulling = true },
	"simultaneous":        func(o *Options) { o.Simultaneous = true },
	"together, no hulls":  func(o *Options) { o.Simultaneous, o.NoHulls = true, true },
	"no directions":       func(o *Options) { o.NoDirections = true },
	"no probes":           func(o *Options) { o.NoProbes = true },
	"no control":          func(o *Options) { o.NoControl = true },
	"no memory":           func(o *Options) { o.NoMemory = true },
	"timed":               func(o *Options) { o.Timed = true },
}

// TestOptionsKeepVerdicts: what an idea is worth may be measured, as nothing else
// changes. A switch may move a contact within the tolerances, and make a tie of it.
func TestOptionsKeepVerdicts(t *testing.T) {
	runtime.LockOSThread() // its clock is read
	defer runtime.UnlockOSThread()
	const seed = 8
	ties, contacts := 0, 0
	total := map[string]Stats{}
	for i := range scenes(60) {
		d := newDice(seed, uint64(i))
		robot := d.Robot()
		r := newRig(t, robot, d.World(robot), 0, i%3 == 0)
		b := r.bind(t, d.Motion(robot, i%3 == 0))
		q := motion.Query{Question: motion.Question(i % 2)} // FirstContact, IsFree
		v := r.w.Check(context.Background(), b, q)
		add(total, "all ideas", r.w.Stats())
		if v.Status == motion.Contact {
			contacts++
		}
		for name, set := range offSwitches {
			r.w.Options = Options{}
			set(&r.w.Options)
			got := r.w.Check(context.Background(), b, q)
			add(total, name, r.w.Stats())
			outcome := max(agreement.Compare(&q, &v, &got), agreement.Compare(&q, &got, &v))
			if outcome == agreement.Disagree || got.Status == motion.Undecided {
				t.Errorf("scene %d, %s: %v in %v instead of %v in %v, %s", i, name, got.Status, got.TOC, v.Status, v.TOC, got.Reason)
			}
			tie := outcome == agreement.Tie
			if tie {
				ties++
			}
			if got.Status != v.Status && !tie {
				t.Errorf("scene %d, %s: %v instead of %v", i, name, got.Status, v.Status)
			}
		}
		r.w.Options = Options{}
	}
	t.Logf("%d contacts, %d ties", contacts, ties)
	for name, s := range total {
		t.Logf("%-20s PCLs %5d, by hulls %5d, by time %4d, advanced %4d, steps of hulls %5d, of shapes %6d, volume pairs %7d, distances %7d, leaves %6d",
			name, s.PCLs, s.ClearedByHulls, s.CulledByTime, s.Advanced, s.HullSteps, s.Steps, s.VolumePairs, s.Distances, s.LeafPairs)
	}
	all := total["all ideas"]
	for name, more := range map[string]bool{
		"interval boxes":      total["interval boxes"].PCLs > all.PCLs,
		"sums of norms":       total["sums of norms"].Steps > all.Steps,
		"no spatial culling":  total["no spatial culling"].PCLs > all.PCLs,
		"no hulls":            total["no hulls"].Steps > all.Steps && total["no hulls"].HullSteps == 0,
		"no sorting":          total["no sorting"].Steps > all.Steps,
		"no temporal culling": total["no temporal culling"].CulledByTime == 0 && total["no temporal culling"].Steps > all.Steps,
		"simultaneous":        total["simultaneous"].HullSteps < all.HullSteps,
		"no directions":       total["no directions"].Steps > all.Steps,
		"no probes":           total["no probes"].Probes < all.Probes,
		"no control":          total["no control"].VolumePairs != all.VolumePairs,
		"timed":               total["timed"].CPU.Spatial > 0 && total["timed"].CPU.Hulls > 0 && total["timed"].CPU.Advance > 0 && all.CPU == (CPU{}),
		"no memory":           total["no memory"].VolumePairs != all.VolumePairs,
	} {
		if !more && !race.Enabled { // too few scenes then
			t.Errorf("%s: the switch does nothing", name)
		}
	}
}

func add(total map[string]Stats, name string, s Stats) {
	x := total[name]
	x.PCLs += s.PCLs
	x.ClearedByHulls += s.ClearedByHulls
	x.CulledByTime += s.CulledByTime
	x.Advanced += s.Advanced
	x.HullSteps += s.HullSteps
	x.Steps += s.Steps
	x.VolumePairs += s.VolumePairs
	x.Distances += s.Distances
	x.LeafPairs += s.LeafPairs
	x.Probes += s.Probes
	x.CPU.Spatial += s.CPU.Spatial
	x.CPU.Hulls += s.CPU.Hulls
	x.CPU.Advance += s.CPU.Advance
	total[name] = x
}
