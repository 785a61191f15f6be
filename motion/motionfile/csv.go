package motionfile

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/base/ccdscene"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// csv reads rows of positions; the first row is a header if its cells are text.
func (r *reader) csv(data []byte) ([]Loaded, error) {
	data = bytes.TrimPrefix(data, []byte(byteOrderMark))
	first, line, header, err := r.firstRow(data)
	switch {
	case err != nil:
		return nil, err
	case r.opts.Recording && !header:
		return nil, fmt.Errorf("%s: has no header, which a table that was measured needs: add one with time and the joints", r.name)
	case r.opts.Recording || slices.Contains(first, plotJugglerTime):
		whole, cut := wholeRows(data)
		rows := rowsOf(whole)
		if len(whole) > 0 {
			_, _ = rows.Read() // the header again
		}
		return r.measuredCSV(rows, trimmed(first), line, cut)
	}
	t, err := r.table(rowsOf(data))
	if err != nil {
		return nil, err
	}
	out := make([]Loaded, 1)
	if err := r.finish(&out[0], t); err != nil {
		return nil, fmt.Errorf("%s: %w", r.name, err)
	}
	if cut := Unended(data); cut != "" {
		out[0].Warnings = append(out[0].Warnings, cut)
	}
	r.number(out)
	return out, nil
}

// firstRow returns the first row of a table, its line, and whether it is a header; no cells if there are no rows.
func (r *reader) firstRow(data []byte) (first []string, line int, header bool, err error) {
	rows := rowsOf(data)
	first, err = rows.Read()
	if errors.Is(err, io.EOF) {
		return nil, 0, false, nil
	}
	if err != nil {
		return nil, 0, false, fmt.Errorf("%s: %w", r.name, err)
	}
	line, _ = rows.FieldPos(0)
	if header, err = isHeader(first); err != nil {
		err = fmt.Errorf("%s:%d: %w", r.name, line, err)
	}
	return first, line, header, err
}

// IsTable reports whether a file's content is read as a table of positions, whose columns Options.Joints names: not as a
// recording, nor as a format that says itself what its numbers are.
func IsTable(data []byte, opts Options) bool {
	if opts.Recording || ccdscene.AreSegments(data) || isEcho(data) || isEchoCSV(data) || isDocument(data) {
		return false
	}
	header, err := rowsOf(bytes.TrimPrefix(data, []byte(byteOrderMark))).Read()
	return err != nil || !slices.Contains(header, plotJugglerTime)
}

// Unended is a warning about a table whose last line does not end; empty if it does.
func Unended(data []byte) string {
	if _, cut := wholeRows(data); cut != "" {
		return unended + ": if the file was cut short, its last number may have lost digits"
	}
	return ""
}

// byteOrderMark begins texts of some programs.
const byteOrderMark = "\xef\xbb\xbf"

func rowsOf(data []byte) *csv.Reader {
	rows := csv.NewReader(bytes.NewReader(data))
	rows.Comma = delimiter(data)
	rows.Comment = '#'
	rows.TrimLeadingSpace = true
	rows.ReuseRecord = true
	rows.FieldsPerRecord = -1 // counted here, for messages that say what to do
	return rows
}

// trimmed returns the cells without spaces around them.
func trimmed(cells []string) []string {
	out := make([]string, len(cells))
	for i, cell := range cells {
		out[i] = strings.TrimSpace(cell)
	}
	return out
}

// delimiter returns the first of comma, semicolon and tab that the first row
// has.
func delimiter(data []byte) rune {
	for line := range bytes.Lines(data) {
		if line = bytes.TrimSpace(line); len(line) == 0 || line[0] == '#' {
			continue
		}
		for _, c := range ",;\t" {
			if bytes.ContainsRune(line, c) {
				return c
			}
		}
		break
	}
	return ','
}

func (r *reader) table(rows *csv.Reader) (*trajectory, error) {
	var c *columns
	t := &trajectory{}
	for {
		record, err := rows.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.name, err)
		}
		line, _ := rows.FieldPos(0)
		if c == nil {
			header, err := isHeader(record)
			if err == nil {
				c, err = r.columns(record, header)
			}
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %w", r.name, line, err)
			}
			if header {
				continue
			}
		}
		p, err := c.row(record, len(t.points))
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", r.name, line, err)
		}
		t.points = append(t.points, p)
	}
	if len(t.points) == 0 {
		return nil, fmt.Errorf("%s: has no rows of positions", r.name)
	}
	t.joints = c.joints
	return t, nil
}

// isHeader reports whether the first row of a table names its columns: it has text, and no number. A row of both is an
// error: taken for a header, a row of positions with one damaged cell would be dropped.
func isHeader(record []string) (bool, error) {
	var text, number string
	for _, cell := range record {
		cell = strings.TrimSpace(cell)
		switch _, err := strconv.ParseFloat(cell, 64); {
		case cell == "":
		case err == nil:
			number = cell
		default:
			text = cell
		}
	}
	if text != "" && number != "" {
		return false, fmt.Errorf("the first row has the text %q and the number %q, so it is neither a header nor a row of positions: correct the cell that is wrong; names of columns must not be numbers", clip(text), clip(number))
	}
	return text != "", nil
}

// columns says what the columns of a table are.
type columns struct {
	names  []string
	joints []string // the names that are joints
	rate   float64  // of rows, where no column is the time
	roots  int      // how many of rootColumns there are: all or none
}

// rootColumns place the root link in the frame of the scene: a position in
// metres and a unit quaternion.
var rootColumns = []string{"root_x", "root_y", "root_z", "root_qx", "root_qy", "root_qz", "root_qw"}

func (r *reader) columns(first []string, header bool) (*columns, error) {
	names, err := r.names(first, header)
	if err != nil {
		return nil, err
	}
	c := &columns{names: names, rate: r.opts.Rate}
	times := 0
	for _, name := range c.names {
		switch {
		case name == "time":
			times++
		case isLeftOut(name):
		case slices.Contains(rootColumns, name):
			c.roots++
		default:
			c.joints = append(c.joints, name)
		}
	}
	switch {
	case c.roots > 0 && !c.placesRoot():
		return nil, fmt.Errorf("places the root link by %d columns: give each of %s once, or leave them out with _", c.roots, strings.Join(rootColumns, ", "))
	case times > 1:
		return nil, errors.New("has two columns named time: keep one")
	case times == 1 && c.rate != 0:
		return nil, errors.New("has a column of times and a rate is given: give one of them")
	case times == 0 && c.rate == 0:
		return nil, errors.New("has no column named time: add one, or give the rate of the rows")
	case times == 0 && (!(c.rate > 0) || math.IsInf(c.rate, 0)):
		return nil, fmt.Errorf("rate of %g rows per second: give a positive number", c.rate)
	case len(c.joints) == 0:
		return nil, errors.New("has no column named after a joint")
	}
	return c, nil
}

// names returns what the columns of a table are: by its header or, where it has none, by Options.Joints. Names that
// are given leave columns of a header out and change nothing else: in another order they would exchange joints.
func (r *reader) names(first []string, header bool) ([]string, error) {
	given := r.opts.Joints
	switch {
	case header:
		names, err := underHeader(trimmed(first), given)
		return r.renamed(names), err
	case len(given) == 0:
		return nil, errors.New("has no header: name its columns, by joints and time")
	case len(given) != len(first):
		return nil, fmt.Errorf("%d columns are named but the file has %d: name each, with _ for those to leave out", len(given), len(first))
	}
	return r.renamed(given), nil
}

// underHeader returns the names of a header, without those that are given as left out.
func underHeader(header, given []string) ([]string, error) {
	if len(given) == 0 {
		return header, nil
	}
	same := func(name, given string) bool { return name == given || isLeftOut(given) }
	if !slices.EqualFunc(header, given, same) {
		return nil, fmt.Errorf("the header names the columns %s, and the names given are %s: give the same names in the same order, with _ for columns to leave out, or none; rename a column in the header",
			strings.Join(header, ","), strings.Join(given, ","))
	}
	return given, nil
}

// isLeftOut reports whether a name says that its column is left out.
func isLeftOut(name string) bool { return name == "_" || name == "-" }

// renamed returns the names under Options.Rename.
func (r *reader) renamed(names []string) []string {
	out := slices.Clone(names)
	for i, name := range out {
		if to, ok := r.opts.Rename[name]; ok {
			out[i] = to
		}
	}
	return out
}

// placesRoot reports whether the root's columns are all there, once.
func (c *columns) placesRoot() bool {
	return c.roots == len(rootColumns) && !slices.ContainsFunc(rootColumns, func(name string) bool { return !slices.Contains(c.names, name) })
}

// row reads the i-th row of positions.
func (c *columns) row(record []string, i int) (motion.Waypoint, error) {
	p := motion.Waypoint{Positions: make([]float64, 0, len(c.joints))}
	if len(record) != len(c.names) {
		return p, fmt.Errorf("row has %d cells for %d columns", len(record), len(c.names))
	}
	if c.rate > 0 {
		p.Time = float64(i) / c.rate
	}
	var root [7]float64
	for k, cell := range record {
		name := c.names[k]
		if isLeftOut(name) {
			continue
		}
		if strings.TrimSpace(cell) == "" {
			return p, fmt.Errorf("column %s is empty, which says nothing of it: fill it in, or if the rows were measured, read them as a recording (--recording), where each column has samples of its own", name)
		}
		x, err := strconv.ParseFloat(strings.TrimSpace(cell), 64)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return p, fmt.Errorf("column %s: %q is not a finite number", name, clip(cell))
		}
		if name == "time" {
			p.Time = x
			continue
		}
		if i := slices.Index(rootColumns, name); i >= 0 {
			root[i] = x
			continue
		}
		p.Positions = append(p.Positions, x)
	}
	if c.roots > 0 {
		turn, err := unitQuaternion(root[3:])
		if err != nil {
			return p, fmt.Errorf("columns root_qx to root_qw: %w", err)
		}
		p.Root = &geom.Pose{R: turn, P: geom.Vec{X: root[0], Y: root[1], Z: root[2]}}
	}
	return p, nil
}

func clip(s string) string {
	if len(s) > 40 {
		return s[:40] + "..."
	}
	return s
}
