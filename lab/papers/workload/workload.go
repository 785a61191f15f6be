// Package workload makes the robots, worlds and motions on which the four papers
// measured their algorithms, as far as the papers describe them: the same kinds of
// things in the same sizes, of our own making, from fixed seeds.
//
// The papers' models are not used and not imitated in detail. What is kept is what
// an algorithm feels: how many links, triangles and obstacles there are, how deep
// the chains, how thin and how close the things, and how far they move. Sizes tells
// for each figure of a paper what was made of it.
//
// The command in the folder write puts them into files, for firstcontact check.
//
// Papers go by the keys of lab/docs/papers.md: RKLM04, ZRLK07, SSL04, SPHERE.
package workload

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Workload is a robot, or several in one tree, in a world, and what it is asked.
// Lengths are in metres; where a paper measures in units without a name, a unit is
// a metre.
//
// ccd.New takes Robot and World as they are: the pairs of Allowed stand in the
// robot's Semantic and in the world.
type Workload struct {
	Name, Paper, About string

	Robot *urdf.Robot
	World *scene.Snapshot // nil where there is none

	// Allowed lists the pairs of names that are not checked: neighbours in the tree,
	// which touch at their joint, and what is said in About.
	Allowed [][2]string

	Joints []string  // that move, in the robot's order: the order of configurations
	Rest   []float64 // a configuration at which the robot does not touch itself, rad and m

	// Ask is what the paper asks about a motion: yes or no, or the first contact, with
	// or without the robot against itself.
	Ask motion.Query

	// Sets are the rows of the paper's tables. Motions are those of all sets, in
	// their order.
	Sets    []Set
	Motions []*motion.Motion

	// Collide is which part of the motions collided in the paper, as the averages of
	// its Table 1 imply (all = free + part (colliding - free)); 0 where nothing does.
	Collide float64

	// Configurations are random ones, free or not, for what a paper measures at
	// single configurations; none where it does not.
	Configurations [][]float64

	// Problems are those of planning; none where the paper plans nothing.
	Problems []Problem

	// Sizes compare with the paper.
	Sizes []Size

	checker func() (*ccd.Checker, error)
}

// Set is a group of motions under one name, such as the largest angle of a step.
type Set struct {
	Name    string
	Motions []*motion.Motion
}

// Problem asks a planner for a free path between two free configurations.
type Problem struct {
	Name        string
	Start, Goal []float64 // of Joints
}

// Size is a figure that a paper gives of its models, and ours.
type Size struct {
	What  string
	Paper int
	Ours  int
}

// Off is how far ours is from the paper's, as a fraction of the paper's.
func (s Size) Off() float64 { return float64(s.Ours-s.Paper) / float64(s.Paper) }

// Options of ByName. The zero value is the workload in the paper's size.
type Options struct {
	// Scale multiplies the number of triangles; 0 means 1. Shapes stay what they
	// are, only coarser: no shape gets fewer triangles than it needs to be closed.
	Scale float64
	// Motions is how many motions each set of random ones has at most; 0 means as
	// many as the paper says, 200 where it does not say. Frames of an animation are
	// cut after as many.
	Motions int
	// GeometryOnly leaves out motions, configurations and problems, which take most
	// of the time as they are sought with the checker.
	GeometryOnly bool
}

// ByName makes the workload of that name. The same name and options always give the
// same workload: random choices come from a seed of their own, and where a
// paper keeps only motions that collide, or that do not, our default engine says
// which they are.
func ByName(name string, opts Options) (*Workload, error) {
	i := slices.IndexFunc(recipes, func(r recipe) bool { return r.name == name })
	if i < 0 {
		return nil, fmt.Errorf("there is no workload %q: known are %s", name, strings.Join(Names(), ", "))
	}
	if opts.Scale < 0 || opts.Motions < 0 {
		return nil, fmt.Errorf("workload %s: scale %g and %d motions: give positive numbers, or zero for the paper's", name, opts.Scale, opts.Motions)
	}
	if opts.Scale == 0 {
		opts.Scale = 1
	}
	w, err := recipes[i].make(opts)
	if err != nil {
		return nil, fmt.Errorf("workload %s: %w", name, err)
	}
	return w, nil
}

// Names lists the workloads, paper by paper in the order of the papers' tables.
func Names() []string {
	names := make([]string, len(recipes))
	for i := range recipes {
		names[i] = recipes[i].name
	}
	return names
}

// Paper returns the key of the paper that a workload belongs to, or "".
func Paper(name string) string {
	for i := range recipes {
		if recipes[i].name == name {
			return recipes[i].paper
		}
	}
	return ""
}

// Checker returns the default engine's checker of robot and world, the same one each
// time.
func (w *Workload) Checker() (*ccd.Checker, error) { return w.checker() }

// Set returns the motions of the named set, nil if there is none.
func (w *Workload) Set(name string) []*motion.Motion {
	for i := range w.Sets {
		if w.Sets[i].Name == name {
			return w.Sets[i].Motions
		}
	}
	return nil
}

// Triangles counts those of the robot and of the world. A shape that several
// bodies share counts once for each.
func (w *Workload) Triangles() (robot, world int) {
	for i := range w.Robot.Links {
		for _, c := range w.Robot.Links[i].Collisions {
			robot += len(c.Shape.Mesh.Triangles)
		}
	}
	if w.World != nil {
		for i := range w.World.Objects {
			world += len(w.World.Objects[i].Shape.Mesh.Triangles)
		}
	}
	return robot, world
}

// recipe is how a workload is made.
type recipe struct {
	name, paper, about string
	query              motion.Query
	collide            float64
	build              func(c *cell) // robot, world and sizes
	ask                func(a *asker) error
}

// make follows the recipe.
func (r *recipe) make(opts Options) (*Workload, error) {
	c := newCell(opts)
	r.build(c)
	w, err := c.workload(r)
	if err != nil {
		return nil, err
	}
	w.checker = sync.OnceValues(func() (*ccd.Checker, error) { return ccd.New(w.Robot, w.World, ccd.Options{}) })
	if opts.GeometryOnly {
		return w, nil
	}
	a, err := newAsker(w, opts)
	if err != nil {
		return nil, err
	}
	if err := r.ask(a); err != nil {
		return nil, err
	}
	for i := range w.Sets {
		w.Motions = append(w.Motions, w.Sets[i].Motions...)
	}
	return w, nil
}
