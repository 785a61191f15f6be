package main

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/firstcontact-ros/firstcontact/lab/benchmaker"
	"github.com/firstcontact-ros/firstcontact/lab/oracle"
)

// batch judges the chosen problems of one robot after another.
type batch struct {
	oracle   *oracle.Oracle
	data     string // the folder of -data
	adjacent bool   // leave out links that a joint connects
	keep     func(*benchmaker.Problem) bool
	judge    func(*benchmaker.Problem) (tally, error)
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
	for _, set := range slices.Sorted(maps.Keys(f.Sets)) {
		began := time.Now()
		var sum tally
		for i := range f.Sets[set] {
			p := &f.Sets[set][i]
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

func (b batch) problem(p *benchmaker.Problem, movable []string) (tally, error) {
	if err := arrange(b.oracle, p, movable); err != nil {
		return tally{}, err
	}
	if b.adjacent {
		marked := *p
		marked.Robot += "+adjacent"
		p = &marked
	}
	return b.judge(p)
}

// load reads a robot's problem file and has the oracle load the robot.
func (b batch) load(name string) (*benchmaker.File, error) {
	f, err := benchmaker.Load(b.data, name)
	if err != nil {
		return nil, err
	}
	if _, err := b.oracle.Robot(f.URDF, ""); err != nil {
		return nil, err
	}
	if _, _, err := b.oracle.SRDF(f.SRDF); err != nil {
		return nil, err
	}
	if b.adjacent {
		if err := b.oracle.Adjacent(); err != nil {
			return nil, err
		}
	}
	return f, b.oracle.Joints(f.Joints...)
}

// chosen tells whether a problem belongs to the share: the same answer for the
// same seed, whatever else is judged.
func chosen(p *benchmaker.Problem, seed uint64, share float64) bool {
	h := fnv.New64a()
	fmt.Fprintln(h, seed, p.Robot, p.Set, p.Index)
	return rand.New(rand.NewPCG(h.Sum64(), seed)).Float64() < share
}

// arrange puts a problem's objects and held joints in place. The files name
// joints that our URDF fixes or lacks; these mean nothing here.
func arrange(o *oracle.Oracle, p *benchmaker.Problem, movable []string) error {
	if err := errors.Join(o.ClearObjects(), o.ClearHolds()); err != nil {
		return err
	}
	for _, joint := range slices.Sorted(maps.Keys(p.Others)) {
		if !slices.Contains(movable, joint) {
			continue
		}
		if err := o.Hold(joint, p.Others[joint]); err != nil {
			return err
		}
	}
	for _, ob := range p.Objects {
		err := o.AddObject(oracle.Object{ID: ob.ID, Type: ob.Type, Position: ob.XYZ, Rotation: ob.Quat, Size: ob.Dimensions()})
		if err != nil {
			return err
		}
	}
	return nil
}
