// Package pairproof proves, for every two links of a robot, whether they can meet within
// the joints' limits and mimic relations: never, always or sometimes.
//
// Never is a proof for the whole box of joint positions, by branch and bound: a box in
// which the rules of rules.go separate the links is finished, any other is halved.
// Always is a proof of the same kind, by the rule of always.go. Sometimes has a
// configuration at which an exact check finds a point of both links. What the budget
// leaves open is Undecided.
//
// The relative pose of two links depends only on the joints between them. Their ranges
// are the pair's box.
package pairproof
