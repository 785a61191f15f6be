package motionfile

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/firstcontact-ros/firstcontact/motion/recording"
)

// A row of ros2 topic echo --csv is a message, its fields one after the other, without
// their lengths and without quotes:
//
//	sec,nanosec,frame_id,NAMES,POSITIONS,VELOCITIES,EFFORTS
//
// An empty list is one empty cell. The names are the cells that are no numbers, so their
// number tells how many positions, velocities and efforts follow: that many numbers each,
// or an empty cell. Any other row is refused.

// isEchoCSV tells such rows by the first one: two whole numbers, a third cell, and a
// name. A header of a table does not begin with two numbers.
func isEchoCSV(data []byte) bool {
	for line := range bytes.Lines(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))) {
		if line = bytes.TrimSpace(line); len(line) == 0 || bytes.HasPrefix(line, []byte(lost)) || bytes.HasPrefix(line, []byte("total count")) {
			continue
		}
		cells := strings.SplitN(string(line[:min(len(line), 1000)]), ",", 5)
		return len(cells) == 5 && isWhole(cells[0]) && isWhole(cells[1]) && cells[3] != "" && !isNumber(cells[3])
	}
	return false
}

func isWhole(cell string) bool {
	_, err := strconv.ParseInt(cell, 10, 64)
	return err == nil
}

// isNumber reports whether Python prints a number like that.
func isNumber(cell string) bool {
	_, err := strconv.ParseFloat(cell, 64)
	return err == nil
}

// echoCSV reads a recording of JointState messages as rows.
func (r *reader) echoCSV(data []byte) ([]Loaded, error) {
	data, missing := dropLost(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")))
	data, cut := wholeRows(data)
	b := r.recorder(r.opts.Joints)
	number := 0
	for line := range bytes.Lines(data) {
		number++
		text := strings.TrimSpace(string(line))
		if text == "" || text == "---" {
			continue
		}
		if err := addEchoRow(b, strings.Split(text, ",")); err != nil {
			return nil, fmt.Errorf("%s:%d: row of ros2 topic echo --csv %w", r.name, number, err)
		}
	}
	return r.recorded(b, cut, lostNote(missing)...)
}

const takeYAML = "record it without --csv, as YAML, which names every field"

func addEchoRow(b *recording.Builder, cells []string) error {
	if len(cells) < 5 || !isWhole(cells[0]) || !isWhole(cells[1]) {
		return fmt.Errorf("does not begin with sec,nanosec,frame_id: is it a JointState? %s", takeYAML)
	}
	sec, _ := strconv.ParseInt(cells[0], 10, 64)
	nano, _ := strconv.ParseInt(cells[1], 10, 64)
	if sec < math.MinInt32 || sec > math.MaxInt32 || nano < 0 || nano >= 1e9 {
		return fmt.Errorf("has the stamp %d s and %d ns, which is none", sec, nano)
	}
	rest := cells[3:]
	k := 0
	for k < len(rest) && rest[k] != "" && !isNumber(rest[k]) {
		k++
	}
	names := rest[:k]
	if k == 0 {
		return fmt.Errorf("names no joint, or a joint like a number: %s", takeYAML)
	}
	rest = rest[k:]
	var positions []float64
	for i, what := range [...]string{"positions", "velocities", "efforts"} {
		numbers, after, err := numbersOrNone(rest, k)
		if err != nil {
			return fmt.Errorf("has %d names but no %d %s after them: %w (arrays of different lengths, or of more than 128 elements without --full-length?): %s", k, k, what, err, takeYAML)
		}
		if rest = after; i == 0 {
			positions = numbers
		}
	}
	if len(rest) > 0 {
		return fmt.Errorf("has %d cells more than its %d names explain: %s", len(rest), k, takeYAML)
	}
	return b.Add(sec*1e9+nano, names, positions)
}

// numbersOrNone takes k numbers from the cells, or one empty cell.
func numbersOrNone(cells []string, k int) (numbers []float64, rest []string, err error) {
	if len(cells) > 0 && cells[0] == "" {
		return nil, cells[1:], nil
	}
	if len(cells) < k {
		return nil, nil, fmt.Errorf("only %d cells are left", len(cells))
	}
	numbers = make([]float64, k)
	for i := range numbers {
		if numbers[i], err = strconv.ParseFloat(cells[i], 64); err != nil {
			return nil, nil, fmt.Errorf("%q is not a number", clip(cells[i]))
		}
	}
	return numbers, cells[k:], nil
}
