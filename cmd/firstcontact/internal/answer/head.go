// Package answer holds what the answers of commands have in common: in JSON the head of an object,
// warnings and witness points, in text how lengths, times and lists of names are written.
package answer

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/buildinfo"
)

// Head begins every object that --json prints.
type Head struct {
	// What the object is, and the version of its keys, such as firstcontact/check/1. Keys may be added
	// within a version; a key that vanishes or changes its meaning makes a new one.
	Schema string `json:"schema"`
	// The program and its version, as --version prints it.
	Program string `json:"program"`
}

// HeadOf returns the head of an object of this name, such as "check", by the running program.
func HeadOf(name string) Head { return Head{SchemaName(name), buildinfo.Version()} }

// schemaVersion is the version of all objects.
const schemaVersion = 1

// SchemaName returns the name and version of an object, such as firstcontact/check/1.
func SchemaName(name string) string { return fmt.Sprintf("firstcontact/%s/%d", name, schemaVersion) }

// Encode prints an object as JSON on one line. It fails as w does.
func Encode(w io.Writer, object any) error { return json.NewEncoder(w).Encode(object) }

// Failure is what --json prints if a command ends without an answer, because its input is bad.
type Failure struct {
	Head
	// invalid
	Status string `json:"status" jsonschema:"enum=invalid"`
	// The command that failed.
	Command string `json:"command"`
	// What is wrong, where, and what to do.
	Message string `json:"message"`
}
