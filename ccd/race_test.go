//go:build race

package ccd

// racing: the race detector empties pools at random.
const racing = true
