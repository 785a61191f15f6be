package demo

import (
	"os/exec"
	"syscall"
)

// dieWithUs ends the process when this one is killed and cannot do so itself.
func dieWithUs(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
}
