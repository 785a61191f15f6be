package premises

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// ErrMissing is wrapped by the error of Build where a tool or library that the judge needs
// is not installed: a reason to skip, not to fail.
var ErrMissing = errors.New("not installed")

// Build makes premise_judge where it is missing or older than its sources, and returns its path.
func Build() (string, error) {
	_, file, _, ok := runtime.Caller(0)
	if !ok {
		return "", errors.New("build premise_judge: the sources are not to be found")
	}
	folder := filepath.Dir(file)
	for _, tool := range []string{"make", "g++", "pkg-config"} {
		if _, err := exec.LookPath(tool); err != nil {
			return "", fmt.Errorf("build premise_judge: %s: %w", tool, ErrMissing)
		}
	}
	for _, p := range []string{"fcl", "urdfdom", "assimp", "tinyxml2", "eigen3", "yaml-cpp"} {
		if err := exec.Command("pkg-config", "--exists", p).Run(); err != nil {
			return "", fmt.Errorf("build premise_judge: lib%s-dev: %w", p, ErrMissing)
		}
	}
	if _, err := os.Stat("/usr/include/CGAL"); err != nil {
		return "", fmt.Errorf("build premise_judge: libcgal-dev: %w", ErrMissing)
	}
	if out, err := exec.Command("make", fmt.Sprint("-j", runtime.NumCPU()), "-C", folder).CombinedOutput(); err != nil {
		return "", fmt.Errorf("build premise_judge: %w\n%s", err, out)
	}
	return filepath.Join(folder, "build", "premise_judge"), nil
}
