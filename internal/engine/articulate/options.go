package articulate

import (
	"flag"
	"fmt"
	"strconv"
	"time"
)

// Options switch stages of the method off, one by one, as Table 2 of RKLM04 does, and
// set its thresholds. No choice of them changes what a verdict proves. The zero value is
// the documented default: everything on.
type Options struct {
	NoDynamicBVH bool // stage 1: boxes around what each link sweeps
	NoSweptCull  bool // stage 2: the volumes that line swept spheres sweep
	NoNewton     bool // within stage 3: interval subdivision alone (section 5.2.3)

	// Tessellate lets stage 2 hold the tessellated surface of what a link sweeps against
	// the world, as the paper does (sections 4.2 and 4.3), in place of slices of the
	// volume.
	Tessellate bool

	// Graphics lets a graphics processor hold slices against the world: "gpu" walks the
	// world's tree there, "image" draws it, as the paper does, "auto" walks where enough
	// slices come at once for that to pay; "" leaves it to the CPU. It needs a program that
	// has graphics (NewGraphics), but for auto.
	Graphics string

	// OneStep goes through stage 3 as the paper prints it: once for each piece of the
	// motion however long it is, with equations evaluated from the whole of it on. It is
	// slower, for tables.
	OneStep bool

	// MaxRefinement is the largest refinement level of a link (section 5.1.1): an
	// interval of time is split for the overlap tests into at most 2^MaxRefinement
	// parts, 8 being the most. 0 means 4, or 8 with OneStep; negative means none. Where
	// the motion asks for more, the whole interval is halved first.
	MaxRefinement int
	// Grain is how far, in parts of its size, an element may move in one part of an
	// interval of the overlap tests; 0 means 0.02. It decides about refinement levels.
	Grain float64
	// MaxActive is how many equations may be active at once before the interval is
	// halved instead; 0 means 65536.
	MaxActive int

	// Timed fills the durations of Stats. The goroutine must be locked to its thread for
	// that.
	Timed bool
}

// declare makes the options settings by name.
func (o *Options) declare(flags *flag.FlagSet) {
	flags.BoolVar(&o.NoDynamicBVH, "no-dynamic-bvh", false, "leave out stage 1, boxes around what each link sweeps (RKLM04, section 3)")
	flags.BoolVar(&o.NoSweptCull, "no-swept", false, "leave out stage 2, swept volumes (section 4)")
	flags.Func("swept", "what stage 2 takes for a swept volume: slices, or tessellate for its surface in triangles, as the paper does (section 4); and who holds slices against the world: cpu (as slices), gpu, image for the paper's images (section 4.2.3), or auto for whichever is faster, gpu or cpu", func(s string) error {
		o.Tessellate, o.Graphics = false, ""
		switch s {
		case "slices", "cpu":
		case "tessellate":
			o.Tessellate = true
		case "gpu", "image", "auto":
			o.Graphics = s
		default:
			return fmt.Errorf("give slices, tessellate, cpu, gpu, image or auto")
		}
		return nil
	})
	flags.BoolVar(&o.NoNewton, "no-newton", false, "solve equations by halving intervals alone (section 5.2.3)")
	flags.BoolVar(&o.OneStep, "one-step", false, "go through stage 3 once for each piece of the motion, as printed")
	flags.Func("refinement", "largest refinement level of a link, 0 to 8 (section 5.1.1); 4 by default, 8 with one-step", func(s string) error {
		level, err := strconv.Atoi(s)
		if err != nil || level < 0 || level > maxLevel {
			return fmt.Errorf("give a whole number from 0 to %d", maxLevel)
		}
		if o.MaxRefinement = level; level == 0 {
			o.MaxRefinement = -1 // 0 means the default
		}
		return nil
	})
}

func (o *Options) maxRefinement() int {
	switch {
	case o.MaxRefinement == 0 && o.OneStep:
		return maxLevel
	case o.MaxRefinement == 0:
		return 4
	case o.MaxRefinement < 0:
		return 0
	}
	return min(o.MaxRefinement, maxLevel)
}

func (o *Options) grain() float64 {
	if o.Grain > 0 {
		return o.Grain
	}
	return 0.02
}

func (o *Options) maxActive() int {
	if o.MaxActive > 0 {
		return o.MaxActive
	}
	return 1 << 16
}

// Stats counts what one check did, stage by stage.
type Stats struct {
	Pairs    int // of elements that the question is about
	Steps    int // intervals of time that the stages were gone through for
	Halved   int // those given up for their halves
	PairsIn  [3]int
	PairsOut [3]int // that stage 1, 2 and 3 showed apart by boxes and volumes, summed over the steps

	BVHTests   int // box against box, in stage 1
	SweptTests int // slices of swept volumes against pieces, in stage 2

	Matrices int // matrices of elements bounded over an interval
	BoxTests int // pairs of oriented boxes over an interval (Eq. 12)
	Leaves   int // pairs of leaves that were left: elementary tests of two triangles, or convex gaps

	Equations    int // vertex/face and edge/edge equations that these made
	Intervals    int // of time, that the solver looked at
	Evaluations  int // of an equation over an interval
	Refuted      int // equations and gaps discarded for an interval
	NewtonSteps  int // Eq. 18
	NewtonCulled int // equations that it discarded
	Shortened    int // intervals that it shortened for all equations
	GapTests     int // of convex leaves over an interval
	Directions   int // searches for a direction that parts leaves
	Distances    int // of leaves at one time

	// Where Options.Timed: what the question took, and of it dynamic BVH culling, swept
	// volume culling, overlap tests of OBB trees, and the solver; of these four the thread's
	// computing time.
	Total, DynamicBVH, SweptVolume, OBBTrees, Solver time.Duration
}

// maxLevel is the largest refinement level: 256 parts.
const maxLevel = 8
