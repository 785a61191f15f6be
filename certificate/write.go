package certificate

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"strconv"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
)

// Writer writes a certificate. Its methods keep the first error, which Close returns. The
// certificate is complete only after Close has returned nil.
type Writer struct {
	out   *bufio.Writer
	sum   hash.Hash
	line  []byte
	items int
	err   error
}

// NewWriter writes the header to w.
func NewWriter(w io.Writer, h *Header) *Writer {
	c := &Writer{out: bufio.NewWriterSize(w, 1<<16), sum: sha256.New()}
	c.words("firstcontact certificate").integer(Version).end()
	c.words("tool").quoted(h.Tool).end()
	c.words("robot").quoted(h.Robot).words(hex.EncodeToString(h.RobotSum[:])).end()
	c.words("scene").words(hex.EncodeToString(h.SceneSum[:])).end()
	c.words("motion").quoted(h.Motion).words(hex.EncodeToString(h.MotionSum[:])).end()
	c.words("clearance").number(h.Clearance).end()
	c.words("pairs")
	if h.Self {
		c.words("self")
	}
	if h.World {
		c.words("world")
	}
	c.end()
	c.words("start").number(h.Start).end()
	for _, list := range []struct {
		word  string
		named []Named
	}{{"padding", h.Padding}, {"tube", h.Tube}, {"hold", h.Hold}} {
		for _, n := range list.named {
			c.words(list.word).quoted(n.Name).number(n.Value).end()
		}
	}
	c.premises(h)
	for i, b := range h.Bodies {
		c.words("body").integer(i).words(kindNames[b.Kind])
		if b.Kind != World {
			c.quoted(b.Name)
		}
		c.integer(b.Atoms).end()
	}
	return c
}

func (c *Writer) premises(h *Header) {
	for _, a := range h.Assumed {
		c.words("assume").quoted(a.A).quoted(a.B).quoted(a.Reason)
		if a.Touch != nil {
			c.vec(*a.Touch)
		}
		c.end()
	}
	for _, name := range h.Surfaces {
		c.words("surface").quoted(name).end()
	}
	for _, name := range h.Ambiguous {
		c.words("ambiguous").quoted(name).end()
	}
	for _, t := range h.Turned {
		c.words("turned").quoted(t.Joint).integer(t.Piece).integer(t.Turns).end()
	}
	for _, s := range h.Seams {
		c.words("seam").integer(s.Piece).number(s.Length).end()
	}
	for _, g := range h.Accepted {
		c.words("accept").quoted(g.Kind)
		for _, name := range g.Names {
			c.quoted(name)
		}
		c.end()
	}
}

// orderLine is the number of atoms per line.
const orderLine = 1000

// Order writes the order of a body's atoms, all of them.
func (c *Writer) Order(body int, atoms []int32) {
	for len(atoms) > 0 {
		n := min(orderLine, len(atoms))
		c.words("order").integer(body)
		for _, a := range atoms[:n] {
			c.integer(int(a))
		}
		c.end()
		atoms = atoms[n:]
	}
}

// At begins the items of an interval of time.
func (c *Writer) At(a At) { c.words("at").integer(a.Piece).number(a.Lo).number(a.Hi).end() }

// Item writes an item of the last interval.
func (c *Writer) Item(i *Item) {
	c.items++
	if !i.HasNormal {
		c.words("balls").part(i.A).part(i.B).vec(i.CenterA).vec(i.CenterB).end()
		return
	}
	c.words("plane").part(i.A).part(i.B).vec(i.Normal)
	if i.HasCenterA {
		c.words("a").vec(i.CenterA)
	}
	if i.HasCenterB {
		c.words("b").vec(i.CenterB)
	}
	c.end()
}

// Outside writes an instant at which neither body contains a part of the other.
func (c *Writer) Outside(o Outside) {
	c.words("outside").integer(o.A).integer(o.B).integer(o.Piece).number(o.Time).end()
}

// Close ends the certificate. It does not close the underlying writer.
func (c *Writer) Close() error {
	c.words("end").integer(c.items).end()
	c.words(sumLine(c.sum.Sum(nil))).end()
	if err := c.out.Flush(); c.err == nil {
		c.err = err
	}
	if c.err != nil {
		return fmt.Errorf("certificate: %w", c.err)
	}
	return nil
}

func (c *Writer) gap() {
	if len(c.line) > 0 {
		c.line = append(c.line, ' ')
	}
}

func (c *Writer) words(s string) *Writer {
	c.gap()
	c.line = append(c.line, s...)
	return c
}

func (c *Writer) quoted(s string) *Writer {
	c.gap()
	c.line = strconv.AppendQuote(c.line, s)
	return c
}

func (c *Writer) integer(i int) *Writer {
	c.gap()
	c.line = strconv.AppendInt(c.line, int64(i), 10)
	return c
}

func (c *Writer) number(x float64) *Writer {
	c.gap()
	c.line = strconv.AppendFloat(c.line, x, 'g', -1, 64)
	return c
}

func (c *Writer) vec(v geom.Vec) *Writer { return c.number(v.X).number(v.Y).number(v.Z) }

func (c *Writer) part(p Part) *Writer {
	c.integer(p.Body)
	if p.Count > 0 {
		c.line = append(c.line, ':')
		c.line = strconv.AppendInt(c.line, int64(p.First), 10)
	}
	if p.Count > 1 {
		c.line = append(c.line, '+')
		c.line = strconv.AppendInt(c.line, int64(p.Count), 10)
	}
	return c
}

func (c *Writer) end() {
	if len(c.line) >= limit.CertificateLineBytes && c.err == nil {
		c.err = fmt.Errorf("a line of %d bytes, which no reader takes: accept fewer things at once, or give them shorter names", len(c.line))
	}
	c.line = append(c.line, '\n')
	if c.err == nil {
		c.sum.Write(c.line)
		_, c.err = c.out.Write(c.line)
	}
	c.line = c.line[:0]
}
