//go:build race

package articulate

const raced = true
