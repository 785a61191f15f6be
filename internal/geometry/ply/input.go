package ply

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unsafe"
)

// input is the part of a file after its header.
type input interface {
	number(of number) (float64, error)
	pass(of number) error  // reads a number and forgets it
	left() int64           // bytes
	least(of number) int64 // bytes that a number takes
	end() error            // fails unless all was read
}

var errShort = errors.New("the file ends: truncated; export or copy it again")

type binaryInput struct {
	rest  []byte
	order binary.ByteOrder
}

func (b *binaryInput) left() int64           { return int64(len(b.rest)) }
func (b *binaryInput) least(of number) int64 { return int64(of.size()) }

func (b *binaryInput) take(of number) ([]byte, error) {
	n := of.size()
	if n > len(b.rest) {
		return nil, errShort
	}
	x := b.rest[:n]
	b.rest = b.rest[n:]
	return x, nil
}

func (b *binaryInput) pass(of number) error {
	_, err := b.take(of)
	return err
}

func (b *binaryInput) number(of number) (float64, error) {
	x, err := b.take(of)
	if err != nil {
		return 0, err
	}
	switch of {
	case int8Type:
		return float64(int8(x[0])), nil
	case uint8Type:
		return float64(x[0]), nil
	case int16Type:
		return float64(int16(b.order.Uint16(x))), nil
	case uint16Type:
		return float64(b.order.Uint16(x)), nil
	case int32Type:
		return float64(int32(b.order.Uint32(x))), nil
	case uint32Type:
		return float64(b.order.Uint32(x)), nil
	case float32Type:
		return float64(math.Float32frombits(b.order.Uint32(x))), nil
	}
	return math.Float64frombits(b.order.Uint64(x)), nil
}

func (b *binaryInput) end() error {
	for _, c := range b.rest {
		if !isSpace(c) {
			return fmt.Errorf("%d bytes more than the header declares: damaged; export or copy it again", len(b.rest))
		}
	}
	return nil
}

type textInput struct {
	rest []byte
	cut  bool // the text ends within a line
}

func (t *textInput) left() int64        { return int64(len(t.rest)) + 1 } // the last number needs no blank
func (t *textInput) least(number) int64 { return 2 }

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

// word returns the next word in place.
func (t *textInput) word() string {
	i := 0
	for i < len(t.rest) && isSpace(t.rest[i]) {
		i++
	}
	t.rest = t.rest[i:]
	for i = 0; i < len(t.rest) && !isSpace(t.rest[i]); {
		i++
	}
	w := t.rest[:i]
	t.rest = t.rest[i:]
	return unsafe.String(unsafe.SliceData(w), len(w))
}

func (t *textInput) pass(number) error {
	if t.word() == "" {
		return errShort
	}
	return nil
}

func (t *textInput) number(of number) (float64, error) {
	w := t.word()
	if w == "" {
		return 0, errShort
	}
	if strings.EqualFold(w, "-nan") { // as C prints some
		return math.NaN(), nil
	}
	x, err := strconv.ParseFloat(w, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, fmt.Errorf("%.40q is not a number: damaged; export or copy it again", w)
	}
	if of.whole() && x != math.Trunc(x) {
		return 0, fmt.Errorf("%.40q is not a whole number", w)
	}
	return x, nil
}

// end also fails where the last number may be cut: text of programs ends with a line.
func (t *textInput) end() error {
	if t.cut {
		return errors.New("the last line has no end: truncated, or add a line end")
	}
	if w := t.word(); w != "" {
		return fmt.Errorf("more than the header declares, from %.40q on: damaged; export or copy it again", w)
	}
	return nil
}
