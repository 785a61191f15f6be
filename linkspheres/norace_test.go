//go:build !race

package linkspheres_test

// racing says that the race detector watches, which makes everything slow.
const racing = false
