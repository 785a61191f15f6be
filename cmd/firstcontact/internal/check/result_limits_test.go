package check

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/clitest"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/verdict"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// What the question leaves out is said wherever the answer is: in text, on one line, in JSON, in
// the report and in the picture's caption.
func TestWhatIsNotCheckedIsSaid(t *testing.T) {
	file := filepath.Join(t.TempDir(), "report.html")
	model := []string{"--robot", humanoid + "humanoid.urdf", "--srdf", humanoid + "humanoid.srdf", "--scene", humanoid + "obstacles.yaml"}
	const want = "the robot with the world is not checked"
	check := append([]string{"check", "--no-world", "--padding", "0.001", "--report", file}, model...)
	_, text, _ := command(t, "", append(check, humanoid+"trajectory_free.yaml")...)
	for _, line := range []string{"not covered: " + want + " (--no-world)", "the robot's links are checked 1.00 mm thicker than they are (--padding)"} {
		if !strings.Contains(text, line) {
			t.Errorf("text lacks %q:\n%s", line, text)
		}
	}
	m := clitest.ReadReport(t, file).Motions[0]
	if !strings.Contains(m.Headline, want) || !strings.Contains(strings.Join(m.Open, "\n"), "T"+want[1:]) || !strings.Contains(strings.Join(m.Rests, "\n"), "1.00 mm thicker") {
		t.Errorf("the report says %q, open %q", m.Headline, m.Open)
	}
	if m.Answer["no_world"] != true || m.Answer["padding"] != 0.001 || m.Answer["no_self"] != nil {
		t.Errorf("JSON has %v, %v and %v", m.Answer["no_world"], m.Answer["padding"], m.Answer["no_self"])
	}
	_, lines, _ := command(t, "", append(check, humanoid+"trajectory_free.yaml", humanoid+"wave.csv")...)
	if n := strings.Count(lines, "; "+want); n != 2 {
		t.Errorf("%d of 2 lines say it:\n%s", n, lines)
	}
	r := verdict.Result{Status: "free", NoSelf: true, NoWorld: true}
	caption := (&pngFlags{}).shotOf(&motion.Verdict{Status: motion.Free}, &r).Caption
	if !strings.Contains(caption, want) || !strings.Contains(caption, "the robot with itself is not checked") {
		t.Errorf("the picture says %q", caption)
	}
}
