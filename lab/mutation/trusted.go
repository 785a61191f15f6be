package main

import (
	"slices"
	"strings"
)

// trustedFile is a file in which an error can make a verdict, a distance or a
// certificate wrong.
type trustedFile struct {
	path   string   // from the module's root
	why    string   // what rests on it
	judges []string // what must notice a change: packages, or PACKAGE -run=TESTS or -skip=TESTS, asked in this order
}

// place is a package with trusted files.
type placed struct {
	dir    string
	judges []string
	files  [][2]string // name and reason
}

// trusted lists the trusted files.
var trusted = func() []trustedFile {
	var all []trustedFile
	for _, p := range places {
		for _, f := range p.files {
			all = append(all, trustedFile{p.dir + "/" + f[0], f[1], p.judges})
		}
	}
	return all
}()

// slowSearch matches the tests of the search that take seconds.
const slowSearch = "RandomRobots|RulesOnRandomChains|OnSlivers|HalfSpacesAgainst"

// wholeMotions matches the tests of the checker that judge motions from end to end.
const wholeMotions = "Root|Tube|Turn|ShortWay|Jump|Path|Scope|Shared|Inside|Outside|Near|Grazing|ThereAndBack"

var places = []placed{
	{"internal/numeric/interval", []string{"internal/numeric/interval", "internal/numeric/taylor", "internal/engine/articulate"}, [][2]string{
		{"interval.go", "outward rounding: a bound that an end misses is false"},
		{"space.go", "intervals of vectors, matrices and poses"},
		{"turn.go", "sine and cosine of an interval"},
	}},
	{"internal/numeric/taylor", []string{"internal/numeric/taylor", "internal/engine/catch"}, [][2]string{
		{"bound.go", "range of a Taylor model"},
		{"curve.go", "a joint's motion as a Taylor model"},
		{"model.go", "sums and scales with their remainders"},
		{"product.go", "products with their remainders"},
		{"space.go", "vectors, matrices and poses"},
		{"turn.go", "sine and cosine with their remainders"},
	}},
	{"internal/engine/kin", []string{"internal/engine/kin", "internal/engine/spacetime -skip=" + slowSearch, "ccd -run=" + wholeMotions}, [][2]string{
		{"bounds.go", "bounds of displacement, acceleration and jerk of a link's points"},
		{"state.go", "poses, twists, chords and their rounding"},
		{"bernstein.go", "bounds of a joint's velocity, acceleration and jerk on an interval"},
		{"sample.go", "where joints are at several times"},
		{"rounding.go", "error constants of the kinematics"},
		{"rate.go", "how twists change"},
		{"tree.go", "fixed joints, mimic joints and where chains part"},
		{"course.go", "pieces of the motion as joints see them"},
		{"skip.go", "where the search of what is left begins"},
		{"course_root.go", "the root link's motion"},
		{"seams.go", "jumps between pieces"},
		{"turns.go", "whole turns of continuous joints"},
		{"length.go", "lengths of the joints' curves"},
	}},
	{"internal/engine/rules", []string{"internal/engine/rules", "internal/engine/spacetime -skip=" + slowSearch, "internal/engine/spacetime -run=" + slowSearch, "ccd -run=" + wholeMotions}, [][2]string{
		{"rules.go", "proof rules: balls, half-spaces, displacement, swept boxes, slack"},
		{"balls.go", "balls of many pairs at once"},
		{"line.go", "rules for a clearance that changes linearly over time"},
	}},
	{"internal/engine/lanes", []string{"internal/engine/lanes"}, [][2]string{
		{"lanes.go", "poses, sweeps and supports at eight times at once, and what is apart there"},
		{"triangles.go", "the closest points of two triangles at eight times at once"},
		{"kernels.go", "the choice between kernels and their twins"},
	}},
	{"internal/engine/place", []string{"internal/engine/place", "internal/engine/spacetime -skip=" + slowSearch, "internal/engine/spacetime -run=" + slowSearch, "ccd -run=" + wholeMotions}, [][2]string{
		{"robot.go", "state of an interval: twists, bounds and slack of each element"},
		{"pair.go", "the same of a pair, seen where its chains part"},
		{"bind.go", "pieces of the motion, reach and tubes of the elements"},
		{"lanes.go", "the robot at eight times: joints, corners, boxes"},
		{"lanes_bounds.go", "errors of float32 and bends of paths"},
		{"lanes_planes.go", "planes, and boxes in a body's frame, that part steps"},
		{"lanes_parts.go", "planes that part parts of two elements in steps"},
		{"lanes_fan.go", "a plane of its own for each step"},
		{"lanes_shared.go", "several motions in the lanes, and which steps are whose"},
		{"lanes_ranges.go", "ranges of variables in each step"},
	}},
	{"internal/engine/region", []string{"internal/engine/region", "internal/engine/spacetime -run=Tables"}, [][2]string{
		{"table.go", "which cells a box is in, and between which joints"},
		{"grid.go", "cells, and by how much their corners tell too much"},
		{"measure.go", "a pair at the corners of a cell, its parts, and which is inside of which"},
	}},
	{"internal/engine/volume", []string{"internal/engine/volume", "internal/engine/spacetime -skip=" + slowSearch, "internal/engine/spacetime -run=" + slowSearch, "ccd -run=" + wholeMotions}, [][2]string{
		{"volume.go", "padding and radii of parts"},
		{"item.go", "items of the world: padding, supports"},
	}},
	{"internal/engine/distance", []string{"internal/engine/spacetime -skip=" + slowSearch, "internal/engine/spacetime -run=" + slowSearch, "ccd -run=" + wholeMotions}, [][2]string{
		{"pair.go", "distances between links"},
		{"bounds.go", "lower bounds of a pair, and its closest points"},
		{"descend.go", "which parts of a pair are looked at"},
		{"inside.go", "one body inside another"},
		{"rank.go", "which pairs matter"},
		{"leaf.go", "distances between triangles and points, and one body inside the other"},
		{"world.go", "distances to the world"},
		{"closest.go", "witness points"},
	}},
	{"internal/engine/spacetime", []string{"internal/engine/spacetime -skip=" + slowSearch, "internal/engine/spacetime -run=" + slowSearch, "ccd -run=" + wholeMotions}, [][2]string{
		{"prove.go", "which rule is applied to what"},
		{"sweep.go", "swept volumes of a subtree of the mesh"},
		{"against.go", "rules against the world"},
		{"contain.go", "one body inside another at the start"},
		{"prover.go", "what is remembered of elements and pairs for one question, and what must be exceeded"},
		{"worker.go", "placing the robot on a piece of the motion"},
		{"search.go", "when a search is over"},
		{"witness.go", "which touch is a witness"},
		{"ask.go", "which pairs a question is about, and piece after piece"},
		{"levels.go", "which nodes of a tree a proof may stand for"},
		{"traverse.go", "up to which time nothing touches"},
		{"steps.go", "which pairs are left in which steps"},
		{"steps_list.go", "which entries are tried on which steps, and boxes around them"},
		{"regions.go", "through which regions of joint space steps lead"},
		{"steps_pair.go", "planes between two elements, step by step"},
		{"steps_parts.go", "parts of a pair's elements, step by step"},
		{"steps_world.go", "an element against the world, step by step"},
		{"overtime.go", "what everything is to be apart by at each of the times, and what distances err by"},
		{"overtime_row.go", "which steps are proved"},
		{"overtime_triangles.go", "points of two triangles at the times"},
		{"overtime_look.go", "what is closest at the times, and by how much that errs"},
		{"overtime_pair.go", "parts of a pair, step by step, in a distance over time"},
		{"overtime_items.go", "parts of an element against the world, likewise"},
		{"profile_interval.go", "the distance over time, one interval after the other"},
		{"profile_rows.go", "the distance over time by steps, and what covers their gaps"},
		{"profile_spans.go", "the lines of each step, and of several together"},
		{"pieces.go", "which pieces of a motion a proof stands for"},
		{"together.go", "which of several motions a proof stands for"},
		{"fronts.go", "what is kept from the motion asked before"},
		{"frontier.go", "what is left to prove of a piece"},
		{"share.go", "verdict of several workers"},
		{"team.go", "which pieces are whose"},
	}},
	{"internal/engine/model", []string{"internal/engine/model", "internal/engine/spacetime -skip=" + slowSearch, "ccd -run=" + wholeMotions}, [][2]string{
		{"around.go", "balls around what moves together"},
		{"cluster.go", "hulls of the triangles below a node"},
		{"open.go", "cells that no solid is around"},
		{"derived.go", "what all worlds of a robot share"},
		{"nearby.go", "pairs that are left out as always apart"},
		{"pairs.go", "which pairs are checked"},
		{"world.go", "the world's elements, and how far they reach"},
	}},
	{"internal/geometry/convex", []string{"internal/geometry/convex", "internal/engine/spacetime -skip=" + slowSearch}, [][2]string{
		{"support.go", "support mapping: half-space rules rest on it"},
		{"core.go", "core and radius of a convex element"},
		{"gap.go", "lower bound of a gap"},
		{"distance.go", "distance of convex bodies"},
		{"box.go", "boxes around cores"},
		{"ball.go", "balls around cores"},
		{"bounded.go", "whether two pieces are farther apart than asked"},
	}},
	{"internal/geometry/tri", []string{"internal/geometry/tri", "internal/geometry/bvh"}, [][2]string{
		{"orient.go", "exact orientation"},
		{"cross.go", "a ray through a triangle: parity"},
		{"meet.go", "two triangles that meet"},
		{"distance.go", "distance of two triangles"},
		{"closest.go", "closest points of segments and triangles"},
		{"common.go", "common points of triangles"},
	}},
	{"internal/geometry/bvh", []string{"internal/geometry/bvh", "internal/engine/spacetime -skip=" + slowSearch}, [][2]string{
		{"inside.go", "parity of crossings: inside or outside"},
		{"wide.go", "boxes of the world's tree, rounded outward"},
	}},
	{"internal/geometry/mesh", []string{"internal/geometry/mesh", "internal/geometry/bvh", "internal/engine/spacetime -skip=" + slowSearch}, [][2]string{
		{"solid.go", "whether a mesh encloses a volume"},
		{"tally.go", "edges that a closed surface has in pairs"},
		{"weld.go", "vertices that are one"},
		{"faces.go", "faces that cancel"},
		{"patches.go", "surfaces that meet"},
		{"equations.go", "windings of patches"},
		{"basis.go", "exact elimination for windings"},
		{"kernel.go", "solutions for windings"},
	}},
	{"internal/geometry/rsstree", []string{"internal/geometry/rsstree", "internal/engine/bisect"}, [][2]string{
		{"fit.go", "swept spheres that hold their triangles"},
		{"leaf.go", "distances of triangles less their rounding"},
		{"pair.go", "lower bound of two swept spheres' distance"},
	}},
	{"certificate/verify", []string{"certificate/verify"}, [][2]string{
		{"interval.go", "outward rounding"},
		{"trig.go", "sine and cosine"},
		{"turns.go", "whole turns"},
		{"vector.go", "vectors and matrices of intervals"},
		{"curve.go", "ranges of polynomials"},
		{"moment.go", "poses and velocities"},
		{"halves.go", "halves of an interval of time"},
		{"rule.go", "the rule that each cell is checked with"},
		{"side.go", "bounds of one side's motion"},
		{"parity.go", "inside or outside"},
		{"patches.go", "surfaces and their windings"},
		{"cycles.go", "closed surfaces"},
		{"components.go", "connected surfaces"},
		{"solids.go", "bodies inside others at the start"},
		{"cover.go", "cells cover all of the time"},
		{"seams.go", "jumps between pieces"},
		{"pairs.go", "which pairs must be proved"},
		{"tree.go", "the robot's joints"},
		{"frame.go", "fixed frames"},
		{"body.go", "atoms hold the geometry"},
		{"motion.go", "pieces of the motion"},
	}},
	{"internal/engine/romtree", []string{"internal/engine/romtree"}, [][2]string{
		{"romarc.go", "sphere around an arc"},
		{"romsweep.go", "sphere around a sweep of spheres"},
		{"romcloud.go", "sphere around a cloud of spheres"},
		{"rom.go", "range of motion of a subtree"},
		{"jointbox.go", "box of joint positions"},
		{"placedball.go", "a sphere in another frame"},
		{"tables.go", "distances kept in tables, rounded down"},
		{"threestep.go", "steps that stay apart"},
		{"farworld.go", "what the world is apart from"},
		{"skeleton.go", "joints between two links"},
		{"hulls.go", "spheres that stand for links and subtrees"},
		{"plan.go", "pairs that are left out"},
	}},
	{"selfcollision/pairproof", []string{"selfcollision/pairproof"}, [][2]string{
		{"rules.go", "rules of pairs that never meet"},
		{"boxes.go", "boxes of joint positions"},
		{"decide.go", "never, always or sometimes"},
		{"always.go", "pairs that always meet"},
		{"none.go", "proof that nothing meets"},
		{"overlap.go", "proof that solids overlap"},
	}},
	{"linkspheres", []string{"linkspheres"}, [][2]string{
		{"rules.go", "bounds of a ball and a cell"},
		{"patch.go", "pieces of curved surfaces"},
		{"prove.go", "proof that spheres cover a link"},
		{"void.go", "proof that nothing inside is left out"},
		{"solid.go", "distances from primitives"},
		{"excess.go", "how far spheres reach beyond"},
	}},
	{"internal/engine/catch", []string{"internal/engine/catch"}, [][2]string{
		{"motionbound.go", "bounds of speed"},
		{"speed.go", "speed along a direction"},
		{"step.go", "steps of conservative advancement"},
		{"advance.go", "how far a piece is proved"},
		{"taylorbvh.go", "boxes of a link's motion"},
	}},
	{"internal/engine/articulate", []string{"internal/engine/articulate"}, [][2]string{
		{"lss.go", "line swept spheres that hold an element"},
		{"dynbvh.go", "boxes of an interval"},
		{"dynbvh_mover.go", "interval poses"},
		{"swept.go", "slices of swept volumes"},
		{"swept_cull.go", "slices that are apart"},
	}},
	{"internal/engine/bisect", []string{"internal/engine/bisect"}, [][2]string{
		{"pathlength.go", "lengths of paths"},
		{"motionconstants.go", "constants of motion"},
		{"configs.go", "distances at a configuration"},
		{"greedy.go", "distances"},
		{"adaptive.go", "the inequality and its halves"},
	}},
}

// trustedDirs returns the packages of the trusted files.
func trustedDirs() []string {
	var dirs []string
	for _, f := range trusted {
		dirs = append(dirs, f.path[:strings.LastIndex(f.path, "/")])
	}
	return slices.Compact(dirs)
}

// entryDirs returns the packages of the entries.
func entryDirs() []string {
	var dirs []string
	for _, e := range entries {
		dirs = append(dirs, e.dir)
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}
