package main

import (
	"bytes"
	"context"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
)

// fileFlags are the command lines that read a file, with FILE where it stands.
var fileFlags = map[string][]string{
	"robot":       {"check", "-q", "--robot", "FILE", humanoid + "trajectory_free.yaml"},
	"SRDF":        {"check", "-q", "--robot", humanoid + "humanoid.urdf", "--srdf", "FILE", humanoid + "trajectory_free.yaml"},
	"scene":       {"check", "-q", "--robot", humanoid + "humanoid.urdf", "--scene", "FILE", humanoid + "trajectory_free.yaml"},
	"motion":      {"check", "-q", "--robot", humanoid + "humanoid.urdf", "FILE"},
	"proofs":      {"check", "-q", "--robot", humanoid + "humanoid.urdf", "--pairs", "FILE", humanoid + "trajectory_free.yaml"},
	"distance":    {"distance", "-q", "--robot", humanoid + "humanoid.urdf", "--scene", "FILE"},
	"pairs":       {"pairs", "-q", "--robot", "FILE"},
	"pairs file":  {"pairs", "-q", "--robot", humanoid + "humanoid.urdf", "--file", "FILE"},
	"spheres":     {"spheres", "-q", "--robot", humanoid + "humanoid.urdf", "--verify", "FILE"},
	"certificate": {"verify", "-q", "--robot", humanoid + "humanoid.urdf", "--certificate", "FILE", humanoid + "trajectory_free.yaml"},
	"mesh":        {"check", "-q", "--robot", "ROBOT WITH MESH", humanoid + "trajectory_free.yaml"},
	"scene mesh":  {"distance", "-q", "--robot", humanoid + "humanoid.urdf", "--scene", "SCENE WITH MESH"},
	"octree":      {"distance", "-q", "--robot", humanoid + "humanoid.urdf", "--scene", "SCENE WITH OCTREE"},
	"points":      {"distance", "-q", "--robot", humanoid + "humanoid.urdf", "--scene", "SCENE WITH POINTS"},
	"parameters":  {"node", "--ros-args", "--params-file", "FILE"},
}

// withFile is a command line with the file at path in its place; where another file
// has to name it, that is made.
func withFile(t *testing.T, args []string, path string) []string {
	t.Helper()
	texts := map[string]string{
		"FILE":              "",
		"ROBOT WITH MESH":   `<robot name="r"><link name="a"><collision><geometry><mesh filename="file://` + path + `"/></geometry></collision></link></robot>`,
		"SCENE WITH MESH":   "objects: [{id: a, type: mesh, mesh: " + path + "}]",
		"SCENE WITH OCTREE": "objects: [{id: a, type: octree, octree: " + path + "}]",
		"SCENE WITH POINTS": "objects: [{id: a, type: points, radius: 0.1, points: " + path + "}]",
	}
	out := make([]string, len(args))
	for i, arg := range args {
		out[i] = arg
		text, ok := texts[arg]
		if !ok {
			continue
		}
		if out[i] = path; text != "" {
			out[i] = filepath.Join(t.TempDir(), "file.yaml")
			if err := os.WriteFile(out[i], []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	return out
}

// stopAtReader calls stop once somebody has opened a pipe to read from it.
func stopAtReader(ctx context.Context, stop func(), pipe string) {
	for ctx.Err() == nil {
		if w, err := os.OpenFile(pipe, os.O_WRONLY|syscall.O_NONBLOCK, 0); err == nil {
			w.Close()
			stop()
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// A file that never ends, or from which nothing ever comes, keeps no command: devices
// are refused at once, and a pipe is given up when the command is to end.
func TestFilesThatNeverEnd(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Skip(err)
	}
	for name, args := range fileFlags {
		for _, path := range []string{"/dev/zero", fifo} {
			t.Run(name+" "+filepath.Base(path), func(t *testing.T) {
				ctx, stop := context.WithCancel(context.Background())
				defer stop()
				if path == fifo {
					go stopAtReader(ctx, stop, fifo)
				}
				args := withFile(t, args, path)
				var errs bytes.Buffer
				done := make(chan int, 1)
				begin := time.Now()
				go func() { done <- run(ctx, args, strings.NewReader(""), &errs, &errs) }()
				select {
				case code := <-done:
					want := cli.ExitBadInput
					if path == fifo {
						if want = cli.ExitInterrupted; name == "parameters" {
							want = cli.ExitFree // a node that is told to end has done so
						}
					}
					if code != want || want != cli.ExitFree && !strings.Contains(errs.String(), path) {
						t.Errorf("exit status %d, want %d: %s", code, want, errs.String())
					}
					t.Logf("%v", time.Since(begin).Round(time.Millisecond))
				case <-time.After(20 * time.Second):
					t.Fatal("it hangs")
				}
			})
		}
	}
}

// A pipe is a file like any other where somebody writes to it.
func TestFilesFromPipes(t *testing.T) {
	scene := filepath.Join(t.TempDir(), "scene.yaml")
	if err := os.WriteFile(scene, []byte("objects: [{id: far, type: box, xyz: [5, 0, 0], size: [1, 1, 1]}]"), 0o600); err != nil {
		t.Fatal(err)
	}
	files := map[string]string{"robot": humanoid + "humanoid.urdf", "SRDF": humanoid + "humanoid.srdf", "scene": scene, "motion": humanoid + "trajectory_free.yaml"}
	for name, from := range files {
		text, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		fifo := filepath.Join(t.TempDir(), "fifo")
		if err := syscall.Mkfifo(fifo, 0o600); err != nil {
			t.Skip(err)
		}
		go func() {
			if w, err := os.OpenFile(fifo, os.O_WRONLY, 0); err == nil {
				_, _ = w.Write(text)
				w.Close()
			}
		}()
		args := maps.Clone(files)
		args[name] = fifo
		code, out, errs := command(t, "", "check", "-q", "--package", "humanoid_description="+humanoid+"humanoid_description", "--robot", args["robot"], "--srdf", args["SRDF"], "--scene", args["scene"], args["motion"])
		if code != cli.ExitFree {
			t.Errorf("%s from a pipe: exit status %d: %s%s", name, code, out, errs)
		}
	}
}
