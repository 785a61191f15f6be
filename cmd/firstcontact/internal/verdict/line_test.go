package verdict

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// A name from a file cannot change lines or colours of the output.
func TestNamesStayOnTheirLine(t *testing.T) {
	r := Invalid("a\nFREE  b\x1b[31m", fmt.Errorf("line\nFREE  c"))
	plain := PainterFor(&bytes.Buffer{})
	for _, write := range []func(*bytes.Buffer) error{
		func(b *bytes.Buffer) error { return r.WriteLine(b, plain, 10) },
		func(b *bytes.Buffer) error { return r.WriteText(b, plain) },
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		if out := b.String(); strings.Count(out, "\n") != 1 || strings.Contains(out, "\x1b") {
			t.Errorf("%q", out)
		}
	}
}
