// Package spacetime is the engine that proves motions free, or finds when they first
// touch: one traversal of time, by splitting intervals, and of the hierarchies of
// the pairs that are not yet proved apart.
//
// proof.go holds the rules that every Free rests on, with their proofs; all else
// only searches, and may be wrong without harm: which direction to try, what to
// open, where to split. A Worker is the scratch of one goroutine.
package spacetime
