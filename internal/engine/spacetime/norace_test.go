//go:build !race

package spacetime

const underRace = false
