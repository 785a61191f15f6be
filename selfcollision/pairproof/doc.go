// Package pairproof proves, for every two links of a robot, whether they can ever meet
// within the joints' limits and mimic relations: never, always or sometimes.
//
// Never is a proof that covers the whole box of joint positions without gaps, by
// branch and bound: a box in which the rules of rules.go part the links is done
// with, any other is halved. Always is a proof of the same kind, by the rule of
// always.go. Sometimes is a configuration at which an exact check finds a point of
// both links. Whatever the budget leaves open is Undecided.
//
// What two links do to each other depends on nothing but the joints between them:
// only those make up a pair's box.
package pairproof
