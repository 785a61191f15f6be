package oneline

import (
	"fmt"
	"strings"
)

// few is how many names a sentence lists.
const few = 5

// Few is List of a few names, as a sentence lists them.
func Few(names []string) string { return List(names, few) }

// List joins names by commas. If there are more than most it names the first of them, and says how many more there are.
func List(names []string, most int) string {
	if more := len(names) - most; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), more)
	}
	return strings.Join(names, ", ")
}
