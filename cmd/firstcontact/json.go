package main

import (
	"encoding/json"
	"fmt"
	"io"
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
