//go:build !race

package clearance

const underRace = false
