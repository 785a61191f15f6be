package motionfile

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// plotJugglerTime is the column of times (s) in what PlotJuggler exports.
const plotJugglerTime = "__time"

// measuredColumns say what the columns of a measured table are.
type measuredColumns struct {
	time   int // index
	joints []string
	index  []int // of the joints' columns
	all    int
	noted  []string
}

// measuredCSV reads a table whose cells were measured: of PlotJuggler, or any table for
// Options.Recording. Each joint has its own samples, so an empty cell is none.
func (r *reader) measuredCSV(rows *csv.Reader, header []string, line int, cut string) ([]Loaded, error) {
	c, err := r.measuredColumns(header)
	if err == nil {
		err = c.once()
	}
	if err != nil {
		return nil, fmt.Errorf("%s:%d: %w", r.name, line, err)
	}
	b := r.recorder(nil)
	for {
		record, err := rows.Read()
		if errors.Is(err, io.EOF) {
			return r.recorded(b, cut, c.noted...)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.name, err)
		}
		line, _ := rows.FieldPos(0)
		if len(record) != c.all {
			return nil, fmt.Errorf("%s:%d: row has %d cells for %d columns", r.name, line, len(record), c.all)
		}
		at, err := secondsOf(record[c.time])
		if err != nil {
			return nil, fmt.Errorf("%s:%d: column %s: %w", r.name, line, header[c.time], err)
		}
		for k, i := range c.index {
			cell := strings.TrimSpace(record[i])
			if cell == "" {
				continue
			}
			x, err := strconv.ParseFloat(cell, 64)
			if err != nil {
				return nil, fmt.Errorf("%s:%d: column %s: %q is not a number", r.name, line, header[i], clip(cell))
			}
			if err := b.Add(at, c.joints[k:k+1], []float64{x}); err != nil { // each column is a series of its own
				return nil, fmt.Errorf("%s:%d: row %w", r.name, line, err)
			}
		}
	}
}

// once fails if two columns are of one joint, whose samples would alternate.
func (c *measuredColumns) once() error {
	for k, name := range c.joints {
		if first := slices.Index(c.joints, name); first != k {
			return fmt.Errorf("has joint %s in the columns %d and %d: keep one", name, c.index[first]+1, c.index[k]+1)
		}
	}
	return nil
}

// measuredColumns finds the time and the joints in the header.
func (r *reader) measuredColumns(header []string) (*measuredColumns, error) {
	if slices.Contains(header, plotJugglerTime) {
		return r.plotJugglerColumns(header)
	}
	names, err := r.names(header, true)
	if err != nil {
		return nil, err
	}
	c := &measuredColumns{time: -1, all: len(header)}
	for i, name := range names {
		switch {
		case name == "time" && c.time >= 0:
			return nil, errors.New("has two columns named time: keep one")
		case name == "time":
			c.time = i
		case isLeftOut(name):
		case slices.Contains(rootColumns, name):
			return nil, errors.New("places the root link, which cannot be read as a recording: fill in its empty cells")
		default:
			c.joints, c.index = append(c.joints, name), append(c.index, i)
		}
	}
	if c.time < 0 {
		return nil, errors.New("has no column named time: a recording needs one")
	}
	if len(c.joints) == 0 {
		return nil, errors.New("has no column named after a joint")
	}
	return c, nil
}

var (
	jointColumn = regexp.MustCompile(`^(.*)/([^/]+)/position$`)
	arrayColumn = regexp.MustCompile(`^(.*)/position(?:\[(\d+)\]|\.(\d+)|/(\d+))$`)
)

// plotJugglerColumns finds TOPIC/JOINT/position, as PlotJuggler names what a JointState
// measures, or TOPIC/position[0] and so on, where Options.Joints names them in their order.
// Other columns are no positions of joints.
func (r *reader) plotJugglerColumns(header []string) (*measuredColumns, error) {
	c := &measuredColumns{time: -1, all: len(header), noted: []string{"the times are those of PlotJuggler's column __time"}}
	topics := map[string]bool{}
	var arrays []int
	for i, name := range header {
		if name == plotJugglerTime {
			if c.time >= 0 {
				return nil, errors.New("has two columns named __time: keep one")
			}
			c.time = i
		} else if m := jointColumn.FindStringSubmatch(name); m != nil {
			topics[m[1]] = true
			c.joints, c.index = append(c.joints, m[2]), append(c.index, i)
		} else if arrayColumn.MatchString(name) {
			arrays = append(arrays, i)
		}
	}
	switch {
	case len(topics) > 1:
		return nil, fmt.Errorf("has joints of %d topics (%s): export one of them, or read the recording itself", len(topics), strings.Join(slices.Sorted(maps.Keys(topics)), ", "))
	case len(topics) == 1 && len(r.opts.Joints) > 0:
		if err := c.once(); err != nil {
			return nil, err
		}
		return c, c.choose(r.opts.Joints)
	case len(topics) == 1:
		return c, nil
	case len(arrays) > 0:
		return c, c.nameArray(header, arrays, r.opts.Joints)
	}
	return nil, errors.New("has no column TOPIC/JOINT/position of a JointState: export the positions of /joint_states from PlotJuggler")
}

// choose keeps the columns of the named joints.
func (c *measuredColumns) choose(joints []string) error {
	var index []int
	for _, name := range joints {
		i := slices.Index(c.joints, name)
		if i < 0 {
			return fmt.Errorf("has no column of joint %s: choose among %s", name, strings.Join(c.joints, ", "))
		}
		index = append(index, c.index[i])
	}
	c.joints, c.index = joints, index
	return nil
}

// nameArray names the columns of an array of positions.
func (c *measuredColumns) nameArray(header []string, columns []int, joints []string) error {
	byNumber := map[int]int{}
	topic := ""
	for _, i := range columns {
		m := arrayColumn.FindStringSubmatch(header[i])
		n, err := strconv.Atoi(m[2] + m[3] + m[4])
		if _, twice := byNumber[n]; err != nil || twice || topic != "" && m[1] != topic {
			return fmt.Errorf("column %s: the positions are of several topics, or repeat: export one topic", header[i])
		}
		topic, byNumber[n] = m[1], i
	}
	if len(joints) == 0 {
		return fmt.Errorf("numbers the positions of %s and does not name the joints: name them in their order by joints, with _ for those to leave out", topic)
	}
	if len(joints) != len(columns) {
		return fmt.Errorf("has %d positions of %s but %d joints are named: name each, with _ for those to leave out", len(columns), topic, len(joints))
	}
	for n, name := range joints {
		i, ok := byNumber[n]
		if !ok {
			return fmt.Errorf("has no column %s/position[%d]: export all positions", topic, n)
		}
		if !isLeftOut(name) {
			c.joints, c.index = append(c.joints, name), append(c.index, i)
		}
	}
	return nil
}

// secondsOf reads a number of seconds as nanoseconds, to the nanosecond also where a
// float64 could not tell two times apart.
func secondsOf(cell string) (int64, error) {
	cell = strings.TrimSpace(cell)
	whole, fraction, _ := strings.Cut(cell, ".")
	sec, err := strconv.ParseInt(whole, 10, 64)
	if err == nil && isDigits(fraction) && len(fraction) <= 18 && sec >= 0 && sec < 1e9*9 && whole[0] != '-' {
		nano, _ := strconv.ParseInt((fraction + "000000000")[:9], 10, 64)
		return sec*1e9 + nano, nil
	}
	x, err := strconv.ParseFloat(cell, 64)
	if err != nil || math.IsNaN(x) || math.Abs(x) > 9e9 {
		return 0, fmt.Errorf("%q is not a time in seconds", clip(cell))
	}
	return int64(math.Round(x * 1e9)), nil
}

func isDigits(s string) bool { return strings.Trim(s, "0123456789") == "" }
