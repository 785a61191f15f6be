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
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/firstcontact-ros/firstcontact/bench/oracle"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "mbm:", err)
		os.Exit(1)
	}
}

func run() error {
	data := flag.String("data", "../shared", "folder that holds robots/ and scenes/motionbenchmaker/")
	robots := flag.String("robots", "panda,ur5,baxter", "robots, with commas between")
	samples := flag.Int("samples", 200, "configurations per segment, both ends included")
	share := flag.Float64("share", 1, "part of the problems, chosen by -seed")
	seed := flag.Uint64("seed", 1, "seed of the choice")
	ends := flag.Bool("ends", false, "check starts and goals instead, listing every pair that touches")
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
	judge := func(p problem) (tally, error) { return segments(o, out, p, *samples) }
	if *ends {
		judge = func(p problem) (tally, error) { return endPoints(o, out, p) }
	}
	keep := func(p problem) bool { return chosen(p, *seed, *share) }
	for _, robot := range strings.Split(*robots, ",") {
		if err := each(o, *data, robot, *adjacent, keep, judge); err != nil {
			return errors.Join(fmt.Errorf("%s: %w", robot, err), out.Flush())
		}
	}
	return out.Flush()
}

// The problem files.

type file struct {
	URDF   string
	Joints []string
	Sets   map[string][]problem
}

type problem struct {
	robot, set string

	Index       int
	Start, Goal []float64
	Others      map[string]float64 `json:"other_joints"`
	Objects     []object
}

type object struct {
	ID, Type       string
	XYZ            [3]float64
	Quat           [4]float64 `json:"quat_xyzw"`
	Size           []float64
	Length, Radius float64
}

func (ob object) forOracle() oracle.Object {
	size := ob.Size
	switch ob.Type {
	case "cylinder":
		size = []float64{ob.Length, ob.Radius}
	case "sphere":
		size = []float64{ob.Radius}
	}
	return oracle.Object{ID: ob.ID, Type: ob.Type, Position: ob.XYZ, Rotation: ob.Quat, Size: size}
}

// each loads a robot and judges its problems, set by set, in order.
func each(o *oracle.Oracle, data, robot string, adjacent bool, keep func(problem) bool, judge func(problem) (tally, error)) error {
	text, err := os.ReadFile(filepath.Join(data, "scenes", "motionbenchmaker", robot+".json"))
	if err != nil {
		return err
	}
	var f file
	if err := json.Unmarshal(text, &f); err != nil {
		return err
	}
	urdf := filepath.Join(data, f.URDF)
	if _, err := o.Robot(urdf, ""); err != nil {
		return err
	}
	if _, _, err := o.SRDF(strings.TrimSuffix(urdf, ".urdf") + ".srdf"); err != nil {
		return err
	}
	if adjacent {
		if err := o.Adjacent(); err != nil {
			return err
		}
	}
	if err := o.Joints(f.Joints...); err != nil {
		return err
	}
	_, movable, err := o.Model()
	if err != nil {
		return err
	}

	for _, set := range sortedKeys(f.Sets) {
		began := time.Now()
		var sum tally
		for _, p := range f.Sets[set] {
			p.robot, p.set = robot, set
			if !keep(p) {
				continue
			}
			if err := arrange(o, p, movable); err != nil {
				return fmt.Errorf("%s %d: %w", set, p.Index, err)
			}
			if adjacent {
				p.robot += "+adjacent"
			}
			one, err := judge(p)
			if err != nil {
				return fmt.Errorf("%s %d: %w", set, p.Index, err)
			}
			sum.add(one)
		}
		fmt.Fprintf(os.Stderr, "%-7s %-17s %s  %.1f s\n", robot, set, sum, time.Since(began).Seconds())
	}
	return nil
}

// chosen tells whether a problem belongs to the share: the same answer for the
// same seed, whatever else is judged.
func chosen(p problem, seed uint64, share float64) bool {
	h := fnv.New64a()
	fmt.Fprintln(h, seed, p.robot, p.set, p.Index)
	return rand.New(rand.NewPCG(h.Sum64(), seed)).Float64() < share
}

// arrange puts a problem's objects and held joints in place. The files name
// joints that our URDF fixes or lacks; these mean nothing here.
func arrange(o *oracle.Oracle, p problem, movable []string) error {
	if err := errors.Join(o.ClearObjects(), o.ClearHolds()); err != nil {
		return err
	}
	for _, joint := range sortedKeys(p.Others) {
		if !slices.Contains(movable, joint) {
			continue
		}
		if err := o.Hold(joint, p.Others[joint]); err != nil {
			return err
		}
	}
	for _, ob := range p.Objects {
		if err := o.AddObject(ob.forOracle()); err != nil {
			return err
		}
	}
	return nil
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// tally counts problems and those that touch.
type tally struct{ problems, both, world, self int }

func (t *tally) add(u tally) {
	t.problems += u.problems
	t.both += u.both
	t.world += u.world
	t.self += u.self
}

// String reads "100 problems: 40 touch, 38 the world, 5 self".
func (t tally) String() string {
	return fmt.Sprintf("%4d problems: %4d touch, %4d the world, %4d self", t.problems, t.both, t.world, t.self)
}

// segments judges start to goal against the world and against the robot itself.
func segments(o *oracle.Oracle, out io.Writer, p problem, n int) (tally, error) {
	world, err := o.Segment(n, oracle.World, p.Start, p.Goal)
	if err != nil {
		return tally{}, err
	}
	self, err := o.Segment(n, oracle.Self, p.Start, p.Goal)
	if err != nil {
		return tally{}, err
	}
	fmt.Fprintf(out, "%s %s %d  both %s  world %s  self %s\n", p.robot, p.set, p.Index,
		show(earlier(world, self)), show(world), show(self))
	return tally{1, count(world.Hit || self.Hit), count(world.Hit), count(self.Hit)}, nil
}

func earlier(a, b oracle.SegmentResult) oracle.SegmentResult {
	if !a.Hit || (b.Hit && b.Time < a.Time) {
		return b
	}
	return a
}

func show(r oracle.SegmentResult) string {
	if !r.Hit {
		return "free - - -"
	}
	return fmt.Sprintf("hit %.9f %s %s", r.Time, r.Pairs[0].A, r.Pairs[0].B)
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// endPoints lists the pairs that touch at a problem's start and goal.
func endPoints(o *oracle.Oracle, out io.Writer, p problem) (tally, error) {
	sum := tally{problems: 1}
	for i, q := range [][]float64{p.Start, p.Goal} {
		name := []string{"start", "goal"}[i]
		for _, scope := range []oracle.Scope{oracle.World, oracle.Self} {
			pairs, err := o.Pose(scope, q)
			if err != nil {
				return tally{}, err
			}
			for _, pair := range pairs {
				fmt.Fprintf(out, "%s %s %d %s %s %s %s\n", p.robot, p.set, p.Index, name, scope, pair.A, pair.B)
			}
			switch {
			case len(pairs) == 0:
			case scope == oracle.World:
				sum.world++
			default:
				sum.self++
			}
			sum.both += count(len(pairs) > 0)
		}
	}
	return sum, nil
}
