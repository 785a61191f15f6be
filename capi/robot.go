package main

// #include "include/firstcontact.h"
import "C"

import (
	"fmt"
	"strings"

	"github.com/firstcontact-ros/firstcontact/urdf"
)

//export goRobotLoad
func goRobotLoad(path, srdf *C.char, packages C.fc_strings, t *C.char, size C.size_t) C.uintptr_t {
	return guardNew("fc_robot_load", text{t, size}, func() (any, error) {
		name, err := needed("urdf", path)
		if err != nil {
			return nil, err
		}
		options, err := robotOptions(packages)
		if err != nil {
			return nil, err
		}
		if options.SRDF, err = optional("srdf", srdf); err != nil {
			return nil, err
		}
		return urdf.Load(name, options)
	})
}

//export goRobotParse
func goRobotParse(data, srdf, base *C.char, packages C.fc_strings, t *C.char, size C.size_t) C.uintptr_t {
	return guardNew("fc_robot_parse", text{t, size}, func() (any, error) {
		content, err := needed("urdf", data)
		if err != nil {
			return nil, err
		}
		options, err := robotOptions(packages)
		if err != nil {
			return nil, err
		}
		options.BaseDir = C.GoString(base)
		robot, err := urdf.Parse([]byte(content), options)
		if err != nil || srdf == nil {
			return robot, err
		}
		return urdf.ParseSRDF(robot, []byte(C.GoString(srdf)))
	})
}

//export goRobotFree
func goRobotFree(h C.uintptr_t, t *C.char, size C.size_t) C.int {
	return guard("fc_robot_free", text{t, size}, func() error { return free[*urdf.Robot]("robot", h) })
}

func robotOptions(packages C.fc_strings) (urdf.Options, error) {
	entries, err := list("packages", packages)
	if err != nil {
		return urdf.Options{}, err
	}
	options := urdf.Options{Packages: map[string]string{}}
	for _, entry := range entries {
		name, folder, ok := strings.Cut(entry, "=")
		if !ok {
			return urdf.Options{}, errMisuse(fmt.Sprintf("packages has %q: give name=folder", entry))
		}
		options.Packages[name] = folder
	}
	return options, nil
}
