package certificate

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"strings"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
)

// Reader reads a certificate line by line. Its memory is bounded by the header's size. It
// checks the format only; package verify checks whether the items prove anything.
type Reader struct {
	Header Header

	lines  *bufio.Scanner
	line   int
	held   string // a line read ahead
	isHeld bool
	sum    hash.Hash // of the lines read
	items  int
	ended  bool
}

// NewReader reads the header of a certificate from r.
func NewReader(r io.Reader) (*Reader, error) {
	c := &Reader{lines: bufio.NewScanner(r), sum: sha256.New()}
	c.lines.Buffer(make([]byte, 0, 4096), limit.CertificateLineBytes)
	if err := c.header(); err != nil {
		return nil, c.at(err)
	}
	return c, nil
}

func (c *Reader) at(err error) error {
	if err == nil || errors.Is(err, io.EOF) && c.ended {
		return err
	}
	return fmt.Errorf("certificate, line %d: %w", c.line, err)
}

var errTruncated = errors.New("the file ends early: it was truncated; get it again")

// next returns the next line, or io.EOF if there is none.
func (c *Reader) next() (string, error) {
	if c.isHeld {
		c.isHeld = false
		return c.held, nil
	}
	if !c.lines.Scan() {
		switch err := c.lines.Err(); {
		case errors.Is(err, bufio.ErrTooLong):
			return "", fmt.Errorf("the next line is too long: it has %d bytes or more", limit.CertificateLineBytes)
		case err != nil:
			return "", err
		}
		return "", io.EOF
	}
	c.line++
	c.sum.Write(c.lines.Bytes())
	c.sum.Write([]byte{'\n'})
	return c.lines.Text(), nil
}

// header reads up to the first line of the proof, which is pushed back.
func (c *Reader) header() error {
	fixed := []func(*words){
		func(w *words) {
			w.word("firstcontact")
			w.word("certificate")
			if v := w.integer(); w.err == nil && v != Version {
				w.fail("the certificate has version %d; this program reads version %d", v, Version)
			}
		},
		func(w *words) { w.word("tool"); c.Header.Tool = w.quoted() },
		func(w *words) { w.word("robot"); c.Header.Robot = w.quoted(); c.Header.RobotSum = w.sum() },
		func(w *words) { w.word("scene"); c.Header.SceneSum = w.sum() },
		func(w *words) { w.word("motion"); c.Header.Motion = w.quoted(); c.Header.MotionSum = w.sum() },
		func(w *words) { w.word("clearance"); c.Header.Clearance = w.number() },
		func(w *words) { w.word("pairs"); c.Header.Self, c.Header.World = w.flag("self"), w.flag("world") },
		func(w *words) { w.word("start"); c.Header.Start = w.number() },
	}
	for _, read := range fixed {
		line, err := c.next()
		if err == io.EOF {
			return errTruncated
		}
		if err != nil {
			return err
		}
		w := words{rest: line}
		if read(&w); w.done() != nil {
			return w.err
		}
	}
	return c.lists()
}

// listed are the first words of the repeatable lines, in their order.
var listed = [...]string{"padding", "tube", "hold", "assume", "surface", "ambiguous", "turned", "seam", "accept", "body"}

// lists reads the repeatable parts of the header.
func (c *Reader) lists() error {
	var size, stage int
	for {
		line, err := c.next()
		if err == io.EOF {
			return errTruncated
		}
		if err != nil {
			return err
		}
		first, _, _ := strings.Cut(line, " ")
		at := 0
		for i, name := range listed {
			if first == name {
				at = i + 1
			}
		}
		if at == 0 {
			c.held, c.isHeld = line, true
			return nil
		}
		if at < stage {
			return fmt.Errorf("%s is out of order: the order is %s", first, strings.Join(listed[:], ", "))
		}
		stage = at
		if size += len(line); size > limit.CertificateHeaderBytes {
			return fmt.Errorf("the header is longer than %d MiB", limit.CertificateHeaderBytes>>20)
		}
		if err := c.entry(line, first); err != nil {
			return err
		}
	}
}

func (c *Reader) entry(line, first string) error {
	h, w := &c.Header, words{rest: line}
	w.word(first)
	switch first {
	case "padding":
		h.Padding = append(h.Padding, Named{w.quoted(), w.number()})
	case "tube":
		h.Tube = append(h.Tube, Named{w.quoted(), w.number()})
	case "hold":
		h.Hold = append(h.Hold, Named{w.quoted(), w.number()})
	case "assume":
		a := Assumed{A: w.quoted(), B: w.quoted(), Reason: w.quoted()}
		if w.err == nil && w.rest != "" {
			touch := w.vec()
			a.Touch = &touch
		}
		h.Assumed = append(h.Assumed, a)
	case "surface":
		h.Surfaces = append(h.Surfaces, w.quoted())
	case "ambiguous":
		h.Ambiguous = append(h.Ambiguous, w.quoted())
	case "turned":
		h.Turned = append(h.Turned, Turned{w.quoted(), w.integer(), w.signed()})
	case "seam":
		h.Seams = append(h.Seams, Seam{w.integer(), w.number()})
	case "accept":
		g := Gap{Kind: w.quoted()}
		for w.err == nil && w.rest != "" {
			g.Names = append(g.Names, w.quoted())
		}
		h.Accepted = append(h.Accepted, g)
	case "body":
		if i := w.integer(); w.err == nil && i != len(h.Bodies) {
			w.fail("bodies are numbered from 0 on: %d follows %d", i, len(h.Bodies)-1)
		}
		b := Body{Kind: w.kind()}
		if b.Kind != World {
			b.Name = w.quoted()
		}
		b.Atoms = w.integer()
		h.Bodies = append(h.Bodies, b)
	}
	return w.done()
}

// Entry is one line of the proof. Exactly one of the fields is not nil. The fields belong to
// the caller.
type Entry struct {
	Order   *Order
	At      *At
	Item    *Item
	Outside *Outside
}

// Next returns the next line of the proof. After the last line it returns io.EOF if the
// certificate is complete.
func (c *Reader) Next() (Entry, error) {
	if c.ended {
		return Entry{}, io.EOF
	}
	line, err := c.next()
	if err == io.EOF {
		err = errTruncated
	}
	if err != nil {
		return Entry{}, c.at(err)
	}
	e, err := c.parse(line)
	return e, c.at(err)
}

func (c *Reader) parse(line string) (Entry, error) {
	w := words{rest: line}
	first := w.next()
	var e Entry
	switch first {
	case "order":
		e.Order = &Order{Body: w.body(len(c.Header.Bodies))}
		for w.err == nil && w.rest != "" {
			e.Order.Atoms = append(e.Order.Atoms, int32(w.integer()))
		}
	case "at":
		e.At = &At{Piece: w.integer(), Lo: w.number(), Hi: w.number()}
	case "plane":
		e.Item = w.plane(len(c.Header.Bodies))
		c.items++
	case "balls":
		n := len(c.Header.Bodies)
		e.Item = &Item{A: w.part(n), B: w.part(n), HasCenterA: true, HasCenterB: true, CenterA: w.vec(), CenterB: w.vec()}
		c.items++
	case "outside":
		n := len(c.Header.Bodies)
		e.Outside = &Outside{A: w.body(n), B: w.body(n), Piece: w.integer(), Time: w.number()}
	case "end":
		if n := w.integer(); w.err == nil && n != c.items {
			return e, fmt.Errorf("it should have %d items but has %d: it was modified or truncated", n, c.items)
		}
		if err := w.done(); err != nil {
			return e, err
		}
		return e, c.finish()
	default:
		return e, fmt.Errorf("%.40q is not a line of a proof: expected order, at, plane, balls, outside, end", first)
	}
	return e, w.done()
}

// finish checks the sum, and that nothing follows it.
func (c *Reader) finish() error {
	sum := c.sum.Sum(nil)
	line, err := c.next()
	if err == io.EOF {
		return errTruncated
	}
	if err == nil {
		err = checkSum(line, sum)
	}
	if err != nil {
		return err
	}
	if _, err := c.next(); err != io.EOF {
		if err == nil {
			err = errors.New("there is text after the end")
		}
		return err
	}
	c.ended = true
	return io.EOF
}

// sumOf reads a sum in hexadecimal.
func sumOf(s string) (sum [32]byte, err error) {
	b, err := hex.DecodeString(s)
	if err != nil || len(b) != len(sum) {
		return sum, fmt.Errorf("%.80q is not a SHA-256 sum", s)
	}
	return [32]byte(b), nil
}
