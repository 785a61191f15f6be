package catch

import (
	"flag"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/engine"
)

// Options switches the paper's ideas off one by one, so that what each is worth can
// be measured (its Table 2 and Figure 5). No switch changes what a verdict promises.
// The zero value is the method with all of them.
type Options struct {
	// IntervalBoxes bounds the links' motion by intervals in place of Taylor models of
	// third order: what a model of order zero comes down to (section 5.1).
	IntervalBoxes bool
	// NoSpatialCulling takes every pair of links that is asked about for one that may
	// collide (section 5.2 left out).
	NoSpatialCulling bool
	// NoHulls starts every pair with its hierarchies at the start of the piece (section
	// 7.2 left out).
	NoHulls bool
	// NoSorting takes the pairs in the order of the model, not by the earliest time at
	// which they may collide (section 7.1, step 2, left out).
	NoSorting bool
	// NoTemporalCulling advances every pair until it touches or its motion ends, though
	// another was found to touch before (section 7.1, step 3, left out).
	NoTemporalCulling bool
	// Simultaneous advances the pairs all together in place of one after the other
	// (section 7.1, second paragraph, and not Algorithm 1): NoSorting and
	// NoTemporalCulling mean nothing then.
	Simultaneous bool
	// NoDirections bounds speeds in all directions at once, not along the direction in
	// which two volumes are apart (section 3.4, the projection, left out).
	NoDirections bool
	// SumsOfNorms bounds speeds by a sum over the joints of sizes alone, as equation 10
	// has it, mended, in place of Taylor models of the velocity along the direction.
	SumsOfNorms bool
	// NoProbes answers yes or no without static tests first (section 8.1, (3)).
	NoProbes bool
	// NoControl looks for the longest step that volumes allow. By default a step may be
	// shorter by the part control where that saves opening volumes.
	NoControl bool
	// NoMemory forgets the volumes that ended a pair's last step, with which the next
	// one starts otherwise.
	NoMemory bool

	// Timed measures the computing time of the stages (Stats.CPU). The goroutine must be
	// locked to its thread for that.
	Timed bool
}

// declare makes the options settings by name. Sections are those of ZRLK07.
func (o *Options) declare(flags *flag.FlagSet) {
	flags.BoolVar(&o.IntervalBoxes, "interval-boxes", false, "bound the links' motion by intervals in place of Taylor models (section 5.1)")
	flags.BoolVar(&o.NoSpatialCulling, "no-spatial-culling", false, "take every pair for one that may collide (section 5.2 left out)")
	flags.BoolVar(&o.NoHulls, "no-hulls", false, "start with the hierarchies, not with their hulls (section 7.2 left out)")
	flags.BoolVar(&o.NoSorting, "no-sorting", false, "take pairs in the model's order, not by the time of their collision (section 7.1, step 2, left out)")
	flags.BoolVar(&o.NoTemporalCulling, "no-temporal-culling", false, "advance every pair to its end (section 7.1, step 3, left out)")
	flags.BoolVar(&o.Simultaneous, "simultaneous", false, "advance all pairs together (section 7.1, second paragraph)")
	flags.BoolVar(&o.NoDirections, "no-directions", false, "bound speeds in all directions at once (projection of section 3.4 left out)")
	flags.BoolVar(&o.SumsOfNorms, "sums-of-norms", false, "bound speeds by equation 10, mended, in place of Taylor models of the velocity")
	flags.BoolVar(&o.NoProbes, "no-probes", false, "answer yes or no without static tests first (section 8.1, 3)")
	flags.BoolVar(&o.NoControl, "no-control", false, "look for the longest step that volumes allow")
	flags.BoolVar(&o.NoMemory, "no-memory", false, "forget the volumes that ended a pair's last step")
}

// control is by which part of the longest safe step a step may fall short.
const control = 0.5

// Stats counts the last check, over all pieces of its motion: what the paper's tables
// count.
type Stats struct {
	Pieces int // of the motion, that were looked at
	Pairs  int // of links (of elements) that were asked about, once for each piece
	PCLs   int // left of those after spatial culling: potentially colliding (Table 2)

	// What became of those: the hulls alone keep ClearedByHulls apart all along, and
	// CulledByTime were dropped because they cannot touch before another pair does,
	// before or while they were advanced. Advanced ones were looked at by their shapes.
	ClearedByHulls, CulledByTime, Advanced int

	HullSteps   int // advancements of hulls
	Steps       int // advancements of shapes
	VolumePairs int // pairs of volumes that were looked at in both
	Distances   int // closest-point searches among them
	LeafPairs   int // those of triangles, points, cells and solids
	Probes      int // static tests of a pair

	CPU CPU
}

// CPU is the computing time of the stages, of the thread that ran them, where
// Options.Timed asked for it. That of static tests is in Advance.
type CPU struct{ Spatial, Hulls, Advance time.Duration }

// timed runs a stage and adds its computing time to sum, if that is asked for.
func (w *Worker) timed(sum *time.Duration, stage func()) {
	if !w.Options.Timed {
		stage()
		return
	}
	begin := engine.ThreadTime()
	stage()
	*sum += engine.ThreadTime() - begin
}
