package batch

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/infile"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/base/progress"
	"github.com/firstcontact-ros/firstcontact/internal/batch/dataset"
)

// Span is some motions of a file that follow each other.
type Span struct{ File, First, Count int }

// Chunk is what one worker checks at a time, about a second of work.
type Chunk struct {
	Index int64 // of its first motion in the batch
	Spans []Span
}

// Count is the number of motions of a chunk.
func (c *Chunk) Count() (n int) {
	for _, s := range c.Spans {
		n += s.Count
	}
	return n
}

// Plan is a batch divided into chunks.
type Plan struct {
	Key     string // of everything that a verdict depends on
	Files   []dataset.File
	Sums    []string // SHA-256 of each file's content; empty where it could not be read
	Unread  []string // why, where it could not be
	Ignored []string // files of folders that hold no motions by their names
	Chunks  []Chunk
	Motions int64

	read *readAhead
}

// readAhead is files that were read to make a plan, as they were when they had its sums.
type readAhead struct {
	mu    sync.Mutex
	files map[int]dataset.Source
}

// take returns a file once, nil if it is not there.
func (r *readAhead) take(file int) dataset.Source {
	if r == nil { // the plan is an old one
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	src := r.files[file]
	delete(r.files, file)
	return src
}

// What a chunk is cut at.
const (
	chunkSeconds = 1.0
	chunkMotions = 20_000
	sampled      = 3  // motions of a file whose cost is measured
	sampledFiles = 16 // of a kind
)

// Subject is what a batch is about besides its files.
type Subject struct {
	Judge   *Judge
	Options dataset.Options
	Words   []string // what else a verdict depends on: the program, and options of the checker
}

// NewPlan divides the motions of files into chunks. It opens each file once, and tries a few motions to tell how
// long they take.
func NewPlan(ctx context.Context, s *Subject, files []dataset.File, ignored []string) (*Plan, error) {
	p := &Plan{Files: files, Ignored: ignored, read: &readAhead{files: map[int]dataset.Source{}}}
	cost := map[dataset.Kind]*estimate{}
	var open Chunk
	filled := 0.0
	for i, file := range files {
		progress.Tell(ctx, progress.Step{What: "reading what is to be checked", Done: int64(i), Total: int64(len(files)), Unit: "files"})
		src, sum, err := load(ctx, file, s.Options)
		unread := ""
		if err != nil {
			if ctx.Err() != nil || trouble(err) {
				return nil, err
			}
			src, sum, unread = failed{err}, "", err.Error()
		}
		if unread == "" && i < maxOpen {
			p.read.files[i] = src
		}
		p.Unread = append(p.Unread, unread)
		p.Sums = append(p.Sums, sum)
		e := cost[file.Kind]
		if e == nil {
			e = &estimate{}
			cost[file.Kind] = e
		}
		e.try(ctx, s.Judge, src)
		for first := 0; first < src.Len(); {
			n := min(src.Len()-first, e.fits(chunkSeconds-filled), chunkMotions-open.Count())
			if n > 0 {
				open.Spans = append(open.Spans, Span{i, first, n})
				first += n
				filled += float64(n) * e.each()
			}
			if n <= 0 || filled >= chunkSeconds || open.Count() >= chunkMotions {
				p.close(&open)
				filled = 0
			}
		}
	}
	p.close(&open)
	p.Key = p.key(s)
	return p, ctx.Err()
}

// close ends a chunk.
func (p *Plan) close(c *Chunk) {
	if len(c.Spans) == 0 {
		return
	}
	c.Index = p.Motions
	p.Motions += int64(c.Count())
	p.Chunks = append(p.Chunks, *c)
	*c = Chunk{}
}

// key is the SHA-256 of what verdicts depend on.
func (p *Plan) key(s *Subject) string {
	o := &s.Options
	reading := fmt.Sprintf("%+v %q %+v", o.Motion, o.Topics, o.Mapping)
	return sumOfText([]any{s.Judge.identity(), reading, s.Words, p.Files, p.Sums})
}

// ID is the SHA-256 of what verdicts depend on and of how the motions are divided. Parts carry it.
func (p *Plan) ID() string { return sumOfText([]any{p.Key, p.Chunks}) }

func sumOfText(list []any) string {
	text, _ := json.Marshal(list) // of texts and numbers: cannot fail
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// estimate is how long motions of a kind of file take.
type estimate struct {
	files, motions int
	spent          time.Duration
}

func (e *estimate) try(ctx context.Context, j *Judge, src dataset.Source) {
	if e.files >= sampledFiles {
		return
	}
	e.files++
	for k := range min(sampled, src.Len()) {
		begin := time.Now()
		j.Row(ctx, src, k*(src.Len()-1)/max(1, sampled-1), 0, "")
		e.spent += time.Since(begin)
		e.motions++
	}
}

func (e *estimate) each() float64 {
	if e.motions == 0 {
		return 1
	}
	return max(1e-6, e.spent.Seconds()/float64(e.motions))
}

// fits is how many motions take so many seconds: one at least where there is time at all.
func (e *estimate) fits(seconds float64) int {
	if seconds <= 0 {
		return 0
	}
	return max(1, int(min(seconds/e.each(), chunkMotions)))
}

// failed is a file that cannot be read: one motion without a verdict.
type failed struct{ err error }

func (f failed) Len() int { return 1 }

func (f failed) Motion(int) (dataset.Loaded, error) { return dataset.Loaded{}, f.err }

// load reads a file, and returns the SHA-256 of its content: the same before and after it was read. What is not understood
// has a sum, and one motion without a verdict; an error says that the content was not read.
func load(ctx context.Context, file dataset.File, opts dataset.Options) (src dataset.Source, sum string, err error) {
	if sum, err = Sum(ctx, file); err != nil {
		return nil, "", err
	}
	if src, err = open(ctx, file, opts); err != nil {
		return nil, "", err
	}
	after, err := Sum(ctx, file)
	if err == nil && after != sum {
		err = fmt.Errorf("%s: it was written while it was read", file.Path)
	}
	return src, sum, err
}

// open reads a file. What is not understood is a source without a verdict; an error is trouble, or that of ctx.
func open(ctx context.Context, file dataset.File, opts dataset.Options) (src dataset.Source, err error) {
	defer func() {
		if p := recover(); p != nil {
			src = failed{fmt.Errorf("%s: reading it failed: %v", file.Path, p)}
		}
	}()
	src, err = dataset.Open(ctx, file, opts)
	if err == nil && src.Len() == 0 {
		err = fmt.Errorf("%s: has no motions", file.Path)
	}
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil && trouble(err):
		return nil, err
	case err != nil:
		return failed{err}, nil
	}
	return src, nil
}

// trouble reports whether an error is about this machine, now, and not about a file.
func trouble(err error) bool {
	for _, e := range []error{syscall.EIO, syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, syscall.ENOSPC, syscall.ESTALE} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// Sum returns the SHA-256 of a file, or of all files of a folder; of a Parquet file with its description.
func Sum(ctx context.Context, file dataset.File) (string, error) {
	h := sha256.New()
	add := func(name, path string) error {
		f, err := infile.Open(ctx, path, limit.BagBytes)
		if err != nil {
			return err
		}
		defer f.Close()
		fmt.Fprintf(h, "%q\n", name)
		_, err = io.Copy(h, f)
		return err
	}
	paths, err := dataset.Contents(file)
	if err != nil {
		return "", err
	}
	for _, name := range slices.Sorted(maps.Keys(paths)) {
		if err := add(filepath.ToSlash(name), paths[name]); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Divide cuts the chunks into ones of at most so many motions.
func (p *Plan) Divide(most int) {
	old := p.Chunks
	p.Chunks, p.Motions = nil, 0
	for _, c := range old {
		for _, s := range c.Spans {
			for first := s.First; first < s.First+s.Count; first += most {
				p.close(&Chunk{Spans: []Span{{s.File, first, min(most, s.First+s.Count-first)}}})
			}
		}
	}
}
