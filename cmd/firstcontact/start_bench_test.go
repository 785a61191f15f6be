package main

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
)

// BenchmarkStart runs whole commands, but for the start of the process: on a robot of 219,000
// triangles with an empty cache and with a filled one, and on one of 600 planning problems.
func BenchmarkStart(b *testing.B) {
	const shared = "../../../shared/"
	if _, err := os.Stat(shared); err != nil {
		b.Skip("needs ../shared")
	}
	g1 := []string{"distance", "-q", "--robot", shared + "robots/g1/g1.urdf", "--accept", "default-pairs"}
	problem := []string{
		"check", "-q", "--robot", shared + "robots/panda/panda.urdf", "--srdf", shared + "robots/panda/panda.srdf",
		shared + "scenes/motionbenchmaker/panda.json#cage/1",
	}
	for _, bench := range []struct {
		name string
		args []string
		cold bool
	}{{"g1/cold", g1, true}, {"g1/cached", g1, false}, {"problem/cached", problem, false}} {
		b.Run(bench.name, func(b *testing.B) {
			dir := b.TempDir()
			start(b, bench.args, dir)
			for b.Loop() {
				if bench.cold {
					if err := os.RemoveAll(dir); err != nil {
						b.Fatal(err)
					}
				}
				start(b, bench.args, dir)
			}
		})
	}
}

func start(b *testing.B, args []string, cache string) {
	b.Helper()
	var out, errs bytes.Buffer
	args = append(args[:len(args):len(args)], "--cache", cache)
	if code := run(context.Background(), args, strings.NewReader(""), &out, &errs); code > cli.ExitUndecided {
		b.Fatalf("status %d: %s", code, &errs)
	}
}
