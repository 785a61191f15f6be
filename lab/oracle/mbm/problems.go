package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/firstcontact-ros/firstcontact/lab/oracle"
)

// file is a problem file.
type file struct {
	URDF   string
	Joints []string
	Sets   map[string][]problem
}

// problem is a start and a goal among objects.
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

// batch judges the chosen problems of one robot after another.
type batch struct {
	oracle   *oracle.Oracle
	data     string // the folder of -data
	adjacent bool   // leave out links that a joint connects
	keep     func(problem) bool
	judge    func(problem) (tally, error)
	log      io.Writer // counts and times, a line per set
}

// robot judges a robot's problems, set by set, in order.
func (b batch) robot(name string) error {
	f, err := b.load(name)
	if err != nil {
		return err
	}
	_, movable, err := b.oracle.Model()
	if err != nil {
		return err
	}
	for _, set := range sortedKeys(f.Sets) {
		began := time.Now()
		var sum tally
		for _, p := range f.Sets[set] {
			p.robot, p.set = name, set
			if !b.keep(p) {
				continue
			}
			one, err := b.problem(p, movable)
			if err != nil {
				return fmt.Errorf("%s %d: %w", set, p.Index, err)
			}
			sum.add(one)
		}
		fmt.Fprintf(b.log, "%-7s %-31s %s  %.1f s\n", name, set, sum, time.Since(began).Seconds())
	}
	return nil
}

func (b batch) problem(p problem, movable []string) (tally, error) {
	if err := arrange(b.oracle, p, movable); err != nil {
		return tally{}, err
	}
	if b.adjacent {
		p.robot += "+adjacent"
	}
	return b.judge(p)
}

// load reads a robot's problem file and has the oracle load the robot.
func (b batch) load(name string) (f file, err error) {
	text, err := os.ReadFile(filepath.Join(b.data, "scenes", "motionbenchmaker", name+".json"))
	if err != nil {
		return f, err
	}
	if err := json.Unmarshal(text, &f); err != nil {
		return f, err
	}
	urdf := filepath.Join(b.data, f.URDF)
	if _, err := b.oracle.Robot(urdf, ""); err != nil {
		return f, err
	}
	if _, _, err := b.oracle.SRDF(strings.TrimSuffix(urdf, ".urdf") + ".srdf"); err != nil {
		return f, err
	}
	if b.adjacent {
		if err := b.oracle.Adjacent(); err != nil {
			return f, err
		}
	}
	return f, b.oracle.Joints(f.Joints...)
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
