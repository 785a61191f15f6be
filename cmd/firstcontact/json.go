package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"

	"github.com/firstcontact-ros/firstcontact/motion"
)

// head begins every object that --json prints.
type head struct {
	// What the object is, and the version of its keys, such as firstcontact/check/1. Keys may be added
	// within a version; a key that vanishes or changes its meaning makes a new one.
	Schema string `json:"schema"`
	// The program and its version, as --version prints it.
	Program string `json:"program"`
}

// headOf returns the head of an object of this name, such as "check".
func headOf(name string) head { return head{schemaName(name), version()} }

// schemaVersion is the version of all objects.
const schemaVersion = 1

func schemaName(name string) string { return fmt.Sprintf("firstcontact/%s/%d", name, schemaVersion) }

// encode prints an object on one line.
func encode(w io.Writer, object any) error { return json.NewEncoder(w).Encode(object) }

// failure is what --json prints if a command ends without an answer, because its input is bad.
type failure struct {
	head
	// invalid
	Status string `json:"status" jsonschema:"enum=invalid"`
	// The command that failed.
	Command string `json:"command"`
	// What is wrong, where, and what to do.
	Message string `json:"message"`
}

// tolerances says how exact an answer about a motion is.
type tolerances struct {
	// m: a pair counts as touching within it.
	Tolerance float64 `json:"tolerance"`
	// s: the interval of toc is no wider.
	Time float64 `json:"time_tolerance"`
	// m: the bounds of min_clearance differ by no more; 0 if it is not asked for.
	Clearance float64 `json:"clearance_tolerance"`
}

// tolerancesOf returns the tolerances that a query is answered with.
func tolerancesOf(q motion.Query) tolerances {
	t := tolerances{Tolerance: cmp.Or(q.Tolerance, motion.DefaultTolerance), Time: cmp.Or(q.TimeTolerance, motion.DefaultTimeTolerance)}
	if q.Question == motion.MinClearance {
		t.Clearance = cmp.Or(q.ClearanceTolerance, motion.DefaultClearanceTolerance)
	}
	return t
}

// warning is something in the input that is probably not what was meant, or that was left out.
type warning struct {
	// Its name, which does not change: robot or scene for what the reader of either says, otherwise that
	// of a finding of plausibility.
	Name string `json:"name"`
	// Links, joints or objects that it is about, the worst first.
	About []string `json:"about,omitempty"`
	// The file that it is about, if one is known.
	File string `json:"file,omitempty"`
	// What was measured.
	Value *float64 `json:"value,omitempty"`
	// The threshold that the value is beyond.
	Limit *float64 `json:"limit,omitempty"`
	// One sentence.
	Message string `json:"message"`
	// What to do about it.
	Remedy string `json:"remedy,omitempty"`
	// Whether it can hide a collision: then there is no free verdict unless it is accepted.
	Gap bool `json:"gap,omitempty"`
}
