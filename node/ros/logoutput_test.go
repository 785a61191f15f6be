package ros

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
)

var lossLine = regexp.MustCompile(`^\[WARN\] \[\d+\.\d{9}\] \[guard\]: (\d+) log lines were dropped: `)

// Nobody who logs waits for a writer that does not take what is written, and what is
// lost is told once it does.
func TestLogDoesNotWaitForItsReader(t *testing.T) {
	const lines = 3000
	read, write := io.Pipe()
	l := NewLogger(write, "guard", LevelInfo)
	done := make(chan bool)
	go func() {
		for i := range lines {
			l.Infof("line %d", i)
		}
		l.Warnf("what is to be known")
		l.Errorf("what matters")
		done <- l.Flush(10 * time.Millisecond)
	}()
	select {
	case flushed := <-done:
		if flushed {
			t.Error("nobody reads, and yet all is written")
		}
	case <-time.After(10 * time.Second):
		t.Fatal("who logs waits for the reader of the log")
	}
	go func() {
		l.Flush(time.Minute)
		write.Close()
	}()
	heard, lost, mattered, known := 0, 0, false, false
	for scan := bufio.NewScanner(read); scan.Scan(); {
		if m := lossLine.FindStringSubmatch(scan.Text()); m != nil {
			n, _ := strconv.Atoi(m[1])
			lost += n
			continue
		}
		heard++
		mattered = mattered || strings.HasSuffix(scan.Text(), "what matters")
		known = known || strings.HasSuffix(scan.Text(), "what is to be known")
	}
	if heard+lost != lines+2 || lost == 0 || !mattered || !known {
		t.Errorf("%d lines heard, %d told of as lost, of %d; the error is heard: %t, the warning: %t", heard, lost, lines+2, mattered, known)
	}
}

// A flood fills neither the disk nor the place of errors.
func TestLogGrowsNoFasterThanItMay(t *testing.T) {
	var out bytes.Buffer
	l := NewLogger(&out, "guard", LevelInfo)
	const lines, text = 5000, 1000
	for range lines {
		l.Infof("%s", strings.Repeat("x", text))
	}
	l.Warnf("what is to be known")
	l.Errorf("what matters")
	if !l.Flush(time.Minute) {
		t.Fatal("not written")
	}
	if most := limit.LogBurstBytes + 10*limit.LogBytesPerSecond; out.Len() > most {
		t.Errorf("%d bytes written of %d, want at most %d", out.Len(), lines*text, most)
	}
	all := strings.Split(strings.TrimSpace(out.String()), "\n")
	lost := 0
	for _, line := range all {
		if m := lossLine.FindStringSubmatch(line); m != nil {
			n, _ := strconv.Atoi(m[1])
			lost += n
		}
	}
	if !strings.Contains(out.String(), "what matters") || !strings.Contains(out.String(), "what is to be known") || strings.Count(out.String(), "xxx\n")+lost != lines {
		t.Errorf("%d lines, %d told of as lost, of %d; %s", len(all), lost, lines, all[len(all)-1])
	}
}

// One call writes one line, whatever is in it.
func TestLogLinesCannotBeForged(t *testing.T) {
	var out bytes.Buffer
	l := NewLogger(&out, "guard", LevelInfo)
	var records []Record
	l.AddSink(func(r Record) { records = append(records, r) })
	forged := "a\n[INFO] [1700000000.000000000] [guard]: b: proved free"
	l.Infof("%s: %s", forged, "invalid")
	l.Infof("%s: %s", LogName(forged), "invalid")
	l.Infof("\x1b[2K\rproved free\u202e \xff")
	l.Infof("%s", strings.Repeat("y", 5<<20))
	l.Flush(time.Minute)
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if len(lines) != 4 || len(records) != 4 {
		t.Fatalf("%d lines and %d records of 4 calls:\n%.1000s", len(lines), len(records), out.String())
	}
	for i, want := range []string{
		`a\n[INFO] [1700000000.000000000] [guard]: b: proved free: invalid`,
		`"a\n[INFO] [1700000000.000000000] [guard]: b: proved free": invalid`,
		`\x1b[2K\rproved free\u202e \xff`,
		strings.Repeat("y", limit.LogLineBytes) + "… (5242880 bytes)",
	} {
		if records[i].Text != want || !strings.HasSuffix(lines[i], "]: "+want) {
			t.Errorf("line %d: %.200s, want %.200s", i, records[i].Text, want)
		}
	}
}

// The goroutine that writes is gone when nothing waits, and lines come in their order.
func TestLogKeepsTheOrder(t *testing.T) {
	var out bytes.Buffer
	l := NewLogger(&out, "guard", LevelInfo)
	for i := range 200 {
		l.Infof("%d", i)
		if i%10 == 0 {
			l.Flush(time.Minute)
		}
	}
	l.Flush(time.Minute)
	for i, line := range strings.Split(strings.TrimSpace(out.String()), "\n") {
		if !strings.HasSuffix(line, fmt.Sprintf("]: %d", i)) {
			t.Fatalf("line %d is %s", i, line)
		}
	}
	l.out.mu.Lock()
	defer l.out.mu.Unlock()
	if l.out.idle != nil {
		t.Error("somebody still writes")
	}
}
