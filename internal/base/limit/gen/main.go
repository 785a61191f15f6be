// Command gen writes docs/limits.md from the table of limits. Run it in the folder of
// package limit: go generate ./internal/base/limit.
package main

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
)

const head = `# Limits

Written by ` + "`go generate ./internal/base/limit`" + `: do not edit.

Nothing that firstcontact reads is without a bound. Input beyond a bound gets a clear error, UNKNOWN or UNDECIDED, never a
verdict. A bound that a parameter sets is listed in [parameters.md](parameters.md) too.
`

func main() {
	log.SetFlags(0)
	log.SetPrefix("limit/gen: ")
	if err := os.WriteFile(filepath.Join("..", "..", "..", "docs", "limits.md"), []byte(page()), 0o666); err != nil {
		log.Fatal(err)
	}
}

// page is the text of docs/limits.md.
func page() string {
	var b strings.Builder
	b.WriteString(head)
	group := ""
	for _, l := range limit.Table {
		if l.Group != group {
			group = l.Group
			fmt.Fprintf(&b, "\n## %s\n\n| of | at most | beyond it |\n|---|---|---|\n", group)
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", l.Of, amount(l), l.Beyond)
	}
	return b.String()
}

// amount formats a bound for readers: 67108864 bytes is 64 MiB, 2000000 is 2,000,000.
func amount(l limit.Limit) string {
	if rest, ok := strings.CutPrefix(l.Unit, "bytes"); ok {
		for i, unit := range []string{"GiB", "MiB", "KiB"} {
			if size := int64(1) << (30 - 10*i); l.Value >= size && l.Value%size == 0 {
				return fmt.Sprintf("%d %s%s", l.Value/size, unit, rest)
			}
		}
	}
	return strings.TrimSpace(grouped(l.Value) + " " + l.Unit)
}

// grouped separates thousands by commas.
func grouped(n int64) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
