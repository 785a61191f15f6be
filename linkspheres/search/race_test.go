//go:build race

package search

// racing says that the race detector watches, which makes everything slow.
const racing = true
