// Package verify checks certificates: that their items are true and that they leave nothing
// out. Read it in this order:
//
//	rule.go        why a direction separates two sides during an interval
//	side.go        the bounds for that: distance, speed, acceleration
//	moment.go      the robot at one time
//	curve.go       a joint's motion on an interval; turns.go
//	cover.go       that items cover all pairs at all times
//	solids.go      that no body lies inside another; parity.go, cycles.go,
//	               patches.go, components.go
//	pairs.go       the pairs, and the reasons for leaving some out; defaults.go
//	premises.go    the other premises of the proof, and their sources
//	verify.go      the sequence of these steps; build.go, frame.go, names.go,
//	               motion.go, seams.go
//	tree.go        the robot's joints; body.go, run.go its shapes
//	vector.go      arithmetic with error bounds; interval.go, trig.go
//
// It shares no code with the search for proofs, except the readers of files.
// docs/certificates.md says what a verified certificate proves.
package verify
