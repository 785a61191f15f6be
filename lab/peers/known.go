package main

import (
	"fmt"
	"io"
	"strings"
)

// stronger is software that is known to be faster than what runs here, with a figure
// that others measured and published.
type stronger struct {
	name, what, figure, source string
	means                      string // for a reader of the tables here
}

// known are those peers. None of them runs here: their figures are other people's, from
// other machines.
var known = []stronger{
	{
		"Coal (once hpp-fcl)", "meshes and convex shapes at single configurations; grown out of FCL",
		"its own benchmark has it 5 to 15 times faster than Bullet, FCL and libccd on convex shapes", "https://github.com/coal-library/coal",
		"FCL's columns stand for what Debian ships, not for the fastest code there is: most links are nearly convex, and there samples by Coal would take a part of FCL's time",
	},
	{
		"VAMP", "spheres for the links against primitives, eight samples at a time by SIMD",
		"plans panda's problems of MotionBenchMaker in 35 us, median, on one core", "https://arxiv.org/abs/2309.14545",
		"whoever may replace links by spheres and trust samples is served faster by VAMP than by a proof on meshes",
	},
	{
		"VAMP-MR", "the same for several arms",
		"tests a motion of two or four pandas in 14 to 36 us, where FCL takes 930 to 4,837", "https://vamp-mr.github.io/vamp-mr",
		"65 to 148 times faster than FCL's samples; compare the ratios to FCL above",
	},
	{
		"cuRobo", "spheres for the links against meshes and signed distances, on a GPU",
		"generates a motion in 50 ms on the average, 60 times faster than optimizers before it", "https://arxiv.org/abs/2310.17274",
		"thousands of motions at once are a GPU's work; firstcontact runs on a core",
	},
	{
		"Sui, Sentis, Bylard", "ray-tracing hardware of a GPU: robot meshes of 24k triangles, obstacles of 190k",
		"up to 2.8 times faster at single poses than a state-of-the-art GPU method with spheres, up to 7 times for sphere robots along curves", "https://arxiv.org/abs/2409.09918",
		"meshes as large as pipes190k are checked in batches faster than here, in samples or with spheres",
	},
}

// elsewhere is what the harness's README tells of other software on the same segments,
// measured once on another machine: microseconds, free and in contact; 0 is not told.
type elsewhere struct {
	set             string
	fcl, mesh, vamp [2]float64
}

var measuredElsewhere = []elsewhere{
	{"shelf local", [2]float64{36, 21}, [2]float64{109, 10}, [2]float64{3.2, 0.4}},
	{"shelf long", [2]float64{209, 15}, [2]float64{574, 0}, [2]float64{15, 0.3}},
	{"pipes38k", [2]float64{77, 28}, [2]float64{178, 0}, [2]float64{3.0, 0.3}},
	{"pipes190k", [2]float64{116, 28}, [2]float64{242, 0}, [2]float64{4.0, 0.7}},
}

// writeKnown prints the stronger peers, and how far ahead of us the sphere checker is
// by way of FCL, which ran on both machines.
func writeKnown(out io.Writer, all []*outcome) {
	fmt.Fprint(out, "\nKnown to be faster, and not run here\n\n| software | what it does | what its authors measured | source | what that means |\n"+strings.Repeat("|---", 5)+"|\n")
	for _, k := range known {
		fmt.Fprintf(out, "| %s | %s | %s | %s | %s |\n", k.name, k.what, k.figure, k.source, k.means)
	}
	fmt.Fprint(out, "\nBy way of FCL (its time at 0.05 rad on both machines, OBBRSS trees): what others take by what FCL takes, there, and what `free` takes by what FCL takes, here; medians\n\n"+
		"| set | best mesh library at 0.01 rad by FCL, free | VAMP by FCL, free, contact | `free` by FCL, free, contact | `free` by VAMP, free, contact |\n"+strings.Repeat("|---", 5)+"|\n")
	for _, e := range measuredElsewhere {
		for _, r := range all {
			if r.set != e.set {
				continue
			}
			var theirs, ours [2]float64
			for i, status := range []string{free, contact} {
				theirs[i] = e.vamp[i] / e.fcl[i]
				ours[i] = r.columnsOf(ourFree, status).Median / r.columnsOf(fclCoarse, status).Median
			}
			fmt.Fprintf(out, "| %s | %.2f | %.3f, %.3f | %.2f, %.2f | %.1f, %.0f |\n", e.set, e.mesh[0]/e.fcl[0], theirs[0], theirs[1], ours[0], ours[1], ours[0]/theirs[0], ours[1]/theirs[1])
		}
	}
}
