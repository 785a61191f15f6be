package batch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/firstcontact-ros/firstcontact/internal/base/infile"
	"github.com/firstcontact-ros/firstcontact/internal/base/outfile"
	"github.com/firstcontact-ros/firstcontact/internal/batch/dataset"
)

// Store is the folder with the results of a batch. A chunk is done if its part is there and whole.
type Store struct {
	dir  string
	Plan *Plan
	id   string // of the plan
	done []bool
	left int
}

const (
	planName  = "plan.json"
	partsName = "parts"
)

// maxPlan and maxPart bound the files that a store reads: both are its own.
const (
	maxPlan = 4 << 30
	maxPart = 1 << 30
)

// ReadPlan returns the plan of a batch that was begun in a folder, nil if there is none.
func ReadPlan(ctx context.Context, dir string) (*Plan, error) {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return nil, fmt.Errorf("%s is a file and no folder: name another folder", dir)
	}
	path := filepath.Join(dir, planName)
	data, err := infile.Read(ctx, path, maxPlan)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	p, err := decodePlan(data)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be gone on with: %w: give another folder, or remove this one to check all again", path, err)
	}
	return p, nil
}

// Same returns an error unless a plan that was made before is about what s and files are now.
func (p *Plan) Same(ctx context.Context, s *Subject, files []dataset.File) error {
	now := &Plan{Files: files}
	for _, file := range files {
		sum, err := Sum(ctx, file)
		if err != nil && (ctx.Err() != nil || trouble(err)) {
			return err
		}
		now.Sums = append(now.Sums, sum)
	}
	if now.key(s) != p.Key || p.key(s) != p.Key {
		return errors.New("the batch that was begun there is about another robot, scene, question, program or files: give another folder")
	}
	return nil
}

// OpenStore opens a folder for a plan, and looks which chunks are done. A part that is damaged counts as not done.
func OpenStore(ctx context.Context, dir string, p *Plan) (*Store, error) {
	if err := outfile.Folder(filepath.Join(dir, partsName)); err != nil {
		return nil, err
	}
	s := &Store{dir: dir, Plan: p, id: p.ID(), done: make([]bool, len(p.Chunks)), left: len(p.Chunks)}
	if old, err := ReadPlan(ctx, dir); err != nil {
		return nil, err
	} else if old == nil {
		if parts, err := os.ReadDir(filepath.Join(dir, partsName)); err != nil || len(parts) > 0 {
			return nil, errors.Join(err, fmt.Errorf("%s: has answers, but no %s that says to what: give another folder", filepath.Join(dir, partsName), planName))
		}
		text, err := p.encode()
		if err != nil {
			return nil, err
		}
		if err := outfile.Write(filepath.Join(dir, planName), outfile.Text(text)); err != nil {
			return nil, err
		}
	}
	for i := range s.done {
		if _, err := s.part(ctx, i); err == nil {
			s.done[i] = true
			s.left--
		} else if ctx.Err() != nil {
			return nil, err
		}
	}
	return s, nil
}

func (s *Store) path(chunk int) string {
	return filepath.Join(s.dir, partsName, partName(chunk))
}

func partName(chunk int) string { return fmt.Sprintf("%08d.part", chunk) }

// part reads the rows of a chunk.
func (s *Store) part(ctx context.Context, chunk int) ([]Row, error) {
	data, err := infile.Read(ctx, s.path(chunk), maxPart)
	if err != nil {
		return nil, err
	}
	rows, err := s.check(chunk, data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.path(chunk), err)
	}
	return rows, nil
}

// check decodes a part and holds it to the plan.
func (s *Store) check(chunk int, data []byte) ([]Row, error) {
	id, n, rows, err := DecodePart(data)
	if err != nil {
		return nil, err
	}
	return rows, s.fits(id, chunk, n, rows)
}

// fits fails unless every motion of the chunk has one row.
func (s *Store) fits(id string, chunk, n int, rows []Row) error {
	todo := &s.Plan.Chunks[chunk]
	if id != s.id {
		return errors.New("is the answer to another question: it is of another plan")
	}
	if n != chunk || len(rows) != todo.Count() {
		return fmt.Errorf("is chunk %d with %d motions, want chunk %d with %d", n, len(rows), chunk, todo.Count())
	}
	for i := range rows {
		if rows[i].Index != todo.Index+int64(i) || rows[i].Status == "" {
			return fmt.Errorf("row %d is not about motion %d", i, todo.Index+int64(i))
		}
	}
	return nil
}

// Done reports whether a chunk is done; Left is how many are not.
func (s *Store) Done(chunk int) bool { return s.done[chunk] }

// Left is the number of chunks that are not done.
func (s *Store) Left() int { return s.left }

// Put keeps the part of a chunk. A second part of the same chunk must be the first, to the byte: else there are
// two verdicts about one motion, which is an error. Only a chunk that was set aside has no verdict: a part that has is kept
// in its stead. Put belongs to one goroutine.
func (s *Store) Put(ctx context.Context, chunk int, part []byte) error {
	if chunk < 0 || chunk >= len(s.done) {
		return fmt.Errorf("there is no chunk %d", chunk)
	}
	rows, err := s.check(chunk, part)
	if err != nil {
		return fmt.Errorf("chunk %d: %w", chunk, err)
	}
	return s.keep(ctx, chunk, rows, part)
}

// keep writes the part of a chunk, whose rows fit.
func (s *Store) keep(ctx context.Context, chunk int, rows []Row, part []byte) error {
	if s.done[chunk] {
		old, err := infile.Read(ctx, s.path(chunk), maxPart)
		if err != nil || bytes.Equal(old, part) || setAside(rows) {
			return err
		}
		if before, err := s.check(chunk, old); err != nil || !setAside(before) {
			return fmt.Errorf("chunk %d has two answers that differ: two of the programs that checked it do not agree. The first is %s", chunk, s.path(chunk))
		}
	}
	if err := outfile.Write(s.path(chunk), outfile.Text(part)); err != nil {
		return err
	}
	if !s.done[chunk] {
		s.done[chunk] = true
		s.left--
	}
	return nil
}

// Rows calls take with the rows of each chunk, in order. It fails if one is not done.
func (s *Store) Rows(ctx context.Context, take func([]Row) error) error {
	for i := range s.Plan.Chunks {
		rows, err := s.part(ctx, i)
		if err != nil {
			return err
		}
		if err := take(rows); err != nil {
			return err
		}
	}
	return nil
}
