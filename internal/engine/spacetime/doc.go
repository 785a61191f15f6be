// Package spacetime is the engine that proves motions free, or finds when they first
// touch: one traversal of time, by splitting intervals, and of the hierarchies of
// the pairs that are not yet proved apart.
//
// Package rules, and place.Lanes for all steps of an interval at once, hold the proof
// rules that every Free rests on; all else here only searches, and may be wrong without
// harm: which direction to try, what to open, where to split. A Worker is the scratch of
// one goroutine.
//
// Files from the ground up; each uses only those above it in this list:
//
//	record.go    what a proof rests on, as it is told
//	memory.go    what is remembered of elements and pairs from one interval to the next
//	prover.go    the state of a proof on one interval
//	note.go      telling the recorder
//	sweep.go     the volume that an element sweeps
//	prove.go     one pair on one interval
//	team.go      what workers share that work on one motion
//	scratch.go   scratch of the searches
//	worker.go    the worker: question, prover, fronts, containment, contact search
//	ranges.go    the distance range of each entry
//	search.go    the state of one search
//	bound.go     branch and bound for the smallest distance
//	witness.go   taking note of a contact, and telling it
//	pinpoint.go  when two leaves first touch
//	contain.go   one solid inside another
//	itemsearch.go     which leaf of an element touches an item of the world
//	overlaps.go     which parts of an element and the world overlap deepest
//	overlaps_pair.go  which parts of two elements do
//	group.go     elements that move together
//	many.go      pairs that are tried together
//	against.go   robot against world
//	room.go      which intervals are worth trying
//	traverse.go  in the order of time, earlier half first
//	steps_closer.go what may be closer than what came closest so far
//	regions.go      a pair in the regions of joint space that steps lead through
//	steps_pair.go   a pair of elements on all steps of an interval
//	steps_world.go  an element and the world, likewise
//	steps_parts.go  parts of a pair's elements, likewise
//	steps_list.go   which entries are tried on which steps
//	steps.go        all steps of an interval at once, before it is split
//	pieces.go    what shares the steps of a proof: pieces of a motion
//	frontier.go  what is left to prove of a piece
//	levels.go    yes or no: all intervals of one length before shorter ones
//	ask.go       starting a question, and piece after piece
//	together.go  several motions in one proof
//	firstbound.go a first bound of the smallest distance from above
//	clearance.go the smallest distance of a motion
//	share.go     one motion, several workers
//	overtime.go       what everything is to be apart by at each of the times of steps
//	overtime_triangles.go  two triangles at all times at once
//	overtime_look.go  what is closest at the times
//	overtime_pair.go  parts of a pair on steps, apart by what is closest less the tolerance
//	overtime_items.go parts of an element and the world, likewise
//	overtime_row.go   the steps of an interval: which are proved
//	profile_interval.go the distance over time, by halves of intervals
//	profile_spans.go  the spans of steps
//	profile_rows.go   the distance over time, by rows of steps
//	profile.go   the smallest distance over time
//	fronts.go    yes or no that goes on from the last path
//	check.go     a verdict
//	moment.go    distances at one time of a motion
//	engine.go    the engine by its name
package spacetime
