//go:build race

package selfcollision

const raceEnabled = true
