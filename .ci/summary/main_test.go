package main

import (
	"strings"
	"testing"
)

const passing = `{"Action":"run","Package":"m/a","Test":"TestX"}
{"Action":"output","Package":"m/a","Test":"TestX","Output":"noise\n"}
{"Action":"pass","Package":"m/a","Test":"TestX","Elapsed":0.1}
{"Action":"output","Package":"m/a","Output":"ok  \tm/a\t0.2s\n"}
{"Action":"pass","Package":"m/a","Elapsed":0.2}
`

func TestSummarize(t *testing.T) {
	for _, c := range []struct {
		name, events string
		ok           bool
		says, hides  []string
	}{
		{"pass", passing, true, []string{"ok    m/a  0.2 s", "1 tests passed, 0 failed, 0 skipped; 1 packages ok"}, []string{"noise"}},
		{
			"slow", passing + `{"Action":"pass","Package":"m/a","Test":"TestS/part","Elapsed":4}
{"Action":"pass","Package":"m/a","Test":"TestS","Elapsed":4.25}
{"Action":"pass","Package":"m/a","Test":"TestT","Elapsed":5}
`, true, []string{"slowest:\n    5.0 s  m/a TestT\n    4.2 s  m/a TestS\n\n"}, []string{"part"},
		},
		{"nothing", "", false, []string{"0 tests passed"}, nil},
		{
			"skip", passing + `{"Action":"output","Package":"m/a","Test":"TestS","Output":"    s_test.go:7: no ../shared\n"}
{"Action":"output","Package":"m/a","Test":"TestS","Output":"--- SKIP: TestS (0.00s)\n"}
{"Action":"skip","Package":"m/a","Test":"TestS"}
`, true, []string{"m/a TestS: no ../shared\n", "1 skipped"}, []string{"SKIP"},
		},
		{
			"only skipped", `{"Action":"skip","Package":"m/a","Test":"TestS"}
{"Action":"pass","Package":"m/a"}
`, false, []string{"0 tests passed, 0 failed, 1 skipped"}, nil,
		},
		{
			"fail", passing + `{"Action":"output","Package":"m/b","Test":"TestY","Output":"y_test.go:3: wrong\n"}
{"Action":"fail","Package":"m/b","Test":"TestY"}
{"Action":"fail","Package":"m/b"}
`, false, []string{"FAIL  m/b TestY\ny_test.go:3: wrong\n", "1 tests passed, 1 failed", "1 packages ok, 1 failed"}, nil,
		},
		{
			"a race of one test in another's output", passing + `{"Action":"output","Package":"m/b","Test":"TestP","Output":"WARNING: DATA RACE\nRead at b.go:7\n"}
{"Action":"pass","Package":"m/b","Test":"TestP"}
{"Action":"output","Package":"m/b","Test":"TestY","Output":"race detected during execution of test\n"}
{"Action":"fail","Package":"m/b","Test":"TestY"}
{"Action":"fail","Package":"m/b"}
`, false, []string{"RACE  m/b TestP\nWARNING: DATA RACE\nRead at b.go:7\n", "FAIL  m/b TestY\n"}, nil,
		},
		{
			"build", passing + `{"ImportPath":"m/b [m/b.test]","Action":"build-output","Output":"b.go:1:1: undefined: x\n"}
{"ImportPath":"m/b [m/b.test]","Action":"build-fail"}
{"Action":"fail","Package":"m/b","FailedBuild":"m/b [m/b.test]"}
`, false, []string{"FAIL  m/b\nb.go:1:1: undefined: x\n"}, nil,
		},
		{
			"panic", passing + `{"Action":"output","Package":"m/b","Test":"TestP","Output":"panic: oh\n"}
{"Action":"fail","Package":"m/b"}
`, false, []string{"cut short: TestP\npanic: oh\n"}, nil,
		},
		{"bare", passing + "go: downloading something\n" + `{"Action":"skip","Package":"m/c"}` + "\n", true, []string{"go: downloading something", "1 without tests"}, nil},
	} {
		var out strings.Builder
		ok, err := summarize(strings.NewReader(c.events), &out)
		if err != nil || ok != c.ok {
			t.Errorf("%s: ok is %v, want %v; error %v", c.name, ok, c.ok, err)
		}
		for _, s := range c.says {
			if !strings.Contains(out.String(), s) {
				t.Errorf("%s: does not say %q:\n%s", c.name, s, out.String())
			}
		}
		for _, s := range c.hides {
			if strings.Contains(out.String(), s) {
				t.Errorf("%s: says %q:\n%s", c.name, s, out.String())
			}
		}
	}
}
