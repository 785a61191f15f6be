package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/firstcontact-ros/firstcontact/urdf"
)

// whole is what the command took for a batch in one process.
type whole struct {
	edges, folders int
	wall           time.Duration
	peak           int64 // bytes: VmHWM
	files, table   int64 // bytes that were read and written
}

// whole checks so many edges in so many roadmaps with the command, on one thread.
func (b *bench) whole(ctx context.Context, command string, edges, folders int) (w whole, err error) {
	dir, err := os.MkdirTemp("", "fleet-")
	if err != nil {
		return w, err
	}
	defer os.RemoveAll(dir)
	robot, err := urdf.Load(b.robot, urdf.Options{})
	if err != nil {
		return w, err
	}
	in, out, mapping := filepath.Join(dir, "roadmaps"), filepath.Join(dir, "results"), filepath.Join(dir, "map.yaml")
	for i := range folders {
		if err := writeRoadmap(filepath.Join(in, fmt.Sprint(i)), robot, edges/folders); err != nil {
			return w, err
		}
	}
	if err := os.WriteFile(mapping, []byte(units), 0o644); err != nil {
		return w, err
	}
	var told bytes.Buffer
	cmd := exec.CommandContext(ctx, command, "batch", "--robot", b.robot, "--scene", b.scene, "--map", mapping, "--out", out, "--jobs", "1", in)
	cmd.Stdout, cmd.Stderr = &told, &told
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		return w, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	w = whole{edges: edges, folders: folders}
	for waiting := true; waiting; {
		select {
		case err = <-ended:
			waiting = false
		case <-time.After(10 * time.Millisecond):
			w.peak = max(w.peak, peakOf(cmd.Process.Pid))
		}
	}
	w.wall = time.Since(begin)
	if code := cmd.ProcessState.ExitCode(); code < 0 || code > 3 { // 3: the worst verdict is UNDECIDED
		return w, fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, told.String())
	}
	w.files = sizeOf(in)
	w.table = sizeOf(filepath.Join(out, "motions.parquet"))
	return w, nil
}

// peakOf is the most memory that a process has had so far, 0 if it has ended.
func peakOf(pid int) int64 {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	for line := range strings.Lines(string(text)) {
		if words := strings.Fields(line); len(words) == 3 && words[0] == "VmHWM:" {
			kilobytes, _ := strconv.ParseInt(words[1], 10, 64)
			return kilobytes << 10
		}
	}
	return 0
}

// sizeOf is how many bytes a file has, or all files of a folder.
func sizeOf(path string) (sum int64) {
	_ = filepath.Walk(path, func(_ string, info os.FileInfo, err error) error {
		if err == nil && info.Mode().IsRegular() {
			sum += info.Size()
		}
		return nil
	})
	return sum
}
