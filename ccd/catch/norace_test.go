//go:build !race

package catch

const raced = false
