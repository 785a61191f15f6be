package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/firstcontact-ros/firstcontact/internal/base/outfile"
	"github.com/firstcontact-ros/firstcontact/lab/papers"
)

func all(*run) bool { return true }

// tables are the page's tables in Markdown.
func tables(runs []run) string {
	var b strings.Builder
	b.WriteString("## Planners\n\n" + rowHeads)
	for _, p := range planners {
		for _, c := range checkers {
			row(&b, runs, p.name, p, c, all)
		}
	}
	b.WriteString(depths(runs))
	b.WriteString("\n## RRTConnect, robot by robot\n\n" + rowHeads)
	for _, robot := range robotsOf(runs) {
		for _, c := range checkers {
			row(&b, runs, "RRTConnect, "+robot, planners[0], c, func(r *run) bool { return robotOf(r) == robot })
		}
	}
	sets(&b, runs)
	asked(&b, runs)
	return b.String()
}

const rowHeads = "| planner | motions judged by | solved | planning, median | mean | simplifying, mean | both, of FCL 0.05 | length, rad | simplified | in collision | simplified, in collision |\n" +
	"|---|---|---|---|---|---|---|---|---|---|---|\n"

// row is what runs of a planner with a checker came to, of those that keep says.
func row(b *strings.Builder, runs []run, label string, p planner, checker string, keep func(*run) bool) {
	s := sumOf(runs, p.name, checker, keep)
	if s.runs == 0 {
		return
	}
	fmt.Fprintf(b, "| %s | %s | %d of %d | ", label, checkerName(checker), s.solved, s.runs)
	if p.anytime {
		b.WriteString("all | all | ")
	} else {
		fmt.Fprintf(b, "%s | %s | ", ms(s.median()), ms(s.mean()))
	}
	if s.solved == 0 {
		b.WriteString("- | - | - | - | - | - |\n")
		return
	}
	n := float64(s.solved)
	fmt.Fprintf(b, "%s | %s | %.1f | %.1f | %s | %s |\n", ms(s.simplify/n), s.ratio(p.anytime), s.length/n, s.short/n, s.found.of(s.solved), s.final.of(s.solved))
}

// sets compares the checkers set by set.
func sets(b *strings.Builder, runs []run) {
	b.WriteString("\n## RRTConnect, set by set\n\nTime of planning and simplifying, as a part of what it takes with FCL at 0.05 rad, where both found a path; in brackets final paths in collision.\n\n| set | problems |")
	for _, c := range checkers {
		fmt.Fprintf(b, " %s |", checkerName(c))
	}
	b.WriteString("\n|---|---|" + strings.Repeat("---|", len(checkers)) + "\n")
	for _, set := range setsOf(runs) {
		of := func(r *run) bool { return setOf(r) == set }
		planned := sumOf(runs, "RRTConnect", "proof", of)
		fmt.Fprintf(b, "| %s | %d |", set, planned.runs)
		for _, c := range checkers {
			s := sumOf(runs, "RRTConnect", c, of)
			fmt.Fprintf(b, " %s (%d of %d) |", s.ratio(false), max(s.final.sampled, s.final.proved), s.solved)
		}
		b.WriteString("\n")
	}
}

// asked tells what planners ask their checkers, and what an answer costs.
func asked(b *strings.Builder, runs []run) {
	b.WriteString("\n## What planners ask\n\nOf planning, without simplifying. Known: the motion starts where one was asked about before. Samples: configurations that were judged, for each motion. " +
		"States: configurations that the planner asks about by themselves.\n\n")
	b.WriteString("| planner | motions judged by | motions | free | length of a free one, rad | of another | us for a free one | for another | samples | known | states | us for a free one | for another | checker's part of the time |\n")
	b.WriteString("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n")
	for _, p := range planners {
		for _, c := range checkers {
			askedRow(b, p.name, c, sumOf(runs, p.name, c, all))
		}
	}
	for _, robot := range robotsOf(runs) {
		for _, c := range checkers {
			askedRow(b, "RRTConnect, "+robot, c, sumOf(runs, "RRTConnect", c, func(r *run) bool { return robotOf(r) == robot }))
		}
	}
}

func askedRow(b *strings.Builder, label, checker string, s sum) {
	if s.runs == 0 {
		return
	}
	t, n := &s.asked, float64(max(1, s.asked.Free+s.asked.Hit))
	fmt.Fprintf(b, "| %s | %s | %d | %.0f %% | %.2f | %.2f | %.0f | %.0f | %.1f | %.0f %% | %d | %.0f | %.0f | %.0f %% |\n", label, checkerName(checker), t.Free+t.Hit, 100*float64(t.Free)/n,
		each(t.FreeLength, t.Free), each(t.HitLength, t.Hit), 1e6*each(t.FreeTime, t.Free), 1e6*each(t.HitTime, t.Hit), float64(t.States)/n,
		100*float64(t.Known)/n, t.FreeStates+t.HitStates, 1e6*each(t.FreeStateTime, t.FreeStates), 1e6*each(t.HitStateTime, t.HitStates),
		100*(t.FreeTime+t.HitTime+t.FreeStateTime+t.HitStateTime)/(s.mean()*float64(s.runs)))
}

// depths says for how long the paths are in collision that samples accepted.
func depths(runs []run) string {
	var long []float64
	for i := range runs {
		if r := &runs[i]; r.Solved && r.Kept && r.Final.Hits > 0 {
			long = append(long, float64(r.Final.Hits)*r.Dense)
		}
	}
	if len(long) == 0 {
		return ""
	}
	slices.Sort(long)
	return fmt.Sprintf("\nNoticed: the simplifier's own check at the end tells, at the same resolution, that the path is not free any more: a part of a motion has other samples than the whole.\n"+
		"The other %d simplified paths in collision are so for %.3f rad of their length in the median, %.3f at most.\n", len(long), long[len(long)/2], long[len(long)-1])
}

func each(sum float64, n int) float64 { return sum / float64(max(1, n)) }

func ms(seconds float64) string {
	switch {
	case seconds >= 1:
		return fmt.Sprintf("%.2f s", seconds)
	case seconds >= 0.1:
		return fmt.Sprintf("%.0f ms", 1e3*seconds)
	}
	return fmt.Sprintf("%.1f ms", 1e3*seconds)
}

// ratio is the time of planning and simplifying in parts of fcl05's; planners that take all their time have none.
func (s *sum) ratio(anytime bool) string {
	if anytime || s.comparedRuns == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f", s.compared/s.base)
}

// of tells how many of n paths are in collision, and where samples and proofs differ, what each says.
func (w *worth) of(n int) string {
	out := fmt.Sprintf("%d of %d", w.proved, n)
	if w.sampled != w.proved {
		out += fmt.Sprintf(" (%d by samples)", w.sampled)
	}
	if w.noticed > 0 {
		out += fmt.Sprintf(", %d noticed", w.noticed)
	}
	if w.undecided > 0 {
		out += fmt.Sprintf(", %d undecided", w.undecided)
	}
	return out
}

// robotOf is the robot of a run's problem.
func robotOf(r *run) string {
	robot, _, _ := strings.Cut(r.Problem, " ")
	return robot
}

func robotsOf(runs []run) (robots []string) {
	for i := range runs {
		if robot := robotOf(&runs[i]); !slices.Contains(robots, robot) {
			robots = append(robots, robot)
		}
	}
	return robots
}

// setOf is the robot and the set of a run's problem.
func setOf(r *run) string { return r.Problem[:strings.LastIndexByte(r.Problem, ' ')] }

func setsOf(runs []run) (sets []string) {
	for i := range runs {
		if set := setOf(&runs[i]); !slices.Contains(sets, set) {
			sets = append(sets, set)
		}
	}
	slices.Sort(sets)
	return sets
}

// chart is how many of RRTConnect's runs are solved after a time.
func chart(runs []run) papers.Chart {
	c := papers.Chart{Name: "rrtconnect", Title: "RRTConnect: paths found and simplified within a time", X: "s", Y: "part of the runs", LogX: true, Steps: true}
	for _, checker := range checkers {
		var times []float64
		n := 0
		for i := range runs {
			if r := &runs[i]; r.Planner == "RRTConnect" && r.Checker == checker && !r.Touches {
				n++
				if r.Solved {
					times = append(times, r.Plan+r.Simplify)
				}
			}
		}
		slices.Sort(times)
		s := papers.Series{Name: checkerName(checker)}
		for i, t := range times {
			s.X, s.Y = append(s.X, t), append(s.Y, float64(i+1)/float64(n))
		}
		c.Series = append(c.Series, s)
	}
	return c
}

const about = `# What planners gain by proofs

    make planners %s

plans problems of MotionBenchMaker with planners of OMPL (1.5.2) whose motions are judged by samples of FCL (0.7.0) or by proofs
([firstcontact_ompl.hpp](../../capi/include/firstcontact_ompl.hpp)), and simplifies the paths with OMPL's ` + "`PathSimplifier`" + `. Everything else is the same: space, seeds, settings of the planners,
geometry, allowed pairs.

- FCL gets trees of OBBs for the links' meshes and exact primitives for the world, boxes around both computed once for each configuration, and stops at the first pair that touches. OMPL's default resolution is 0.01 of
  the extent of the space: %s.
  The resolutions of 0.05 and 0.01 rad are distances of OMPL's, of all joints together.
- Each path is judged as it was found and as it was simplified: by a proof of the whole path, and by FCL every %g rad, with a tolerance of 1e-12 m. Every fiftieth of these samples is also judged by [the oracle](../oracle/README.md).
- Times are those that the process computed, Go's collector included, in one thread. RRTConnect has %g s to find a path, for Baxter %g s, KPIECE1 %g s; what they do not find counts with that time. PRM* and BIT* make their paths better for %g s.
- Baxter plans with both arms, 14 joints. Five pairs of its links that touch as designed are allowed ([measurements.md](measurements.md#planning-problems-solved-and-proved)). RRTConnect's motions are at most 0.5 rad long for it:
  at OMPL's default, a fifth of the extent of the space, it finds hardly any path within seconds, with any checker.
- Measured: %s. The machine was shared with other work, so that times differ by a tenth or so from run to run; ratios are within one run, where the checkers take turns on each problem.

`

const why = `
## Where a proof costs more, and why

A free motion is proved on one or a few intervals of time, for a seventh of what its samples at 0.05 rad cost or less, and for less than those at OMPL's default, and no resolution has to be chosen. A motion in collision is another matter. FCL tests its end first, then
halves; a random motion of RRTConnect collides for so large a part of its length that two or three samples show it, at any resolution, each ended by the first triangles that overlap. A proof's search looks at much the same times
(van der Corput's) and tries to prove on the way what it can, in vain where a contact follows. So proofs gain most where motions are long and free or almost (PRM*, BIT*, simplifying) and where links have many triangles (ur5's gripper).
They lose to samples against a resolution that lets paths in collision pass, and where a planner asks about little else than what collides at once:

- Single configurations. RRTConnect asks for one with each motion of its second tree. A free one takes three quarters of FCL's time for panda, less than half for ur5, a seventh more for Baxter; one in collision a sixth more for panda, less for ur5, and nearly twice as long for Baxter,
  because the search for a proof comes before the search for a witness. To look for a witness first took about as much from free ones as it saved. Baxter shows it most: its goals lie in a shelf, the steps are short, and most of the questions
  are about single configurations in contact, while a motion of half a radian has but a few samples.
- Links that are close by design. Neither hulls nor tables of pairs prove ur5's base and upper arm apart on many a long motion, nor its forearm and its wrist: parts of them are looked at on ten intervals and more. A free motion of 1.8 rad takes 76 us there and one of 1.6 rad 7 us for panda
  (FCL's samples at OMPL's default 271 and 46).
- KPIECE1 asks how far each motion is free (` + "`lastValid`" + `): a time before the first contact, which costs several times a yes or no; samples answer with the last one that was free. To a hundredth of the motion, as the validator asks, it takes a fifth
  less than to a millionth.
- To test the end of each motion before it is proved, as FCL's validator does, made planning slower by a fifth: the search finds such contacts soon enough.

What a checker could keep between calls:

- Where a motion starts was mostly asked about before (the column "known"). Distances there, with bounds of how far links move, would prove the first part of each motion from there, which is one interval of several. The engine does not
  take them yet.
- The pair that was in contact last, tried first at the middle or the end of the next motion: it would not help. On what RRTConnect asked in four problems (panda cage and box, ur5 bookshelf_small, baxter easy: 20,989 motions), the next contact
  was of the same pair in 9, 33, 11 and 2 % of the motions in contact, because the two trees grow in turns at different places; asking for it first (` + "`ccd.Checker.OnlyPair`" + `) found 1 to 33 % of the contacts and made all answers slower by 8 to 39 %. It is not kept.
- What was proved of a motion that is asked about again, as a part of a path: ` + "`ccd.Checker.Path`" + ` keeps it in Go (lab/planners/lazyprm). The library for C has no such call; OMPL's planners would need one of their own to gain by it.
`

// writePage writes the page, and its picture into a folder beside it.
func writePage(page string, p *plan, tables string) error {
	folder := strings.TrimSuffix(page, filepath.Ext(page))
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	c := chart(p.done)
	if err := c.Draw(folder); err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, about, p.switches(), extents(p.done), p.dense, p.seconds, 3*p.seconds, 3*p.seconds, p.anytime, p.subset())
	planners, rest, _ := strings.Cut(tables, "\n## RRTConnect, robot")
	fmt.Fprintf(&b, "%s\n![%s](%s/%s.svg)\n\n## RRTConnect, robot%s%s", planners, c.Title, filepath.Base(folder), c.Name, rest, why)
	return outfile.Write(page, outfile.Text([]byte(b.String())))
}

func (p *plan) switches() string {
	return fmt.Sprintf("PROBLEMS=%d SEEDS=%d OTHERS=%d SECONDS=%g PAGE=lab/docs/planners.md", p.problems, p.seeds, p.others, p.seconds)
}

// subset says which of the problems were planned.
func (p *plan) subset() string {
	problems, others, touching := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for i := range p.done {
		r := &p.done[i]
		problems[r.Problem] = true
		if r.Planner != "RRTConnect" {
			others[r.Problem] = true
		}
		if r.Touches {
			touching[r.Problem] = true
		}
	}
	out := fmt.Sprintf("%d of 1,300 problems for RRTConnect (seeds: %d), %d of each of the %d sets, and %d of each for the others, spread evenly",
		len(problems), p.seeds, p.problems, len(setsOf(p.done)), p.others)
	if len(touching) > 0 {
		out += fmt.Sprintf(". In %d of these the goal is in contact by itself: they are left out below", len(touching))
	}
	return out
}

// extents tells OMPL's default resolution for each robot.
func extents(runs []run) string {
	var out []string
	for i := range runs {
		if text := fmt.Sprintf("%.3f rad for %s", runs[i].Step, robotOf(&runs[i])); runs[i].Checker == "default" && !runs[i].Touches && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return strings.Join(out, ", ")
}
