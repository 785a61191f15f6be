// Package engine is what every engine needs around its proofs: the pairs of a question, when
// to stop, the conversion of times on a piece to seconds, whether a body starts inside
// another, and contacts.
//
// Nothing here proves anything about a motion, except that two bodies do not start inside one
// another, which is half of a proof about surfaces (see Solids).
package engine
