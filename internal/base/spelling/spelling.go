// Package spelling suggests the name that was probably meant by an unknown one, for error
// messages.
package spelling

import "fmt"

// maxCompared bounds the number of names that Hint examines, and maxLength their length, so
// that a message is cheap whatever the input.
const maxCompared, maxLength = 4096, 64

// Hint returns ` (did you mean "NAME"?)` for the known name closest to name, or "" if none is
// close: if more than a third of the letters differ.
func Hint(name string, known []string) string {
	if best := Closest(name, known); best != "" {
		return fmt.Sprintf(" (did you mean %q?)", best)
	}
	return ""
}

// Closest returns the first of the known names with the smallest edit distance from name, or
// "" if that is more than a third of its length.
func Closest(name string, known []string) string {
	best, least := "", len(name)/3+1
	if len(name) > maxLength {
		return ""
	}
	for _, k := range known[:min(len(known), maxCompared)] {
		if len(k) > maxLength || k == name {
			continue
		}
		if d := Distance(name, k); d < least {
			best, least = k, d
		}
	}
	return best
}

// Distance returns how many letters must be inserted, deleted, replaced or swapped with their
// neighbour to turn a into b.
func Distance(a, b string) int {
	before, above, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range above {
		above[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(above[j]+1, row[j-1]+1, above[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, above, row = above, row, before
	}
	return above[len(b)]
}
