package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/firstcontact-ros/firstcontact/lab/oracle"
)

// packages are what pkg-config must know for the program to build.
var packages = []string{"ompl", "fcl", "urdfdom", "assimp", "tinyxml2", "eigen3"}

// errMissing is wrapped by the error of build where a tool or library that the program needs is not installed.
var errMissing = errors.New("not installed")

// build makes build/plan and the library for C below the folder of this package, and returns its path.
func build(folder string) (string, error) {
	for _, tool := range []string{"make", "g++", "pkg-config"} {
		if _, err := exec.LookPath(tool); err != nil {
			return "", fmt.Errorf("%s: %w", tool, errMissing)
		}
	}
	for _, p := range packages {
		if err := exec.Command("pkg-config", "--exists", p).Run(); err != nil {
			return "", fmt.Errorf("%s: %w: make setup-lab installs it", p, errMissing)
		}
	}
	if _, err := oracle.Build(); err != nil {
		if errors.Is(err, oracle.ErrMissing) {
			err = errors.Join(errMissing, err)
		}
		return "", err
	}
	folder, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	made, lib := filepath.Join(folder, "build", "made"), filepath.Join(folder, "build", "lib")
	if err := obey(exec.Command(filepath.Join(folder, "../../../packaging/library"), "lab", made)); err != nil {
		return "", err
	}
	if err := refresh(made, lib); err != nil {
		return "", err
	}
	if err := obey(exec.Command("make", fmt.Sprint("-j", runtime.NumCPU()), "-C", folder)); err != nil {
		return "", err
	}
	return filepath.Join(folder, "build", "plan"), nil
}

func obey(c *exec.Cmd) error {
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", c, err, out)
	}
	return nil
}

// refresh copies the files of a folder that have changed; others keep their time, so that make leaves alone what was made of them.
func refresh(from, to string) error {
	files, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	for _, f := range files {
		data, err := os.ReadFile(filepath.Join(from, f.Name()))
		if err != nil {
			return err
		}
		at := filepath.Join(to, f.Name())
		if old, err := os.ReadFile(at); err == nil && bytes.Equal(old, data) {
			continue
		}
		if err := os.Remove(at); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		if err := os.WriteFile(at, data, 0o755); err != nil {
			return err
		}
	}
	return nil
}
