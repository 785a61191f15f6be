package ccd

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/premise"
	"github.com/firstcontact-ros/firstcontact/selfcollision/pairproof"
)

// Options of a Checker. The zero value checks every pair that neither the SRDF nor the
// defaults leave out, without padding.
type Options struct {
	// State gives positions (rad or m) by joint name for joints that a motion does not
	// name. Others take the model's default state: that of the first SRDF group state
	// that names the joint, else 0, or the middle of the range if 0 is outside it. Which
	// pairs are checked does not depend on State.
	State map[string]float64
	// Allowed lists further pairs of names (links or objects) that are not checked.
	Allowed [][2]string
	// Padding (m) is added all around every link, and where the scene pads a link by more,
	// that is; LinkPadding replaces both for the links that it names. Neither may be negative.
	Padding     float64
	LinkPadding map[string]float64
	// Proofs are proofs about the robot's pairs of links, for its joint limits and this
	// padding (pairproof.Prove, pairfile.Load); others are an error. A pair that is proved
	// never to meet is left out of a check where the proof holds: within the joint limits,
	// tube included, and at a clearance no larger than the proof's. Verdicts count such
	// pairs in ProvenPairs. Distances, profiles and certificates cover all pairs.
	Proofs *pairproof.Report
	// OnlyProven leaves out pairs of the robot's own links by Proofs alone, neither by the
	// SRDF nor by default: pairs that are proved to touch always are left out, as
	// designed that way, and counted as assumed. It needs Proofs.
	OnlyProven bool
	// SelfMethod says how distance queries find the closest of the robot's own pairs. With
	// SelfSpheres New builds the trees, which takes up to some tenths of a second; otherwise the
	// first DistanceTracker or SelfTrees does if it needs them.
	SelfMethod SelfMethod
	// Accept lists gaps that are accepted by name, as KIND or KIND:NAME (package
	// premise). A verdict with another gap is never Free.
	Accept premise.Accept
	// Cache is a folder for what is costly to compute about meshes and octrees (hulls,
	// hierarchies), by their content; empty means none. It is created if it does not
	// exist. Whatever a proof rests on is computed anew from the shapes, so no file in
	// the folder can make a motion free; damaged files and those of another version are
	// replaced. See Checker.CacheError.
	Cache string
	// Progress, if not nil, is called for each shape that New or WithWorld has compiled:
	// done of total, and the shape's file or kind. Calls for one New or WithWorld do not
	// overlap, but come from other goroutines; the robot's shapes come first, then the
	// world's.
	Progress func(done, total int, what string)
}

// DefaultCache returns the folder that the command and the node use as Options.Cache unless
// told otherwise: firstcontact in the user's cache folder, or "" for a user without one.
func DefaultCache() string {
	base, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(base, "firstcontact")
}

// ProofOptions returns the options for proofs about pairs of links (pairproof.Prove,
// pairfile.Fits) that a Checker with these options can use: the same padding and cache.
func (o Options) ProofOptions() pairproof.Options {
	return pairproof.Options{Padding: o.Padding, LinkPadding: o.LinkPadding, Shapes: pairproof.NewShapes(o.Cache, nil)}
}

// checkPadding fails on padding that no link can have. A scene that pads links by more would hide it from the model.
func (o *Options) checkPadding() error {
	valid := func(p float64) bool { return p >= 0 && p <= geom.MaxLength }
	if !valid(o.Padding) {
		return fmt.Errorf("padding %g must be zero or more metres, and at most %g", o.Padding, float64(geom.MaxLength))
	}
	for _, link := range slices.Sorted(maps.Keys(o.LinkPadding)) { // so that of several faults the same one is told
		if p := o.LinkPadding[link]; !valid(p) {
			return fmt.Errorf("padding %g of link %s must be zero or more metres, and at most %g", p, link, float64(geom.MaxLength))
		}
	}
	return nil
}

// clone returns a copy that shares nothing with o but its functions.
func (o Options) clone() Options {
	o.State, o.LinkPadding = maps.Clone(o.State), maps.Clone(o.LinkPadding)
	o.Allowed, o.Proofs = slices.Clone(o.Allowed), o.Proofs.Clone()
	o.Accept = slices.Clone(o.Accept)
	return o
}
