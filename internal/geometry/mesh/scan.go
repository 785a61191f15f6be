package mesh

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unsafe"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// scanner splits text into words, by line if the format has lines.
type scanner struct {
	text string
	pos  int
	line int
}

// newScanner reads data in place: a copy would double a file's memory, and data is not
// modified while it is read.
func newScanner(data []byte) *scanner {
	return &scanner{text: strings.TrimPrefix(unsafe.String(unsafe.SliceData(data), len(data)), "\ufeff"), line: 1}
}

// wordInLine returns the next word of the current line, "" at its end. A
// backslash at the end of a line continues it.
func (s *scanner) wordInLine() string {
	for s.pos < len(s.text) {
		switch c := s.text[s.pos]; {
		case s.newline(s.pos) > 0:
			return ""
		case c == '\\' && s.newline(s.pos+1) > 0:
			s.pos += 1 + s.newline(s.pos+1)
			s.line++
		case isSpace(c):
			s.pos++
		default:
			start := s.pos
			for s.pos < len(s.text) && !isSpace(s.text[s.pos]) && !(s.text[s.pos] == '\\' && s.newline(s.pos+1) > 0) {
				s.pos++
			}
			return s.text[start:s.pos]
		}
	}
	return ""
}

// nextLine goes to the start of the next line and reports whether there is one.
func (s *scanner) nextLine() bool {
	for s.pos < len(s.text) {
		if n := s.newline(s.pos); n > 0 {
			s.pos += n
			s.line++
			return true
		}
		s.pos++
	}
	return false
}

// word returns the next word of any line, "" at the end of the text.
func (s *scanner) word() string {
	for {
		if w := s.wordInLine(); w != "" {
			return w
		}
		if !s.nextLine() {
			return ""
		}
	}
}

// newline returns the length of the line end at i: \n, \r\n or a lone \r, otherwise 0.
func (s *scanner) newline(i int) int {
	switch {
	case i >= len(s.text):
		return 0
	case s.text[i] == '\n':
		return 1
	case s.text[i] == '\r' && i+1 < len(s.text) && s.text[i+1] == '\n':
		return 2
	case s.text[i] == '\r':
		return 1
	}
	return 0
}

func (s *scanner) errorf(format string, args ...any) error {
	return fmt.Errorf("line %d: %w", s.line, fmt.Errorf(format, args...))
}

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

// vec reads three numbers through next.
func vec(next func() string) (v geom.Vec, err error) {
	for _, x := range [3]*float64{&v.X, &v.Y, &v.Z} {
		if *x, err = float(next()); err != nil {
			return v, err
		}
	}
	return v, nil
}

// float reads a finite number.
func float(w string) (float64, error) {
	if w == "" {
		return 0, errors.New("a number is missing")
	}
	x, err := strconv.ParseFloat(w, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, fmt.Errorf("%.40q is not a number", w)
	}
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, fmt.Errorf("%.40q is not finite: repair and export the mesh again", w)
	}
	return x, nil
}

// integer reads an int32.
func integer(w string) (int32, error) {
	if w == "" {
		return 0, errors.New("a whole number is missing")
	}
	i, neg := 0, false
	if w[0] == '-' || w[0] == '+' {
		i, neg = 1, w[0] == '-'
	}
	var n int64
	if i == len(w) {
		return 0, fmt.Errorf("%.40q is not a whole number", w)
	}
	for _, c := range []byte(w[i:]) {
		if c < '0' || c > '9' || n > math.MaxInt32 {
			return 0, fmt.Errorf("%.40q is not a whole number of 32 bits", w)
		}
		n = 10*n + int64(c-'0')
	}
	if n > math.MaxInt32 {
		return 0, fmt.Errorf("%.40q is not a whole number of 32 bits", w)
	}
	if neg {
		n = -n
	}
	return int32(n), nil
}

// floats reads all numbers of s; n is about how many to expect.
func floats(s string, n int) ([]float64, error) {
	out := make([]float64, 0, n)
	for i := 0; ; {
		w := field(s, &i)
		if w == "" {
			return out, nil
		}
		x, err := float(w)
		if err != nil {
			return nil, fmt.Errorf("number %d: %w", len(out)+1, err)
		}
		out = append(out, x)
	}
}

// integers reads all whole numbers of s.
func integers(s string) ([]int32, error) {
	var out []int32
	for i := 0; ; {
		w := field(s, &i)
		if w == "" {
			return out, nil
		}
		x, err := integer(w)
		if err != nil {
			return nil, fmt.Errorf("number %d: %w", len(out)+1, err)
		}
		out = append(out, x)
	}
}

// field returns the next word of s from *i on and moves *i past it.
func field(s string, i *int) string {
	for *i < len(s) && isSpace(s[*i]) {
		*i++
	}
	start := *i
	for *i < len(s) && !isSpace(s[*i]) {
		*i++
	}
	return s[start:*i]
}
