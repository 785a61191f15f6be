package oracle

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// packages are what pkg-config must know for the program to build.
var packages = []string{"fcl", "urdfdom", "assimp", "tinyxml2", "eigen3"}

// ErrMissing is wrapped by the error of Build where a tool or library that the
// program needs is not installed: a reason to skip, not to fail.
var ErrMissing = errors.New("not installed")

// Build makes fcl_oracle where it is missing or older than its sources, and
// returns its path. The error wraps ErrMissing where make, a C++ compiler or
// one of the libraries is not there.
func Build() (string, error) {
	folder, err := sourceFolder()
	if err != nil {
		return "", err
	}
	if err := present(); err != nil {
		return "", err
	}
	unlock, err := lock(filepath.Join(folder, "build"))
	if err != nil {
		return "", err
	}
	defer unlock()
	if out, err := exec.Command("make", fmt.Sprint("-j", runtime.NumCPU()), "-C", folder).CombinedOutput(); err != nil {
		return "", fmt.Errorf("build fcl_oracle: %w\n%s", err, out)
	}
	return filepath.Join(folder, "build", "fcl_oracle"), nil
}

func present() error {
	for _, tool := range []string{"make", "g++", "pkg-config"} {
		if _, err := exec.LookPath(tool); err != nil {
			return fmt.Errorf("build fcl_oracle: %s: %w", tool, ErrMissing)
		}
	}
	for _, p := range packages {
		if err := exec.Command("pkg-config", "--exists", p).Run(); err != nil {
			return fmt.Errorf("build fcl_oracle: lib%s-dev: %w", p, ErrMissing)
		}
	}
	return nil
}

// sourceFolder finds the Makefile: beside this file where the compiler kept
// its path, else up from the working directory.
func sourceFolder() (string, error) {
	if _, file, _, ok := runtime.Caller(0); ok && filepath.IsAbs(file) {
		if folder := filepath.Dir(file); hasMakefile(folder) {
			return folder, nil
		}
	}
	at, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if folder := filepath.Join(at, "lab", "oracle"); hasMakefile(folder) {
			return folder, nil
		}
		up := filepath.Dir(at)
		if up == at {
			return "", errors.New("build fcl_oracle: no lab/oracle/Makefile here or above")
		}
		at = up
	}
}

func hasMakefile(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, "Makefile"))
	return err == nil
}
