// Package ccd proves a robot's motion free of collision, or tells when and
// where it first touches: over the whole continuous motion, against the world
// and against itself.
package ccd

import (
	"context"
	"errors"

	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// The vocabulary of package motion, so that users need only import ccd.
type (
	Motion  = motion.Motion
	Query   = motion.Query
	Verdict = motion.Verdict
	Status  = motion.Status
)

// Options of a Checker; the zero value is the documented default.
type Options struct {
	// State gives positions (rad, m) by joint name for joints that a motion does
	// not name. Others take the default: an SRDF group state, else the middle of
	// the range if 0 is outside it, else 0.
	State map[string]float64
	// Allowed lists further pairs of names (link or object) not to be checked.
	Allowed [][2]string
	// Padding in metres added around every link, and by link name.
	Padding     float64
	LinkPadding map[string]float64
}

// Checker checks motions of one robot in one world. It is immutable and may be
// used by any number of goroutines at once.
type Checker struct {
	robot *urdf.Robot
	world *scene.Snapshot
}

// New builds the hierarchies and decides which pairs are checked. A nil world
// is an empty one.
func New(robot *urdf.Robot, world *scene.Snapshot, opts Options) (*Checker, error) {
	return nil, errors.New("not built yet")
}

// WithWorld returns a Checker of the same robot in another world, sharing what
// does not depend on the world.
func (c *Checker) WithWorld(world *scene.Snapshot) (*Checker, error) {
	return nil, errors.New("not built yet")
}

// Check answers q about m. Bad input (an unknown joint, a NaN, a jump) is an
// error and never a verdict; a cancelled context or a spent budget is a verdict
// Undecided.
func (c *Checker) Check(ctx context.Context, m *Motion, q Query) (Verdict, error) {
	return Verdict{}, errors.New("not built yet")
}

// PairDistance is the distance of one pair of bodies at one configuration.
type PairDistance struct {
	motion.Witness                 // Distance is the upper bound; Time is 0
	Bounds         motion.Interval // m: the true distance lies within
}

// DistanceQuery asks how close a configuration is. The zero value asks for the
// closest pair, self and world.
type DistanceQuery struct {
	K               int     // closest pairs wanted; 0 means 1, negative all
	Max             float64 // m: pairs farther apart are left out; 0 means no limit
	NoSelf, NoWorld bool
}

// Distances is the answer to a DistanceQuery: pairs sorted by lower bound.
type Distances struct {
	Pairs []PairDistance
	// Self and World bound the smallest distance of either class (m): +Inf to
	// +Inf where the class has no pair, Max to +Inf where all are beyond Max.
	Self, World motion.Interval
}

// Distance bounds the distances of the closest pairs at the configuration
// given by joint name (rad, m); joints not named keep the Checker's state.
func (c *Checker) Distance(ctx context.Context, positions map[string]float64, q DistanceQuery) (Distances, error) {
	return Distances{}, errors.New("not built yet")
}

// AssumedPairs lists the pairs of bodies that are not checked on the user's
// word or by default, not by proof, with the reason of each.
func (c *Checker) AssumedPairs() []AssumedPair { return nil }

// AssumedPair is a pair left out of every check, and why.
type AssumedPair struct {
	A, B   string
	Reason string // "adjacent", "touch at the default state", "srdf: ...", "scene", "option"
}

// ActiveJoints lists the joints that a motion may name, in the robot's order
// (not fixed, not mimic).
func (c *Checker) ActiveJoints() []string { return nil }
