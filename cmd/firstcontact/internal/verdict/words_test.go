package verdict

import (
	"slices"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/answer"
	"github.com/firstcontact-ros/firstcontact/internal/show"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// A report proves no more than the answer does.
func TestReportStatesWhatIsProved(t *testing.T) {
	near := Result{
		Status: "clearance", Clearance: 0.02, Duration: 2, Tolerances: Tolerances{Time: 1e-6}, TOC: &[2]float64{0.5, 0.5000001}, Scope: "self", Pair: &[2]string{"a", "b"}, Witness: &answer.Witness{Distance: 0.0199},
		Message: "whether it touches is undecided: deadline", MoreContacts: true, Contacts: []Contact{{Witness: &answer.Witness{}}, {Pair: [2]string{"c", "d"}, Witness: &answer.Witness{Distance: 0.01}}},
		Self: &ScopeResult{Status: "undecided", ProvenUntil: 0.4, Message: "deadline"},
	}
	any := Result{Status: "contact", Duration: 2, Tolerances: near.Tolerances, TOC: &[2]float64{0, 1.5}, Scope: "self", Pair: near.Pair, Witness: &answer.Witness{}}
	tube := near
	tube.Tube = map[string]float64{"elbow": 0.01}
	for _, c := range []struct {
		name               string
		r                  Result
		headline           string
		proved, open, lack []string
	}{
		{
			"clearance", near, "Closer than the wanted 20.00 mm from 0.500001 s",
			[]string{"is closer than 20.00 mm before 0.500000 s", "c and d come as close as 20.00 mm, too: they are 10.00 mm apart", "The lower edge of the curve of clearance is proved"},
			[]string{"Whether it touches is undecided", "More pairs may come as close", "Self: UNDECIDED", "World: no pair to check"},
			[]string{"touch, too", "UNDECIDED"},
		},
		{"yes or no", any, "In contact at 1.500000 s of 2 s, self: a and b, which may not be the first time", nil, nil, []string{"touches before"}},
		{
			"tube", tube, "May be closer within the tube",
			[]string{"The lower edge of the curve of clearance of the motion itself, without its tube, is"},
			[]string{"within the tube bodies may come closer"},
			[]string{"of clearance is proved"},
		},
		{
			"undecided",
			Result{Status: "undecided", Duration: 2, ProvenUntil: 0.9999999, Message: "deadline"},
			"Undecided",
			[]string{"touches before 0.999999 s."},
			[]string{"Nothing is known about the time after 0.999999 s", "Deadline."},
			[]string{"Nothing is known"},
		},
	} {
		page := &show.Motion{Profile: &motion.DistanceProfile{}}
		c.r.Tell(page)
		has := func(list []string, want string) bool {
			return slices.ContainsFunc(list, func(s string) bool { return strings.Contains(s, want) })
		}
		if !strings.HasPrefix(page.Headline, c.headline) {
			t.Errorf("%s: %q", c.name, page.Headline)
		}
		for _, want := range c.proved {
			if !has(page.Proved, want) {
				t.Errorf("%s: %q is not proved: %q", c.name, want, page.Proved)
			}
		}
		for _, want := range c.open {
			if !has(page.Open, want) {
				t.Errorf("%s: %q is not open: %q", c.name, want, page.Open)
			}
		}
		for _, not := range c.lack {
			if has(page.Proved, not) {
				t.Errorf("%s: %q is said to be proved: %q", c.name, not, page.Proved)
			}
		}
	}
}
