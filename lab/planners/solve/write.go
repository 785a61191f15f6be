package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/firstcontact-ros/firstcontact/lab/planners/lazyprm"
	"github.com/firstcontact-ros/firstcontact/scene"
)

// write writes a path as a CSV that firstcontact check reads: a column of times and one
// per joint, those included which the problem holds still. Numbers are written to the
// last bit, so that what was verified is what is read.
func write(folder string, from *scene.Problem, p *lazyprm.Problem, path [][]float64) error {
	m, err := p.Motion(path)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	state := lazyprm.StateOf(p.Checker.Robot(), from)
	still := slices.Sorted(maps.Keys(state))
	var b bytes.Buffer
	fmt.Fprintln(&b, strings.Join(slices.Concat([]string{"time"}, p.Joints, still), ","))
	for i, q := range path {
		t := 0.0
		if i > 0 {
			t = m.Pieces[i-1].End
		}
		line := []string{number(t)}
		for _, x := range q {
			line = append(line, number(x))
		}
		for _, name := range still {
			line = append(line, number(state[name]))
		}
		fmt.Fprintln(&b, strings.Join(line, ","))
	}
	return os.WriteFile(filepath.Join(folder, fmt.Sprintf("%s-%d.csv", from.Set, from.Index)), b.Bytes(), 0o644)
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
