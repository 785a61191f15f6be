//go:build !race

// Package race tells tests whether the race detector watches them. Under it code runs
// some ten times as slowly and sync.Pool drops what it holds at random, so tests try
// fewer cases, leave out large models and do not count allocations.
package race

// Enabled reports whether the race detector is on.
const Enabled = false
