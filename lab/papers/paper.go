package papers

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Paper is one of the four.
type Paper struct {
	Key     string // RKLM04
	Cite    string
	Machine string // that its times were taken on, in its own words' sense
	Method  string // the package that has its method
	Roman   bool   // its tables have Roman numbers
	Apart   string // in what all of the work here differs from its own
	Entries []Entry
}

// Entry is a table or a figure of a paper, and what is measured here beside it.
type Entry struct {
	Name   string // table2, figure9
	Title  string // what it shows
	Where  string // the section that tells of it
	Theirs []Table
	Says   string // numbers that the text or the caption gives of a picture
	Lost   string // what the text does not give
	Differ string // in what the rerun differs from the paper's work
	Apart  string // the same in short, for its duels

	// Run measures; nil where there is nothing to measure, and Why says why.
	Run func(*Bench) (*Result, error)
	Why string
	// Judge says of what was measured whether the paper's claims show. It measures nothing.
	Judge func(r *Result, theirs *Table) []Claim
}

// values are numbers that were measured, by what they are.
type values map[string]float64

// Printed reports whether the text gives any number of the entry.
func (e *Entry) Printed() bool { return len(e.Theirs) > 0 || e.Says != "" }

// Table is rows under a heading. A cell holds what is printed.
type Table struct {
	Title string     `json:"title,omitempty"`
	Head  []string   `json:"head"`
	Rows  [][]string `json:"rows"`
}

// printed reads a table written one row a line, cells between bars.
func printed(title, text string) Table {
	t := Table{Title: title}
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		cells := strings.Split(line, "|")
		for k := range cells {
			cells[k] = strings.TrimSpace(cells[k])
		}
		if i == 0 {
			t.Head = cells
		} else {
			t.Rows = append(t.Rows, cells)
		}
	}
	return t
}

// add appends a row; a float64 is written with three digits that count.
func (t *Table) add(cells ...any) {
	row := make([]string, len(cells))
	for i, c := range cells {
		switch c := c.(type) {
		case float64:
			row[i] = digits(c)
		case string:
			row[i] = c
		default:
			row[i] = fmt.Sprint(c)
		}
	}
	t.Rows = append(t.Rows, row)
}

// value is the number in a row, counted from 0, under a heading. It panics where there
// is none: the tables that it reads are constants of this package.
func (t *Table) value(row int, head string) float64 {
	for i, h := range t.Head {
		if h == head {
			x, ok := number(t.Rows[row][i])
			if !ok {
				panic(fmt.Sprintf("%s, row %d, %s: %q is no number", t.Title, row, head, t.Rows[row][i]))
			}
			return x
		}
	}
	panic(fmt.Sprintf("%s has no column %s", t.Title, head))
}

// cell is what is printed in a row under a heading.
func (t *Table) cell(row int, head string) string {
	return t.Rows[row][slices.Index(t.Head, head)]
}

// firstNumber reads the first of two numbers in a cell, as in 47 / 0.6.
func firstNumber(cell string) float64 {
	first, _, _ := strings.Cut(cell, " / ")
	x, _ := number(first)
	return x
}

// number reads a cell as papers print it: 20,000, 3.40K, 96.3%, 7.91e+06.
func number(cell string) (float64, bool) {
	cell = strings.ReplaceAll(cell, ",", "")
	factor := 1.0
	if s, ok := strings.CutSuffix(cell, "K"); ok {
		cell, factor = s, 1000
	}
	cell = strings.TrimSuffix(cell, "%")
	x, err := strconv.ParseFloat(cell, 64)
	return x * factor, err == nil
}

// digits writes x with three digits that count, large numbers in groups.
func digits(x float64) string {
	switch a := max(x, -x); {
	case x != x:
		return "-"
	case a == 0:
		return "0"
	case a >= 100:
		return grouped(x)
	case a >= 99.95: // not quite all of a hundred
		return strconv.FormatFloat(x, 'f', 3, 64)
	case a < 1e-4:
		return strconv.FormatFloat(x, 'g', 3, 64)
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}

func grouped(x float64) string {
	s := strconv.FormatFloat(x, 'f', 0, 64)
	sign := ""
	if s[0] == '-' {
		sign, s = "-", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}

// Result is what was measured for an entry.
type Result struct {
	Scale   string    `json:"scale"`
	Machine string    `json:"machine"`
	Setup   []string  `json:"setup,omitempty"` // the work: models, sizes, how many
	Tables  []Table   `json:"tables,omitempty"`
	Samples []Sample  `json:"samples,omitempty"`
	Values  values    `json:"values,omitempty"`
	Charts  []Chart   `json:"charts,omitempty"`
	Notes   []string  `json:"notes,omitempty"` // made by machine, of what was measured
	Agreed  agreement `json:"agreed"`          // of the methods that prove
	Seconds float64   `json:"seconds"`         // of computing that all of it took
}

// Chart is a figure to be drawn: lines, or steps of a histogram.
type Chart struct {
	Name   string   `json:"name"` // of the file, without its ending
	Title  string   `json:"title"`
	X      string   `json:"x"`
	Y      string   `json:"y"`
	LogX   bool     `json:"log_x,omitempty"`
	LogY   bool     `json:"log_y,omitempty"`
	Steps  bool     `json:"steps,omitempty"`
	Series []Series `json:"series"`
}

// Series is a curve of a chart.
type Series struct {
	Name string    `json:"name"`
	X    []float64 `json:"x"`
	Y    []float64 `json:"y"`
}
