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
		return fmt.Errorf("belongs to user %d, but this is user %d: name a folder of your own", owner, user)
	}
	mode := info.Mode().Perm()
	if private := int(st.Gid) == user && os.Getegid() == user; private { // a group of one's own, by convention
		mode &^= 0o020
	}
	if mode&0o022 != 0 {
		return errOpen
	}
	return nil
}

// systemUser owns the root folder: user 0, or whoever stands for it in a container.
func systemUser() int {
	if info, err := os.Stat("/"); err == nil {
		if st, ok := info.Sys().(*syscall.Stat_t); ok {
			return int(st.Uid)
		}
	}
	return 0
}
