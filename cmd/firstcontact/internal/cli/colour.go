package cli

import (
	"io"
	"os"
)

// Colours maps levels and statuses to the terminal's colour codes.
var Colours = map[string]int{"FREE": 32, "WARN": 33, "STOP": 35, "CLEARANCE": 33, "COLLISION": 31, "CONTACT": 31, "UNKNOWN": 36, "UNDECIDED": 36, "INVALID": 36}

// TakesColours reports whether w is a terminal whose user has not disabled colours.
func TakesColours(w io.Writer) bool {
	return terminal(w) != nil && os.Getenv("NO_COLOR") == ""
}
