// Package oneline makes text from outside safe for a line of a log or of a message: it stays
// on one line, it shows its content, and it is bounded. Long lists of names are shortened.
package oneline

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Text returns s with everything escaped that is not printable: line ends, control characters,
// escape sequences, marks that change the direction of writing, and bytes that are not UTF-8.
// If the result would exceed limit bytes it is truncated, followed by a mark with the length
// of s. Printable text within the limit is returned unchanged.
func Text(s string, limit int) string {
	if len(s) <= limit && plain(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		e := escaped(s[i:i+size], r)
		if b.Len()+len(e) > limit {
			fmt.Fprintf(&b, "… (%d bytes)", len(s))
			break
		}
		b.WriteString(e)
		i += size
	}
	return b.String()
}

// plain reports whether s is printable ASCII.
func plain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// escaped returns the rune of s, or its escape sequence.
func escaped(s string, r rune) string {
	switch {
	case r == utf8.RuneError && len(s) == 1:
		return fmt.Sprintf(`\x%02x`, s[0])
	case strconv.IsPrint(r):
		return s
	}
	q := strconv.QuoteRuneToASCII(r)
	return q[1 : len(q)-1]
}

// Name is like Text for a name or id inside a line. It quotes names that could be mistaken for
// the text around them, such as those with ": ".
func Name(s string, limit int) string {
	t := Text(s, limit)
	if s != "" && t == s && !strings.ContainsAny(s, `"\`) && !strings.Contains(s, ": ") && !strings.Contains(s, "  ") &&
		s[0] != ' ' && s[len(s)-1] != ' ' {
		return s
	}
	return `"` + strings.ReplaceAll(t, `"`, `\"`) + `"`
}
