//go:build !race

package bisect

const raced = false
