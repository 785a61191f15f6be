//go:build race

package agreement_test

// underRace: the race detector, which makes building large models ten times as
// slow, finds nothing in tests of one goroutine.
const underRace = true
