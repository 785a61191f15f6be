package ros

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestLogLinesHaveTheFormOfROS(t *testing.T) {
	var out bytes.Buffer
	l := NewLogger(&out, "cell.guard", LevelInfo)
	l.out.now = func() time.Time { return time.Unix(1700000000, 42) }
	l.Debugf("hidden")
	l.Infof("closest pair %s-%s", "arm", "table")
	l.Named("cell.guard.child", LevelDebug).Debugf("shown")
	l.Warnf("w")
	l.Errorf("e")
	l.Fatalf("f")
	l.Flush(time.Minute)
	want := `[INFO] [1700000000.000000042] [cell.guard]: closest pair arm-table
[DEBUG] [1700000000.000000042] [cell.guard.child]: shown
[WARN] [1700000000.000000042] [cell.guard]: w
[ERROR] [1700000000.000000042] [cell.guard]: e
[FATAL] [1700000000.000000042] [cell.guard]: f
`
	if out.String() != want {
		t.Errorf("written:\n%s\nnot\n%s", out.String(), want)
	}
}

func TestLogLevels(t *testing.T) {
	levels := LogLevels{Default: LevelWarn, ByName: map[string]Level{"cell": LevelError, "cell.arm.hand": LevelDebug}}
	for name, want := range map[string]Level{
		"other": LevelWarn, "cell": LevelError, "cell.arm": LevelError, "cell.arm.hand": LevelDebug, "cell.arm.hand.x": LevelDebug, "cellar": LevelWarn,
	} {
		if got := levels.Of(name); got != want {
			t.Errorf("%s logs from %v on, not %v", name, got, want)
		}
	}
	if got := (LogLevels{}).Of("any"); got != LevelInfo {
		t.Errorf("the default is %v", got)
	}
	for _, s := range []string{"debug", "INFO", "Warn", "error", "fatal", "unset"} {
		if l, err := ParseLevel(s); err != nil || !strings.EqualFold(l.String(), s) {
			t.Errorf("%s: %v, %v", s, l, err)
		}
	}
}

func TestLogSinksGetWhatIsWritten(t *testing.T) {
	var out bytes.Buffer
	l := NewLogger(&out, "guard", LevelWarn)
	var records []Record
	remove := l.Named("other", LevelUnset).AddSink(func(r Record) { records = append(records, r) })
	l.Infof("hidden")
	var wg sync.WaitGroup
	for range 20 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			l.Errorf("x")
		}()
	}
	wg.Wait()
	remove()
	l.Errorf("y")
	if len(records) != 20 || records[0].Text != "x" || records[0].Level != LevelError || records[0].Logger != "guard" {
		t.Errorf("%d records, the first of which is %+v", len(records), records[0])
	}
	var none *Logger
	none.Infof("nothing happens")
	none.AddSink(nil)
	if none.Named("x", LevelDebug) != nil || none.Enabled(LevelFatal) {
		t.Error("the nil logger is enabled")
	}
}
