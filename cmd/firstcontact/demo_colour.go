package main

import (
	"fmt"
	"io"
	"os"
)

// colours maps levels and statuses to the terminal's colour codes.
var colours = map[string]int{"FREE": 32, "WARN": 33, "STOP": 35, "CLEARANCE": 33, "COLLISION": 31, "CONTACT": 31, "UNKNOWN": 36, "UNDECIDED": 36, "INVALID": 36}

// takesColours reports whether w is a terminal whose user has not disabled colours.
func takesColours(w io.Writer) bool {
	return terminal(w) != nil && os.Getenv("NO_COLOR") == ""
}

// paint returns a level or status, padded to its column's width, in its colour.
func (l *demoLog) paint(word string) string {
	padded := fmt.Sprintf("%-10s", word)
	if c := colours[word]; l.colours && c != 0 {
		return fmt.Sprintf("\x1b[%dm%s\x1b[0m", c, padded)
	}
	return padded
}
