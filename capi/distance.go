package main

// #include "include/firstcontact.h"
import "C"

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// tracker measures configurations one after the other. Nobody else has it meanwhile.
type tracker struct {
	*ccd.DistanceTracker
	tolerance       float64
	noSelf, noWorld bool
	state           []float64 // of all joints
	places          []int     // in state, of those of a configuration
}

// answers reports whether the tracker answers a query.
func (g *tracker) answers(q *motion.Query) bool {
	return g != nil && g.tolerance == q.ClearanceTolerance && g.noSelf == q.NoSelf && g.noWorld == q.NoWorld
}

func (c *checker) newTracker(in *within, q *motion.Query) (*tracker, error) {
	of, err := in.DistanceTracker(motion.DistanceQuery{Tolerance: q.ClearanceTolerance, NoSelf: q.NoSelf, NoWorld: q.NoWorld})
	if err != nil {
		return nil, err
	}
	g := &tracker{DistanceTracker: of, tolerance: q.ClearanceTolerance, noSelf: q.NoSelf, noWorld: q.NoWorld}
	active, held := in.ActiveJoints(), in.State()
	at := map[string]int{}
	for i, name := range active {
		at[name] = i
		g.state = append(g.state, held[name])
	}
	for _, name := range c.joints {
		g.places = append(g.places, at[name])
	}
	return g, nil
}

//export goDistance
func goDistance(h C.uintptr_t, at *C.double, n C.size_t, q *C.fc_query, out *C.fc_distances, t *C.char, size C.size_t) C.int {
	return guard("fc_distance", text{t, size}, func() error {
		c, err := take[*checker]("checker", h)
		if err != nil {
			return err
		}
		where, err := c.configuration("at", at, n)
		if err != nil {
			return err
		}
		query, err := readQuery(q)
		if err != nil {
			return err
		}
		if out == nil {
			return errMisuse("distances is NULL")
		}
		in := c.now.Load()
		g, _ := in.trackers.Get().(*tracker)
		if !g.answers(&query) {
			if g, err = c.newTracker(in, &query); err != nil {
				return err
			}
		}
		d, err := g.measure(where)
		if err != nil {
			return err // the tracker is given up
		}
		writeDistances(out, d, in)
		in.trackers.Put(g)
		return nil
	})
}

func (g *tracker) measure(at []float64) (*motion.Distances, error) {
	for i, x := range at {
		if math.IsNaN(x) || math.Abs(x) > motion.MaxPosition {
			return nil, errPosition(i, x)
		}
		g.state[g.places[i]] = x
	}
	return g.Distance(background, g.state)
}
