//go:build race

package ccd

// underRace tells that the race detector watches: large models take too long then.
const underRace = true
