package main

import (
	"path/filepath"
	"slices"
)

// arguments returns the command line to run. ROS tools start the executables of a package by
// their path, PREFIX/lib/PACKAGE/NAME, and append --ros-args; there the node is what starts
// where no command is given:
//
//   - "node", an executable of the package, is always the node;
//   - "firstcontact" is the node where it has no arguments.
//
// Wherever the program is installed, a command line that begins with --ros-args is the node's:
// every other command has its name before.
func arguments(argv []string) []string {
	if len(argv) == 0 {
		return nil
	}
	folder, name := filepath.Split(argv[0])
	args := argv[1:]
	ofPackage := filepath.Base(folder) == "firstcontact" && filepath.Base(filepath.Dir(filepath.Clean(folder))) == "lib"
	node := len(args) > 0 && args[0] == "--ros-args" ||
		ofPackage && name == "node" && !(len(args) > 0 && args[0] == "node") ||
		ofPackage && len(args) == 0
	if !node {
		return args
	}
	return slices.Concat([]string{"node"}, args)
}
