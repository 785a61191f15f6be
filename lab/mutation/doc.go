// Package mutation proves that tests notice. It holds no code, only a test:
// a table of small wrong changes to the code that proofs rest on, each applied
// through an overlay (the working tree is never touched), and the tests that
// must fail for it.
//
// By default a few run; FIRSTCONTACT_MUTATE=1 runs all of them, and
// FIRSTCONTACT_MUTATE=all runs every test of the changed package against each,
// to see what else notices. FIRSTCONTACT_MUTATE_ONLY, a regular expression, picks
// among them by "FILE: NAME".
package mutation
