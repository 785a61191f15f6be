//go:build !js

package batch

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/clitest"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/verdict"
	"github.com/firstcontact-ros/firstcontact/internal/batch"
)

// worstFirst writes motions of every status, and returns the names in the order in which a report has them. One cannot
// be read.
func (r rail) worstFirst() []string {
	r.to("in/near.csv", 0.89)
	r.to("in/late.csv", 0.95)
	r.to("in/soon.csv", 1.8)
	r.write("in/bad.csv", "x,time\n0,zero\n")
	r.write("in/open.yaml", "joint_names: [x]\npoints:\n- {positions: [0.1], time_from_start: {sec: 1}}\n- {positions: [0.2], time_from_start: {sec: 2}}\n")
	return []string{"soon.csv", "late.csv", "near.csv", "open.yaml", "b.csv", "a.csv"}
}

// The report shows the worst motions that have a verdict, with the verdicts of their rows, and the summary leads there.
func TestBatchReport(t *testing.T) {
	r := newRail(t)
	names := r.worstFirst()
	flags := []string{"--clearance", "0.05", "--min-clearance", "--worst", "3"}
	code, out, errs := command(t, "", r.args(append(flags, "--report", "5")...)...)
	page := filepath.Join(r.path("out"), reportName)
	if code != cli.ExitBadInput || !strings.Contains(out, "the 5 worst are shown in "+page) {
		t.Fatalf("exit status %d: %s%s", code, out, errs)
	}
	p, s := clitest.ReadReport(t, page), r.summary("out")
	var shown, statuses []string
	for i := range p.Motions {
		shown, statuses = append(shown, p.Motions[i].Name), append(statuses, p.Motions[i].Status)
	}
	if !slices.Equal(shown, names[:5]) || !slices.Equal(statuses, []string{"contact", "contact", "clearance", "undecided", "free"}) {
		t.Errorf("the page shows %v: %v", shown, statuses)
	}
	soon := &p.Motions[0]
	if !slices.Contains(soon.Rests, "Units: rad, m and s, as the format has them.") || len(soon.Moments) == 0 || soon.Profile == nil || len(p.Scenes) != 1 {
		t.Errorf("soon.csv: %+v", soon)
	}
	if w := s.Worst; s.Report != reportName || len(w) != 3 || w[0].Status != batch.Invalid || w[0].Report != "" || w[1].Report != "report.html#motion=1" || w[2].Report != "report.html#motion=2" {
		t.Errorf("the summary: %q %+v", s.Report, w)
	}
	if toc := soon.Answer["toc"].([]any); toc[1] != *s.Worst[1].Time {
		t.Errorf("contact at %v, by the row at %v", toc, *s.Worst[1].Time)
	}
}

// A batch that is done gets its report by --resume; nothing else changes. Without --report none is written.
func TestBatchReportOfWhatIsDone(t *testing.T) {
	r := newRail(t)
	names := r.worstFirst()
	command(t, "", r.args()...)
	page, table := filepath.Join(r.path("out"), reportName), r.table("out")
	if _, err := os.Stat(page); err == nil || r.summary("out").Report != "" {
		t.Fatal("there is a report, which nobody asked for")
	}
	code, out, errs := command(t, "", r.args("--resume", "--report", "9")...)
	if code != cli.ExitBadInput || !bytes.Equal(r.table("out"), table) {
		t.Errorf("exit status %d: %s%s", code, out, errs)
	}
	if p := clitest.ReadReport(t, page); len(p.Motions) != 3 || p.Motions[0].Name != names[0] { // without --min-clearance no free one is worse than another
		t.Errorf("%d motions: %+v", len(p.Motions), p.Motions)
	}
}

// A batch in which no motion is worse than another has no page, and says why.
func TestBatchReportOfFreeMotions(t *testing.T) {
	r := newRail(t)
	code, out, errs := command(t, "", r.args("--report", "2")...)
	if _, err := os.Stat(filepath.Join(r.path("out"), reportName)); err == nil || code != cli.ExitFree || !strings.Contains(errs, "--min-clearance") {
		t.Errorf("exit status %d: %s%s", code, out, errs)
	}
}

// What keeps the page from being written costs the page, not the results.
func TestBatchReportThatCannotBeWritten(t *testing.T) {
	r := newRail(t)
	r.worstFirst()
	if err := os.MkdirAll(filepath.Join(r.path("out"), reportName, "taken"), 0o755); err != nil {
		t.Fatal(err)
	}
	code, _, errs := command(t, "", r.args("--report", "2")...)
	if s := r.summary("out"); code != cli.ExitOutput || s.Report != "" || s.Motions != 7 || !strings.Contains(errs, reportName) {
		t.Errorf("exit status %d, %+v: %s", code, s, errs)
	}
}

// Two verdicts about one motion are an error.
func TestSameVerdict(t *testing.T) {
	at := 0.5
	contact := &batch.Worst{Status: "contact", Time: &at}
	for i, tc := range []struct {
		w    *batch.Worst
		r    verdict.Result
		same bool
	}{
		{contact, verdict.Result{Status: "contact", TOC: &[2]float64{0.4, 0.5}}, true},
		{contact, verdict.Result{Status: "contact", TOC: &[2]float64{0.4, 0.6}}, false},
		{contact, verdict.Result{Status: "contact"}, false},
		{contact, verdict.Result{Status: "free"}, false},
		{&batch.Worst{Status: "contact"}, verdict.Result{Status: "contact", TOC: &[2]float64{0, 1}}, true}, // --yes-no
	} {
		if err := sameVerdict(tc.w, &tc.r); (err == nil) != tc.same {
			t.Errorf("case %d: %v", i, err)
		}
	}
}
