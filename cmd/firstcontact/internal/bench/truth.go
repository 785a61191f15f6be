package bench

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/firstcontact-ros/firstcontact/internal/base/infile"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// benchTruth is the ground truth of each segment.
type benchTruth struct {
	name     string
	method   *benchMethod    // whose answers are the truth; nil if a file gives them
	verdicts []motion.Status // by segment
}

// truthSource reads the truth of the first n segments from a file, or names the method that
// gives it.
func (f *flags) truthSource(ctx context.Context, n int) (*benchTruth, error) {
	if m := methodNamed(f.truth); m != nil {
		return &benchTruth{name: m.name, method: m}, nil
	}
	data, err := infile.Read(ctx, f.truth, limit.DocumentBytes)
	if err != nil {
		return nil, fmt.Errorf("--truth %s: neither a method (%s) nor a file that can be read: %w", f.truth, strings.Join(MethodNames(), ", "), err)
	}
	verdicts, err := parseTruth(f.truth, data, n)
	if err != nil {
		return nil, err
	}
	return &benchTruth{name: f.truth, verdicts: verdicts}, nil
}

// takeFrom takes the answers of the truth's own method as the truth.
func (t *benchTruth) takeFrom(rows []*row) {
	for _, r := range rows {
		if r.method != t.method {
			continue
		}
		for i := range r.answers {
			t.verdicts = append(t.verdicts, r.answers[i].verdict.Status)
		}
		return
	}
}

// parseTruth reads the first n segments from a dump of this command or of the comparison
// harness. Other lines are skipped; a segment without a verdict, or with two, is an error.
func parseTruth(name string, data []byte, n int) ([]motion.Status, error) {
	p := truthParser{verdicts: make([]motion.Status, n), known: make([]bool, n)}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<20)
	for number := 1; lines.Scan(); number++ {
		if err := p.line(strings.TrimSpace(lines.Text())); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, number, err)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for i, known := range p.known {
		if !known {
			return nil, fmt.Errorf("%s: no verdict for segment %d: the first %d segments need one each", name, i, n)
		}
	}
	return p.verdicts, nil
}

type truthParser struct {
	verdicts []motion.Status
	known    []bool
	method   string // the first in a JSON dump
}

func (p *truthParser) line(text string) error {
	if strings.HasPrefix(text, "{") {
		return p.object(text)
	}
	if strings.HasPrefix(text, "SEG ") {
		return p.words(strings.Fields(text))
	}
	return nil
}

// object reads a line of --json. Lines about methods have no segment.
func (p *truthParser) object(text string) error {
	var o struct {
		Method  string
		Segment *int
		Status  string
	}
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		return err
	}
	if o.Segment == nil {
		return nil
	}
	if p.method == "" {
		p.method = o.Method
	}
	if o.Method != p.method {
		return nil
	}
	for _, s := range []motion.Status{motion.Undecided, motion.Free, motion.Contact} {
		if o.Status == s.String() {
			return p.take(*o.Segment, s)
		}
	}
	return fmt.Errorf("status %q: give free, contact or undecided", o.Status)
}

// words reads a line SEG INDEX truth V ... of the harness.
func (p *truthParser) words(w []string) error {
	if len(w) < 4 || w[2] != "truth" {
		return fmt.Errorf("a SEG line must be: SEG INDEX truth V")
	}
	segment, err := strconv.Atoi(w[1])
	if err != nil {
		return fmt.Errorf("%q is not a segment number", w[1])
	}
	for s, digit := range statusDigits {
		if w[3] == digit {
			return p.take(segment, s)
		}
	}
	return fmt.Errorf("truth %q: 0 is free, 1 contact, 2 undecided", w[3])
}

// statusDigits maps verdicts to the digits of the harness.
var statusDigits = map[motion.Status]string{motion.Free: "0", motion.Contact: "1", motion.Undecided: "2"}

func (p *truthParser) take(segment int, s motion.Status) error {
	if segment < 0 {
		return fmt.Errorf("segment %d: they count from 0", segment)
	}
	if segment >= len(p.verdicts) {
		return nil // of a longer run
	}
	if p.known[segment] {
		return fmt.Errorf("has segment %d twice", segment)
	}
	p.known[segment], p.verdicts[segment] = true, s
	return nil
}
