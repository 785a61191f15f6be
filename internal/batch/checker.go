package batch

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/firstcontact-ros/firstcontact/internal/batch/dataset"
)

// Checker checks the chunks of a plan. It keeps the files that it read last open.
type Checker struct {
	// Local, if not nil, tells where a file of the plan is on this machine. Rows name it as the plan does.
	Local func(file int) dataset.File

	subject *Subject
	plan    *Plan
	id      string // of the plan

	mu   sync.Mutex
	open []opened // the last used at the end
}

type opened struct {
	file int
	src  func() (dataset.Source, error)
}

// maxOpen bounds the files that are kept in memory.
const maxOpen = 4

// NewChecker returns a checker for a plan.
func NewChecker(s *Subject, p *Plan) *Checker { return &Checker{subject: s, plan: p, id: p.ID()} }

// source returns an open file; several goroutines that want the same one wait for one of them to read it.
func (c *Checker) source(ctx context.Context, file int) (dataset.Source, error) {
	is := func(o opened) bool { return o.file == file }
	c.mu.Lock()
	i := slices.IndexFunc(c.open, is)
	var o opened
	if i >= 0 {
		o = c.open[i]
		c.open = slices.Delete(c.open, i, i+1)
	} else {
		o = opened{file, sync.OnceValues(func() (dataset.Source, error) { return c.read(ctx, file) })}
	}
	if c.open = append(c.open, o); len(c.open) > maxOpen {
		c.open = slices.Delete(c.open, 0, 1)
	}
	c.mu.Unlock()
	src, err := o.src()
	if err != nil {
		c.mu.Lock()
		c.open = slices.DeleteFunc(c.open, is) // to be read again
		c.mu.Unlock()
	}
	return src, err
}

// ErrContent is the error of a file on this machine that is not what the plan is about.
var ErrContent = errors.New("its content is not what the batch is about")

// read reads a file of the plan. Content that was read when the batch began and is not to be had now is an error: that
// is no verdict.
func (c *Checker) read(ctx context.Context, file int) (dataset.Source, error) {
	f := c.file(file)
	if c.plan.Sums[file] == "" {
		return failed{errors.New(c.plan.Unread[file])}, nil
	}
	src, sum, err := c.load(ctx, file)
	switch {
	case err != nil:
		return nil, err
	case sum == c.plan.Sums[file]:
		return src, nil
	case c.Local != nil:
		return nil, fmt.Errorf("%s: %w", f.Path, ErrContent)
	}
	return failed{fmt.Errorf("%s: has changed since the batch began: begin a new one", f.Path)}, nil
}

// load reads a file and tells its sum. What was read for the plan is not read again, but hashed: it counts only if the file
// has not changed since.
func (c *Checker) load(ctx context.Context, file int) (dataset.Source, string, error) {
	if src := c.plan.read.take(file); src != nil && c.Local == nil {
		sum, err := Sum(ctx, c.file(file))
		return src, sum, err
	}
	return load(ctx, c.file(file), c.subject.Options)
}

// file is where a file of the plan is.
func (c *Checker) file(i int) dataset.File {
	if c.Local == nil {
		return c.plan.Files[i]
	}
	return c.Local(i)
}

// rename has a row speak of a file by its name in the plan.
func (c *Checker) rename(r *Row, file int) {
	here, there := c.file(file), c.plan.Files[file]
	for _, text := range []*string{&r.Motion, &r.Message, &r.Premises, &r.Warnings} {
		if here.Folder != "" {
			*text = strings.ReplaceAll(*text, here.Folder, there.Folder)
		}
		*text = strings.ReplaceAll(*text, here.Path, there.Path)
	}
}

// errStopped is the error of a chunk that was not finished.
var errStopped = errors.New("stopped")

// Part checks a chunk and returns its part. It fails if ctx ends, or if content that the plan is about is not to be had.
func (c *Checker) Part(ctx context.Context, chunk int) ([]byte, error) {
	rows, err := c.rows(ctx, chunk)
	if err != nil {
		return nil, err
	}
	return EncodePart(c.id, chunk, rows), nil
}

// rows checks a chunk.
func (c *Checker) rows(ctx context.Context, chunk int) ([]Row, error) {
	todo := &c.plan.Chunks[chunk]
	rows := make([]Row, 0, todo.Count())
	index := todo.Index
	for _, s := range todo.Spans {
		src, err := c.span(ctx, s)
		if err != nil {
			return nil, err
		}
		for k := range s.Count {
			row, ok := c.subject.Judge.Row(ctx, src, s.First+k, index, c.plan.Files[s.File].Path)
			if !ok {
				return nil, errors.Join(errStopped, ctx.Err())
			}
			if c.Local != nil {
				c.rename(&row, s.File)
			}
			rows = append(rows, row)
			index++
		}
	}
	return rows, nil
}

// span opens the file of a span.
func (c *Checker) span(ctx context.Context, s Span) (dataset.Source, error) {
	src, err := c.source(ctx, s.File)
	if err == nil && src.Len() < s.First+s.Count {
		src = failed{fmt.Errorf("%s: has %d motions, and had more when the batch began", c.plan.Files[s.File].Path, src.Len())}
	}
	return src, err
}

// Motion reads a motion of the batch again, for more about it than its row says.
func (c *Checker) Motion(ctx context.Context, index int64) (dataset.Loaded, error) {
	for i := range c.plan.Chunks {
		left := index - c.plan.Chunks[i].Index
		for _, s := range c.plan.Chunks[i].Spans {
			if left >= 0 && left < int64(s.Count) {
				src, err := c.span(ctx, s)
				if err != nil {
					return dataset.Loaded{}, err
				}
				return src.Motion(s.First + int(left))
			}
			left -= int64(s.Count)
		}
	}
	return dataset.Loaded{}, fmt.Errorf("there is no motion %d", index)
}

// aside begins the messages of motions of a chunk that nobody could check.
const aside = "set aside: "

// Aside returns the part of a chunk that nobody could check.
func Aside(p *Plan, j *Judge, chunk int, reason string) []byte {
	todo := &p.Chunks[chunk]
	why := fmt.Errorf("%s%s: to try it again remove %s/%s of the results and go on with --resume", aside, reason, partsName, partName(chunk))
	var rows []Row
	index := todo.Index
	for _, s := range todo.Spans {
		for k := range s.Count {
			row, _ := j.Row(context.Background(), failed{why}, s.First+k, index, p.Files[s.File].Path)
			row.Status = SetAside
			rows = append(rows, row)
			index++
		}
	}
	return EncodePart(p.ID(), chunk, rows)
}

// setAside reports whether rows are those of Aside.
func setAside(rows []Row) bool {
	return !slices.ContainsFunc(rows, func(r Row) bool { return r.Status != SetAside || !strings.HasPrefix(r.Message, aside) })
}
