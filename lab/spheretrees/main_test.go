package main

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/plot/plotter"

	"github.com/firstcontact-ros/firstcontact/lab/spheretree"
)

// A figure is written, with every line in its legend; one that cannot be drawn is an
// error.
func TestFigure(t *testing.T) {
	folder := t.TempDir()
	f := figure{title: "T", x: "across", y: "up", logX: true, lines: []line{{"one", plotter.XYs{{X: 1, Y: 2}, {X: 10, Y: 3}}}}}
	must(t, f.draw(folder, "f"))
	data, err := os.ReadFile(filepath.Join(folder, "f.svg"))
	must(t, err)
	for _, word := range []string{"one", "across", "up"} {
		if !strings.Contains(string(data), word) {
			t.Errorf("%q is not in the figure", word)
		}
	}
	f.lines = append(f.lines, line{"none", plotter.XYs{{X: 1, Y: math.NaN()}}})
	if f.draw(folder, "g") == nil {
		t.Error("a point that is nowhere was drawn")
	}
}

// Cubes as far apart as asked for cost something, and compact trees of an L have less
// volume than the others.
func TestModels(t *testing.T) {
	var volume []float64
	for _, k := range kinds {
		tree, err := plant(spheretree.Surface{Triangles: lShape()}, k)
		must(t, err)
		volume = append(volume, tree.Volume())
		if cubeTime(tree, 0.5, 0) <= 0 {
			t.Errorf("%s: no time", k)
		}
	}
	if !(2*volume[0] < volume[1] && 2*volume[0] < volume[2]) {
		t.Errorf("volumes %v", volume)
	}
}
