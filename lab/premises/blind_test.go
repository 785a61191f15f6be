package premises

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// Told that a motion is free which the checker finds in contact, the judge objects: it is not
// blind in any category. It may miss what only grazes or is short.
func TestJudgeObjects(t *testing.T) {
	c := start(t)
	if err := os.MkdirAll(c.folder, 0o755); err != nil {
		t.Fatal(err)
	}
	told, objected := map[string]int{}, map[string]int{}
	for model := range uint64(switches.Long.Times(100, 10)) {
		q := newDice(7, model).draw()
		if q.refuse || q.slip() || q.asks.Tube != nil {
			continue
		}
		if err := q.put(c.folder); err != nil {
			t.Fatal(err)
		}
		answers := q.check(c.folder)
		var contacts []int
		for i := range answers {
			if v := &answers[i].verdict; answers[i].err == nil && v.Status == motion.Contact {
				contacts = append(contacts, i)
				v.Status = motion.Free
			}
		}
		lines, rulings := q.told(c.folder, answers)
		said, err := c.judge.ask(lines)
		if err != nil {
			t.Fatal(err)
		}
		category, _, _ := strings.Cut(q.category, ":")
		for _, i := range contacts {
			told[category]++
			if strings.HasPrefix(said[rulings[i]], "free") {
				objected[category]++
			}
		}
		if err := c.clear(); err != nil {
			t.Fatal(err)
		}
	}
	sum, all := 0, 0
	for _, category := range slices.Sorted(maps.Keys(told)) {
		n, of := objected[category], told[category]
		sum, all = sum+n, all+of
		t.Logf("%-24s objects to %d of %d", category, n, of)
		if least := 0.8; of >= 20 && float64(n) < least*float64(of) {
			t.Errorf("%s: the judge objects to %d of %d contacts called free", category, n, of)
		}
	}
	if len(told) < 10 || float64(sum) < 0.95*float64(all) {
		t.Errorf("the judge objects to %d of %d contacts called free, in %d categories", sum, all, len(told))
	}
}
