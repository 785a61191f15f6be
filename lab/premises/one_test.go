package premises

import (
	"fmt"
	"os"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
)

// TestOneModel asks again about one model and tells all answers:
// FIRSTCONTACT_PREMISES_MODEL="SEED NUMBER".
func TestOneModel(t *testing.T) {
	var seed, number uint64
	if _, err := fmt.Sscan(switches.PremisesModel.Get(), &seed, &number); err != nil {
		t.Skip("no model is named by FIRSTCONTACT_PREMISES_MODEL")
	}
	c := start(t)
	q := newDice(seed, number).draw()
	if err := os.MkdirAll(c.folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := q.put(c.folder); err != nil {
		t.Fatal(err)
	}
	answers, crash := checked(q, c.folder)
	t.Log(q.category, crash)
	lines, _ := q.told(c.folder, answers)
	said, err := c.judge.ask(lines)
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range lines {
		t.Logf("%s\n\t%s", line, said[i])
	}
	for i := range answers {
		a := &answers[i]
		t.Logf("motion %d: %v %v %s %v", i, a.verdict.Status, a.verdict.TOC, a.verdict.Reason, a.err)
	}
	if c.keep != "" {
		if err := q.put(mkdir(c.keep)); err != nil {
			t.Fatal(err)
		}
	}
}
