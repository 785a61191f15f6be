// Package verify checks certificates: that their items are true and that they leave
// nothing out. It is written to be read, in this order:
//
//	rule.go        why a direction parts two sides during an interval
//	side.go        the bounds that takes: how far, how fast, how bent
//	moment.go      the robot at one time
//	curve.go       what a joint does on an interval; turns.go
//	cover.go       that items cover all pairs at all times
//	solids.go      that no body lies inside another; parity.go, cycles.go,
//	               patches.go, components.go
//	pairs.go       which pairs there are, and which are left out on whose word;
//	               defaults.go
//	premises.go    what else the proof rests on, and how it is known
//	verify.go      the order of it all; build.go, frame.go,
//	               names.go, motion.go, seams.go
//	tree.go        the robot's joints; body.go, run.go its shapes
//	vector.go      arithmetic that knows its errors; interval.go, trig.go
//
// It shares no code with what finds proofs, but for the readers of files.
// docs/certificates.md says what a verified certificate proves.
package verify
