//go:build !race

package ccd

const underRace = false
