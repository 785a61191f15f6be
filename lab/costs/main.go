// Command costs measures how the cost of a proof grows: with the gap that is left, the length of
// the motion, the triangles of an obstacle, the links of the robot and the obstacles around it. It
// fits a law to each and writes the page lab/docs/costs.md with its curves.
//
//	make costs
//
// Steps of the proof (intervals, proof rules, searches) are the same on every machine;
// microseconds are the thread's computing time, the least of several repetitions.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	folder := flag.String("docs", "docs", "the folder of the page")
	few := flag.Bool("short", false, "measure the smaller half of each sweep, and print only")
	only := flag.String("only", "", "measure this sweep, and print only")
	flag.Parse()
	if err := run(*folder, *only, *few); err != nil {
		fmt.Fprintln(os.Stderr, "costs:", err)
		os.Exit(1)
	}
}

func run(folder, only string, few bool) error {
	var curves []curve
	for _, s := range sweeps() {
		if only != "" && only != s.name {
			continue
		}
		if few {
			s.at = s.at[:(len(s.at)+1)/2]
		}
		c, err := s.measure()
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		fmt.Print(c.table(), "\n", c.law(), "\n\n")
		curves = append(curves, c)
	}
	if few || only != "" {
		return nil
	}
	return writePage(filepath.Join(folder, "costs.md"), filepath.Join(folder, "costs"), curves)
}
