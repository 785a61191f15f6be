//go:build linux

package main

import (
	"context"
	"slices"
	"time"
)

// attack is one way to fool, starve or silence the node.
type attack struct {
	name   string
	about  string
	before string // what it did to the node of September, where it is known
	short  bool   // part of the short form

	memory       int      // kB that the node may use; 0: mostMemory
	parameters   []string // of the node, besides those of every attack
	robot        *order   // of the first publisher; nil: the truth at 100 Hz
	withoutModel bool     // no description by parameter
	withoutSRDF  bool
	unknown      bool // the node cannot know where the robot is: states need only come
	lossy        bool // joint states are lost in transport, where UNKNOWN is right: COLLISION alone says where it is
	doubtful     bool // questions need not be decided meanwhile: the node is stopped, or has no model

	// setup runs when the node is up, before the robot's publisher is waited for.
	setup func(f *field) error
	// ready runs when the node knows where the robot is, before the attack.
	ready func(f *field) error
	// act attacks from this process until the context ends.
	act func(ctx context.Context, f *field) error
	// flood attacks from a process of its own.
	flood func(f *flood) error
	// alone is all of the attack, where it needs no node that runs.
	alone func(s settings, r *result)
	// end ends the node while the flood goes on.
	end func(f *field) error
}

// strangerGrace is how long a stranger has to end by itself.
const strangerGrace = callGrace + 2*time.Second

// attacks are all, in the order in which they are made.
func attacks() []*attack {
	return slices.Concat(timeAttacks(), publisherAttacks(), modelAttacks(), questionAttacks(),
		worldAttacks(), sensorAttacks(), goalAttacks(), serviceAttacks(), silenceAttacks(), transportAttacks(), fileAttacks())
}

func find(name string) *attack {
	for _, a := range attacks() {
		if a.name == name {
			return a
		}
	}
	return nil
}

// honest is what the robot's own publisher does.
var honest = order{Rate: 100}

// quiet is an attack that does nothing: what the others are held against.
func quiet() *attack {
	return &attack{name: "quiet", about: "nothing hostile: the truth at 100 Hz", short: true}
}
