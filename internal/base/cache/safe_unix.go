//go:build unix

package cache

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// mine fails if users other than this one and the system's can change a file.
func mine(info fs.FileInfo) error {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	user := os.Geteuid()
	if owner := int(st.Uid); owner != user && owner != 0 && owner != systemUser() {
		return fmt.Errorf("belongs to user %d, but the current user is %d: name your own folder", owner, user)
	}
	mode := info.Mode().Perm()
	if private := int(st.Gid) == user && os.Getegid() == user; private { // the user's private group, by convention
		mode &^= 0o020
	}
	if mode&0o022 != 0 {
		return errOpen
	}
	return nil
}

// systemUser returns the owner of the root folder: user 0, or its substitute in a container.
func systemUser() int {
	if info, err := os.Stat("/"); err == nil {
		if st, ok := info.Sys().(*syscall.Stat_t); ok {
			return int(st.Uid)
		}
	}
	return 0
}
