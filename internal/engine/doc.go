// Package engine is what every engine needs around its proofs: which pairs a
// question is about, when to stop, how a time on a piece becomes seconds, whether a
// body starts inside another, and how a touch is told.
//
// Nothing here proves anything of a motion; that two bodies do not start inside one
// another is half of what a proof about surfaces needs (see Solids).
package engine
