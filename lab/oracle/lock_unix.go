//go:build unix

package oracle

import (
	"os"
	"path/filepath"
	"syscall"
)

// lock keeps test binaries that run at the same time from building in the same
// folder at once.
func lock(folder string) (unlock func(), err error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(filepath.Join(folder, ".lock"), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX); err != nil {
		file.Close()
		return nil, err
	}
	return func() { file.Close() }, nil
}
