package main

import (
	"io"
	"os"
)

// colours maps levels and statuses to the terminal's colour codes.
var colours = map[string]int{"FREE": 32, "WARN": 33, "STOP": 35, "CLEARANCE": 33, "COLLISION": 31, "CONTACT": 31, "UNKNOWN": 36, "UNDECIDED": 36, "INVALID": 36}

// takesColours reports whether w is a terminal whose user has not disabled colours.
func takesColours(w io.Writer) bool {
	return terminal(w) != nil && os.Getenv("NO_COLOR") == ""
}
