package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// A line appears after a while, is rewritten, fits the terminal and goes away.
func TestProgressLine(t *testing.T) {
	var b strings.Builder
	p := newProgress(&b, 0)
	p.width = func() int { return 20 }
	n := 0
	show := func() { n++; p.show(func() string { return fmt.Sprintf("%d of 5 motions, about 3s left", n) }) }
	show()
	if p.clear(); b.Len() != 0 {
		t.Errorf("at once: %q", b.String())
	}
	p.begin = p.begin.Add(-patience)
	p.last = p.begin
	show()
	show() // too soon
	p.last = p.last.Add(-redraw)
	show()
	p.clear()
	p.clear()
	if want := "\r\x1b[K2 of 5 motions, abo\r\x1b[K4 of 5 motions, abo\r\x1b[K"; b.String() != want {
		t.Errorf("%q", b.String())
	}
}

// Where there is no terminal notes are told once in a while, or nothing.
func TestProgressNotes(t *testing.T) {
	for notes, want := range map[time.Duration]string{0: "", 5 * patience: "note: half\n"} {
		var b strings.Builder
		p := newProgress(&b, notes)
		half := func() string { return "half" }
		p.show(half)
		p.last = p.last.Add(-5 * patience)
		p.show(half)
		p.show(half)
		p.clear()
		if b.String() != want {
			t.Errorf("%v: %q, want %q", notes, b.String(), want)
		}
	}
	var none *progress
	none.clear()
}

// A device that is no terminal is none.
func TestNoTerminal(t *testing.T) {
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	if terminal(null) != nil || takesColours(null) {
		t.Errorf("%s is taken for a terminal", os.DevNull)
	}
}
