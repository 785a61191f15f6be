//go:build !linux

package main

import "os/exec"

// dieWithUs does nothing: if this process is killed, the node keeps running.
func dieWithUs(*exec.Cmd) {}
