package batch

import (
	"encoding/json"
	"fmt"
)

// written is a plan as a file has it: with the SHA-256 of what it says, so that a file that was damaged or
// edited is not believed.
type written struct {
	*Plan
	Sum string
}

func (p *Plan) sum() string { return sumOfText([]any{p}) }

func (p *Plan) encode() ([]byte, error) { return json.Marshal(written{p, p.sum()}) }

// decodePlan reads what encode has written.
func decodePlan(data []byte) (*Plan, error) {
	w := written{Plan: &Plan{}}
	if err := json.Unmarshal(data, &w); err != nil {
		return nil, err
	}
	if err := w.Plan.sound(); err != nil {
		return nil, err
	}
	if w.Sum != w.Plan.sum() {
		return nil, fmt.Errorf("it was changed after it was written: its SHA-256 is not the one that it names")
	}
	return w.Plan, nil
}

// sound fails unless the chunks have each motion once, file after file, and the numbers fit.
func (p *Plan) sound() error {
	if len(p.Sums) != len(p.Files) || len(p.Unread) != len(p.Files) {
		return fmt.Errorf("it has %d files, %d sums and %d reasons", len(p.Files), len(p.Sums), len(p.Unread))
	}
	file, next, total := 0, 0, int64(0) // the file that is being divided, its next motion, and the motions so far
	for i := range p.Chunks {
		c := &p.Chunks[i]
		if c.Index != total || len(c.Spans) == 0 {
			return fmt.Errorf("chunk %d begins with motion %d and has %d spans, after %d motions", i, c.Index, len(c.Spans), total)
		}
		for _, s := range c.Spans {
			if s.File == file+1 && next > 0 {
				file, next = s.File, 0
			}
			if s.File != file || s.File >= len(p.Files) || s.First != next || s.Count <= 0 {
				return fmt.Errorf("chunk %d has %d motions of file %d from the one numbered %d: want those of file %d from %d", i, s.Count, s.File, s.First, file, next)
			}
			next += s.Count
			total += int64(s.Count)
		}
	}
	switch {
	case total != p.Motions:
		return fmt.Errorf("its chunks have %d motions of %d", total, p.Motions)
	case len(p.Files) > 0 && (file != len(p.Files)-1 || next == 0):
		return fmt.Errorf("its chunks leave out files after number %d of %d", file, len(p.Files))
	}
	return nil
}
