package answer

import (
	"fmt"
	"strings"
)

// Counted lists joints, of many their number first.
func Counted(joints []string) string {
	if n := len(joints); n > few+1 {
		return fmt.Sprintf("%d joints: %s", n, Some(joints))
	}
	return Some(joints)
}

// few is how many names a line lists.
const few = 4

// Some lists names, of many only the first.
func Some(names []string) string {
	if n := len(names); n > few+1 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), n-few)
	}
	return strings.Join(names, ", ")
}
