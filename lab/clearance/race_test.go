//go:build race

package clearance

// underRace: the race detector, which makes building large models ten times as
// slow, finds nothing in tests of one goroutine.
const underRace = true
