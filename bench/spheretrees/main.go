package main

import (
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	data := flag.String("data", "../shared", "folder of robots and scenes")
	out := flag.String("out", "docs/sphere-trees", "folder for the figures")
	queries := flag.Int("queries", 20, "configurations of the humanoid")
	flag.Parse()
	if err := run(os.Stdout, *data, *out, *queries); err != nil {
		fmt.Fprintln(os.Stderr, "spheretrees:", err)
		os.Exit(1)
	}
}

// run measures everything, one table after the other.
func run(w io.Writer, data, out string, queries int) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	if err := levels(w, data, out); err != nil {
		return err
	}
	if err := cubes(w, out); err != nil {
		return err
	}
	h, err := newHumanoid(data, queries)
	if err != nil {
		return err
	}
	for _, step := range []func(io.Writer, string) error{h.volumes, h.limits, h.tolerances, h.savings} {
		if err := step(w, out); err != nil {
			return err
		}
	}
	return nil
}
