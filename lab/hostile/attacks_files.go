//go:build linux

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// A node that is given a file that never ends, or never begins, must say so and end.
const (
	filesPatience = 15 * time.Second
	filesMemory   = 200_000 // kB
	badModel      = 4       // the exit status for a model that cannot be read
)

func fileAttacks() []*attack {
	return []*attack{{
		name: "files", about: "a FIFO that nobody writes, /dev/zero and a folder in place of every file that a parameter names", alone: files, before: "hang, or eat memory",
	}}
}

// files starts a node for each parameter and each kind of file that is none.
func files(s settings, r *result) {
	folder, err := os.MkdirTemp("", "hostile-")
	if err == nil {
		defer os.RemoveAll(folder)
		err = writeRobot(folder)
	}
	fifo := filepath.Join(folder, "fifo")
	if err == nil {
		err = syscall.Mkfifo(fifo, 0o600)
	}
	if err != nil {
		r.faults = append(r.faults, err.Error())
		return
	}
	for _, place := range []string{fifo, "/dev/zero", folder} {
		for _, parameter := range []string{"robot_description_file", "robot_description_semantic_file", "scene", "acm.pairs", "--params-file", "mesh"} {
			fault := oneFile(s, folder, parameter, place, r)
			if fault != "" {
				r.faults = append(r.faults, fmt.Sprintf("%s = %s: %s", parameter, strings.Replace(place, folder, "...", 1), fault))
			}
		}
	}
}

// oneFile starts a node and tells what it did wrong, or "".
func oneFile(s settings, folder, parameter, place string, r *result) string {
	set := map[string]string{"robot_description_file": filepath.Join(folder, "rails.urdf"), "robot_description_semantic_file": filepath.Join(folder, "rails.srdf")}
	var args []string
	switch parameter {
	case "--params-file":
		args = append(args, parameter, place)
	case "mesh":
		text := strings.Replace(robotURDF, `<box size="2 0.3 0.3"/>`, `<mesh filename="`+place+`"/>`, 1)
		path := filepath.Join(folder, "mesh.urdf")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return err.Error()
		}
		set["robot_description_file"] = path
	default:
		set[parameter] = place
	}
	for name, value := range set {
		args = append(args, "-p", name+":="+value)
	}
	begin := time.Now()
	p, err := startProcess(newGraph(), s.binary, s.memory, args...)
	if err != nil {
		return err.Error()
	}
	ctx, cancel := context.WithTimeout(context.Background(), filesPatience)
	defer cancel()
	select {
	case <-p.done:
	case <-ctx.Done():
		p.signal(syscall.SIGKILL)
		<-p.done
		return fmt.Sprintf("it had not ended after %v, with %d MB", filesPatience, p.gauge.read().Peak/1000)
	}
	took, peak := time.Since(begin), p.gauge.read().Peak
	r.notes = append(r.notes, fmt.Sprintf("%s = %s: status %d after %.1f s", parameter, strings.Replace(place, folder, "...", 1), p.status(), took.Seconds()))
	r.use.Peak = max(r.use.Peak, peak)
	r.gap = max(r.gap, took)
	switch {
	case peak > filesMemory:
		return fmt.Sprintf("it used %d MB", peak/1000)
	case p.status() != badModel && (parameter != "--params-file" || p.status() <= 0):
		return fmt.Sprintf("it ended with status %d", p.status())
	}
	return ""
}
