//go:build !race

package agreement_test

const underRace = false
