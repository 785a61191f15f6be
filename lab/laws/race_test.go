//go:build race

package laws

// underRace: the race detector takes ten times as long.
const underRace = true
