package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/ast"
	"path"
	"strings"
)

// mutant is one wrong change to one file.
type mutant struct {
	pkg      *pkg
	file     *file
	fn       string // the function that it changes: "Type.Method", "function", or "" outside of functions
	op       string // what it does
	line     int
	from, to int    // the bytes that it replaces
	with     string // by what
	// instead stands for with where that leaves a variable unused; "" if there is
	// nothing better.
	instead string
	chosen  string // which of both compiles, once that is known
	nth     int    // among equal changes of one function
}

// keepFunc is what instead may call: it evaluates both and returns the first.
const keepFunc = "\nfunc mutationKeep[T any](keep, _ T) T { return keep }\n"

func newMutant(p *pkg, f *file, fn, op string, n ast.Node, with, instead string) *mutant {
	at := f.fset.PositionFor(n.Pos(), false)
	return &mutant{
		pkg: p, file: f, fn: fn, op: op, line: at.Line, from: at.Offset, to: f.offset(n.End()),
		with: with, instead: instead,
	}
}

func (m *mutant) old() string { return string(m.file.src[m.from:m.to]) }

// name identifies a mutant independently of its place in the file, so that edits
// elsewhere do not change it.
func (m *mutant) name() string {
	s := fmt.Sprintf("%s %s: %s: %s => %s", m.pkg.dir, m.fn, m.op, squeeze(m.old()), squeeze(m.with))
	if m.nth > 0 {
		s += fmt.Sprintf(" (%d)", m.nth+1)
	}
	return s
}

// id is a short hash of the name.
func (m *mutant) id() string { return m.rank(0)[:10] }

// rank orders mutants for a sample. It depends on the name alone, so that an edit
// adds and removes mutants of a sample only where it is made.
func (m *mutant) rank(seed uint64) string {
	h := sha256.Sum256(fmt.Appendf(nil, "%d %s", seed, m.name()))
	return hex.EncodeToString(h[:])
}

// squeeze writes source text in one line.
func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }

// text returns the changed file. A line directive behind the change keeps the
// positions of all that follows, so that equal code compiles to equal objects.
func (m *mutant) text(with string) []byte {
	at := lineOf(m.file.src, m.to)
	var b bytes.Buffer
	b.Write(m.file.src[:m.from])
	b.WriteString(with)
	fmt.Fprintf(&b, "/*line :%d:%d*/", at.line, at.column)
	b.Write(m.file.src[m.to:])
	if strings.Contains(with, "mutationKeep(") {
		b.WriteString(keepFunc)
	}
	return b.Bytes()
}

type place struct{ line, column int }

func lineOf(src []byte, offset int) place {
	before := src[:offset]
	return place{1 + bytes.Count(before, []byte("\n")), offset - bytes.LastIndexByte(before, '\n')}
}

// changed returns the text of the changed file, or nil where no variant of the
// change compiles.
func (m *mutant) changed() []byte {
	for _, with := range []string{m.with, m.instead} {
		if with == "" && m.op != semantic {
			continue
		}
		if text := m.text(with); m.pkg.compiles(path.Base(m.file.path), text) {
			m.chosen = with
			return text
		}
	}
	return nil
}

// diff shows the lines that the mutant changes.
func (m *mutant) diff() string {
	src := m.file.src
	start := bytes.LastIndexByte(src[:m.from], '\n') + 1
	end := len(src)
	if i := bytes.IndexByte(src[m.to:], '\n'); i >= 0 {
		end = m.to + i
	}
	var b strings.Builder
	for _, part := range []struct{ sign, text string }{
		{"-", string(src[start:end])},
		{"+", string(src[start:m.from]) + m.with + string(src[m.to:end])},
	} {
		for line := range strings.Lines(part.text) {
			fmt.Fprintf(&b, "\t%s%s\n", part.sign, strings.TrimRight(line, "\n"))
		}
	}
	return b.String()
}
