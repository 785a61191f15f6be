package main

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"testing"
)

// Each stronger peer has a figure, a public source and what it means.
func TestKnownPeersHaveSources(t *testing.T) {
	for _, k := range known {
		if !strings.HasPrefix(k.source, "https://") || !strings.ContainsAny(k.figure, "0123456789") || k.means == "" || k.what == "" {
			t.Errorf("%s: %+v", k.name, k)
		}
	}
}

// What is said of other software on this corpus stands in the harness's README, row by
// row.
func TestMeasuredElsewhereIsInTheREADME(t *testing.T) {
	text, err := os.ReadFile("../../../shared/peers/README.md")
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("the harness is not here")
	}
	if err != nil {
		t.Fatal(err)
	}
	columns := map[string][]string{}
	for _, line := range strings.Split(string(text), "\n") {
		for _, name := range []string{"FCL (Debian) discrete 0.05", "best mesh library", "VAMP"} {
			if strings.HasPrefix(line, "| "+name) {
				cells := strings.Split(strings.Trim(line, "| "), " | ")
				columns[name] = cells[len(cells)-4:]
			}
		}
	}
	for i, e := range measuredElsewhere {
		for name, pair := range map[string][2]float64{"FCL (Debian) discrete 0.05": e.fcl, "best mesh library": e.mesh, "VAMP": e.vamp} {
			want := format(pair[0]) + " / " + format(pair[1])
			if len(columns[name]) != 4 || columns[name][i] != want {
				t.Errorf("%s, %s: %v in the README, %s here", e.set, name, columns[name], want)
			}
		}
	}
}

func format(x float64) string {
	if x == 0 {
		return "-"
	}
	if x >= 10 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'f', 1, 64)
}

// The page says how far ahead a sphere checker is: FCL's 36 us to VAMP's 3.2 there, our
// 2 to FCL's 20 here.
func TestWriteKnown(t *testing.T) {
	r := twoRounds()
	r.set = "shelf local"
	var out bytes.Buffer
	writeKnown(&out, []*outcome{r})
	for _, want := range []string{"| VAMP |", "| Coal (once hpp-fcl) |", "| cuRobo |", "| shelf local | 3.03 | 0.089, 0.019 | 0.20, 2.00 | 2.2, 105 |"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("nothing says %q in\n%s", want, out.String())
		}
	}
}
