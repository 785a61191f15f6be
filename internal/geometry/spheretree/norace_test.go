//go:build !race

package spheretree

const racing = false
