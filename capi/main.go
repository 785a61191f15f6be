// Command capi is the library for C: go build -buildmode=c-shared makes libfirstcontact.so of
// it. include/firstcontact.h is its interface, written by hand; calls.c has the functions of
// that header, which keep signals, forks and the texts of errors in order and call the functions
// exported here. What they are given is checked here and answered by package ccd.
package main

// #include "include/firstcontact.h"
import "C"

import "github.com/firstcontact-ros/firstcontact/capi/internal/handle"

// handles are the robots, scenes and checkers that callers hold.
var handles handle.Table

// revision is set by the linker.
var revision string

//export goVersion
func goVersion() *C.char {
	if revision == "" {
		return C.CString("unknown") // asked for once
	}
	return C.CString(revision)
}

func main() {} // a library has none
