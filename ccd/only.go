package ccd

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/firstcontact-ros/firstcontact/motion"
)

// OnlyPair returns a Checker that checks two bodies against each other and nothing else,
// whatever the SRDF, the scene and proofs say about them. Its verdicts count no assumed
// pairs. In another world, or with other proofs, it checks all pairs again. It writes no certificates. It fails on a name that is not that of a link or object with collision geometry,
// and on two bodies that do not move against each other.
func (c *Checker) OnlyPair(a, b string) (*Checker, error) {
	named := func(name string) (int, error) {
		for i := range c.model.Bodies {
			if c.model.Bodies[i].Name == name {
				return i, nil
			}
		}
		return 0, fmt.Errorf("there is no link or object %s with collision geometry", name)
	}
	x, err := named(a)
	if err != nil {
		return nil, err
	}
	y, err := named(b)
	if err != nil {
		return nil, err
	}
	m := *c.model
	var pair [][2]int
	if p, q := &m.Bodies[x], &m.Bodies[y]; x != y && (p.Kind != motion.WorldObject || q.Kind != motion.WorldObject) {
		pair = [][2]int{{min(x, y), max(x, y)}}
	}
	m.PairOnly(pair)
	if len(m.Pairs) == 0 {
		return nil, fmt.Errorf("%s and %s are no pair: give two that can move against each other", a, b)
	}
	d := *c
	d.engine, d.proven, d.part = newEngine(&m), nil, fmt.Sprintf("the pair %s and %s alone", a, b)
	sure := d // what the defaults leave out is of other pairs; those of a checker made of this one may be all again
	sure.doubtful = nil
	d.layouts, d.premises = &atomic.Pointer[layout]{}, sync.OnceValue(sure.modelPremises)
	d.rooted = func() (engine, error) {
		return engine{}, fmt.Errorf("a single pair is checked with the root link at rest")
	}
	return &d, nil
}
