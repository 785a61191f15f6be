//go:build race

package bisect

// raced: the race detector makes everything ten times as slow.
const raced = true
