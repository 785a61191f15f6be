// Package cases writes motions of real robots, which tests of pages show.
package cases

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/firstcontact-ros/firstcontact/motion/motionfile"
)

// Shared is where robots and scenes are that are no part of this repository, as seen from a
// package of the lab.
const Shared = "../../../shared"

// Walk writes the beginning of a recorded person's motion for a Unitree G1, so many of 60 rows a
// second: it walks into a cabinet's door of the apartment after 3.6 s.
func Walk(folder, name string, rows int) (path string, err error) {
	var format struct{ Columns []string }
	text, err := os.ReadFile(Shared + "/scenes/g1_moves/format.json")
	if err != nil {
		return "", err
	}
	if err := json.Unmarshal(text, &format); err != nil {
		return "", err
	}
	f, err := os.Open(Shared + "/scenes/g1_moves/M_Move18.csv")
	if err != nil {
		return "", err
	}
	defer f.Close()
	table, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return "", err
	}
	var from [2]float64
	to := [2]float64{1, 0.5} // of the apartment
	var out strings.Builder
	fmt.Fprintf(&out, "time,%s\n", strings.Join(format.Columns, ","))
	for i, row := range table[:rows] {
		for k := range from {
			x, err := strconv.ParseFloat(row[k], 64)
			if err != nil {
				return "", err
			}
			if i == 0 {
				from[k] = x
			}
			row[k] = strconv.FormatFloat(x-from[k]+to[k], 'g', -1, 64)
		}
		fmt.Fprintf(&out, "%.6f,%s\n", float64(i)/60, strings.Join(row, ","))
	}
	path = filepath.Join(folder, name)
	return path, os.WriteFile(path, []byte(out.String()), 0o644)
}

// Problem is a motion of a Panda into a shelf, and what is around it.
func Problem(index int) string {
	return fmt.Sprintf("%s/scenes/motionbenchmaker/panda.json#bookshelf_small/%d", Shared, index)
}

// Reach writes a part of such a motion, from its start to a time of it (s).
func Reach(folder, name string, index int, until float64) (path string, err error) {
	loaded, err := motionfile.Load(Problem(index), motionfile.Options{})
	if err != nil {
		return "", err
	}
	m := loaded[0].Motion
	var out strings.Builder
	fmt.Fprintf(&out, "time,%s\n", strings.Join(m.Joints, ","))
	for _, at := range []float64{0, until / 2, until} {
		fmt.Fprint(&out, at)
		for _, x := range m.At(at) {
			fmt.Fprintf(&out, ",%v", x)
		}
		fmt.Fprintln(&out)
	}
	path = filepath.Join(folder, name)
	return path, os.WriteFile(path, []byte(out.String()), 0o644)
}
