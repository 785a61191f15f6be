//go:build linux

package main

import (
	"fmt"
	"io"
	"strings"
)

const header = "| attack | states/s | largest gap | oldest data | stale | contradicted | baseless | in flight | RSS | threads | files | log | questions in time | slowest | before |\n" +
	"|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n"

// row writes a result as a line of a table.
func (r *result) row(w io.Writer) {
	fmt.Fprintf(w, "| %s | %.0f | %.0f ms | %.1f ms | %d | %d | %d | %d | %.1f MB | %d | %d | %s | %d of %d | %.0f ms | %s |\n",
		r.attack.name, r.states, ms(r.gap), ms(r.oldest), r.wrong[0], r.wrong[1], r.wrong[2], r.flew,
		float64(r.use.Peak)/1000, r.use.Threads, r.use.Files, bytes(r.log), r.inTime, r.asked, ms(r.slowest), r.attack.before)
}

// rest writes what the table has no room for.
func (r *result) rest(w io.Writer) {
	l := r.levels
	fmt.Fprintf(w, "    %s; %.1f s; %d unknown, %d free, %d warn, %d stop, %d collision\n", r.attack.about, r.lasted.Seconds(), l[0], l[1], l[2], l[3], l[4])
	for _, note := range r.notes {
		fmt.Fprintf(w, "    %s\n", note)
	}
	for _, fault := range r.faults {
		fmt.Fprintf(w, "    FAULT: %s\n", strings.ReplaceAll(fault, "\n", " "))
	}
}

func bytes(n int) string {
	switch {
	case n < 10_000:
		return fmt.Sprintf("%d B", n)
	case n < 10_000_000:
		return fmt.Sprintf("%d kB", n/1000)
	}
	return fmt.Sprintf("%d MB", n/1_000_000)
}
