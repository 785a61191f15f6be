//go:build !race

package laws

const underRace = false
