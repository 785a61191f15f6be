package ros

import (
	"path"
	"runtime"
	"strings"
)

// Place is where in the program a log line was written.
type Place struct {
	// File is the package's import path without its first three elements, such as
	// github.com/OWNER/REPOSITORY, and the file's name: "node/loader.go". It names no folder
	// of the machine on which the program was built.
	File string
	// Function is the function's name with its package: "node.(*loader).run".
	Function string
	Line     int
}

// caller returns the place of the first caller outside the logger's own file.
func caller() Place {
	var pcs [8]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs[:])])
	for {
		frame, more := frames.Next()
		if !more || !strings.HasSuffix(frame.File, "node/ros/log.go") {
			return placeOf(frame)
		}
	}
}

func placeOf(f runtime.Frame) Place {
	if f.Function == "" {
		return Place{}
	}
	// The package is what stands before the first dot after the last slash.
	folder, name := path.Split(f.Function)
	base, _, _ := strings.Cut(name, ".")
	parts := strings.SplitN(folder+base, "/", 4)
	return Place{File: path.Join(parts[len(parts)-1], path.Base(f.File)), Function: name, Line: f.Line}
}
