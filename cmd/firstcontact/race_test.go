//go:build race

package main

// racing: the race detector empties pools at random.
const racing = true
