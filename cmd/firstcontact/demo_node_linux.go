package main

import (
	"os/exec"
	"syscall"
)

// dieWithUs ends a process when this one is killed and cannot.
func dieWithUs(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
}
