//go:build race

package spacetime

// underRace tells that the race detector watches: large models take too long then.
const underRace = true
