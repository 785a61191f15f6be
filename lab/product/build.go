// Package product builds the product's program for campaigns of the lab.
package product

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

// Build builds the program with Cyclone DDS in a folder, from the product's module, and returns
// its path.
func Build(folder string) (string, error) {
	binary := filepath.Join(folder, "firstcontact")
	root, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/firstcontact-ros/firstcontact").Output()
	if err != nil {
		return "", fmt.Errorf("where the product's module is: %w", err)
	}
	out, err := exec.Command("go", "build", "-C", strings.TrimSpace(string(root)), "-tags", "cyclone", "-buildvcs=false", "-o", binary, "./cmd/firstcontact").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return binary, nil
}
