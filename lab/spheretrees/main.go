package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
)

func main() {
	data := flag.String("data", "../../shared", "folder of robots and scenes")
	out := flag.String("out", "docs/sphere-trees", "folder for the figures")
	queries := flag.Int("queries", 20, "configurations of the humanoid")
	only := flag.String("only", "levels,cubes,limits,savings,tolerances", "what to measure, in that order")
	flag.Parse()
	if err := run(os.Stdout, *data, *out, *only, *queries); err != nil {
		fmt.Fprintln(os.Stderr, "spheretrees:", err)
		os.Exit(1)
	}
}

// run measures what is asked for, one table after the other. The humanoid is loaded
// when it is first needed.
func run(w io.Writer, data, out, only string, queries int) error {
	if queries < 1 {
		return fmt.Errorf("%d configurations: give at least one", queries)
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	var h *humanoid
	humanoids := map[string]func(io.Writer, string) error{
		"limits":     func(w io.Writer, out string) error { return h.limits(w, out) },
		"savings":    func(w io.Writer, out string) error { return h.savings(w, out) },
		"tolerances": func(w io.Writer, out string) error { return h.tolerances(w, out) },
	}
	for _, what := range strings.Split(only, ",") {
		var err error
		step := humanoids[what]
		if step != nil && h == nil {
			if h, err = newHumanoid(data, queries); err != nil {
				return err
			}
			h.volumes(w)
		}
		switch {
		case step != nil:
			err = step(w, out)
		case what == "levels":
			err = levels(w, data, out)
		case what == "cubes":
			err = cubes(w, out)
		default:
			err = fmt.Errorf("%q is not known: give some of levels, cubes, limits, savings, tolerances", what)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
