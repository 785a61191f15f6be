// Command mbm has fcl_oracle judge the straight segments from start to goal of
// the MotionBenchMaker problem files: one line per problem on standard output,
//
//	robot set index  both STATUS T LINK OTHER  world STATUS T LINK OTHER  self STATUS T LINK OTHER
//
// STATUS is free or hit, T the part of the segment (0 to 1) where the first
// sample touches, LINK OTHER a pair that touches there; "- - -" where free.
// Self pairs are those that the robot's SRDF leaves enabled. Counts and times
// go to standard error.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/firstcontact-ros/firstcontact/lab/benchmaker"
	"github.com/firstcontact-ros/firstcontact/lab/oracle"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "mbm:", err)
		os.Exit(1)
	}
}

func run() error {
	data := flag.String("data", "../../shared", "folder that holds robots/ and scenes/motionbenchmaker/")
	robots := flag.String("robots", "panda,ur5,baxter", "robots, with commas between")
	samples := flag.Int("samples", 200, "configurations per segment, both ends included")
	share := flag.Float64("share", 1, "part of the problems, chosen by -seed")
	seed := flag.Uint64("seed", 1, "seed of the choice")
	ends := flag.Bool("ends", false, "check starts and goals instead, listing every pair that touches and how deep, in metres")
	facets := flag.Int("facets", 0, "make primitives meshes with so many facets (0: exact)")
	adjacent := flag.Bool("adjacent", false, "leave out the links that a joint connects, besides the SRDF's pairs; marks the robot with +adjacent")
	flag.Parse()

	binary, err := oracle.Build()
	if err != nil {
		return err
	}
	o, err := oracle.Start(binary)
	if err != nil {
		return err
	}
	defer o.Close()
	if err := errors.Join(o.Solid(true), o.Facets(*facets)); err != nil {
		return err
	}

	out := bufio.NewWriter(os.Stdout)
	b := batch{oracle: o, data: *data, adjacent: *adjacent, log: os.Stderr}
	b.keep = func(p *benchmaker.Problem) bool { return chosen(p, *seed, *share) }
	b.judge = func(p *benchmaker.Problem) (tally, error) { return segments(o, out, p, *samples) }
	if *ends {
		b.judge = func(p *benchmaker.Problem) (tally, error) { return endPoints(o, out, p) }
	}
	for _, robot := range strings.Split(*robots, ",") {
		if err := b.robot(robot); err != nil {
			return errors.Join(fmt.Errorf("%s: %w", robot, err), out.Flush())
		}
	}
	return out.Flush()
}
