package main

import (
	"fmt"
	"strings"
)

// counted lists joints, of many their number first.
func counted(joints []string) string {
	if n := len(joints); n > few+1 {
		return fmt.Sprintf("%d joints: %s", n, some(joints))
	}
	return some(joints)
}

// few is how many names a line lists.
const few = 4

// some lists names, of many only the first.
func some(names []string) string {
	if n := len(names); n > few+1 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), n-few)
	}
	return strings.Join(names, ", ")
}
