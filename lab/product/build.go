// Package product builds the product's program for campaigns of the lab.
package product

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// Build builds the program with Cyclone DDS and further tags from the product's module, and returns its path below
// that module's folder build. It is linked only if something has changed; who builds at the same
// time waits.
func Build(tags ...string) (string, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/firstcontact-ros/firstcontact").Output()
	if err != nil {
		return "", fmt.Errorf("where the product's module is: %w", err)
	}
	root := strings.TrimSpace(string(out))
	binary := filepath.Join(root, "build", "lab", strings.Join(append([]string{"firstcontact"}, tags...), "-"))
	if err := os.MkdirAll(filepath.Dir(binary), 0o755); err != nil {
		return "", err
	}
	lock, err := os.Create(binary + ".lock")
	if err != nil {
		return "", err
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		return "", errors.Join(err, lock.Close())
	}
	defer lock.Close() // which unlocks it
	out, err = exec.Command("go", "build", "-C", root, "-tags", strings.Join(append(tags, "cyclone"), ","), "-buildvcs=false", "-o", binary, "./cmd/firstcontact").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return binary, nil
}
