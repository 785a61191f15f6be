package ccd

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// A ball that slides into a corner touches three walls at once; a list of two says that
// there are more. A method may call it a contact at the start, where the ball is within
// the tolerance of two.
func TestContactsInACorner(t *testing.T) {
	world := worldOf(
		object("ahead", box(0.2, 4, 4), pose(0.7, 0, 0)), // face at 0.6
		object("beside", box(4, 0.2, 4), pose(0, 0.2+2e-7, 0)),
		object("below", box(4, 4, 0.2), pose(0, 0, -0.2-4e-7)),
		object("near", box(4, 0.2, 4), pose(0, -0.2-2e-6, 0)), // beyond the tolerance
	)
	c, err := New(slider(), world, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, by := range Methods() {
		for _, most := range []int{1, 2, 3, 10} {
			v, err := c.Check(context.Background(), betweenX(t, 0, 1, 1), motion.Query{MaxContacts: most, Method: by})
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, w := range v.Contacts {
				names = append(names, w.Pair.B.Name)
				if w.Time != v.TOC.Hi || w.FeatureA.Kind != motion.Ball || w.FeatureB.Kind != motion.Face || w.Distance > motion.DefaultTolerance+beyondTouching {
					t.Errorf("%s: %+v", by, w)
				}
			}
			touching := 2
			if v.TOC.Hi > 0.4 {
				touching = 3
			}
			if len(names) != min(most, touching) || names[0] != v.Contact.Pair.B.Name || v.MoreContacts != (most < touching) {
				t.Errorf("%s, at most %d: %v at %g, more %v", by, most, names, v.TOC.Hi, v.MoreContacts)
			}
		}
	}
	v, err := c.Check(context.Background(), betweenX(t, 0, 0, 1), motion.Query{MaxContacts: 5, Clearance: 1e-5})
	if err != nil || len(v.Contacts) != 3 || v.MoreContacts {
		t.Errorf("within a clearance: %v, %d contacts", err, len(v.Contacts))
	}
	if v, err = c.Check(context.Background(), betweenX(t, 0, 1, 1), motion.Query{}); err != nil || v.Contacts != nil || v.MoreContacts {
		t.Errorf("nobody asked: %v, %+v", err, v.Contacts)
	}
}

// Queries that a list of contacts does not support are errors.
func TestContactsThatCannotBeListed(t *testing.T) {
	c, err := New(slider(), worldOf(object("wall", ball(0.1), pose(1, 0, 0))), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []motion.Query{{MaxContacts: -1}, {MaxContacts: 1, Tube: map[string]float64{"x": 0.1}}} {
		if v, err := c.Check(context.Background(), betweenX(t, 0, 1, 1), q); err == nil {
			t.Errorf("%+v: %v", q, v.Status)
		}
	}
	if _, err := c.PathChecker(motion.Query{Question: motion.IsFree, MaxContacts: 1}); err == nil || !strings.Contains(err.Error(), "MaxContacts") {
		t.Errorf("a path: %v", err)
	}
}

// TestContactsAreAll holds lists of contacts against the distances of all pairs at the
// same configuration: each pair within the tolerance is listed, or the list says that
// there are more, and nothing else is.
func TestContactsAreAll(t *testing.T) {
	robots := long(400)
	if race.Enabled {
		robots = 50
	}
	var lists, contacts, several, cut int
	for i := range robots {
		d := dice{chance.New(2718, uint64(i))}
		c, err := New(d.robot(), d.world(), anyRobot)
		if err != nil {
			t.Fatal(err)
		}
		m := d.motion(c.ActiveJoints())
		q := motion.Query{MaxContacts: 1 + d.IntN(6), EachScope: d.IntN(2) == 0, NoSelf: d.IntN(5) == 0}
		if d.IntN(2) == 0 {
			q.Tolerance = math.Pow(10, d.In(-6, -2)) // so that several pairs touch
		}
		if d.IntN(3) == 0 {
			q.Clearance = d.In(0, 0.1)
		}
		if d.IntN(4) == 0 {
			q.Question = motion.IsFree
		}
		if d.IntN(5) == 0 {
			q.Method = Methods()[d.IntN(len(Methods()))]
		}
		v, err := c.Check(context.Background(), m, q)
		if err != nil {
			t.Fatal(err)
		}
		if v.Status != motion.Contact {
			if v.Contacts != nil || v.MoreContacts {
				t.Errorf("robot %d: %v with contacts", i, v.Status)
			}
			continue
		}
		lists++
		contacts += len(v.Contacts)
		if len(v.Contacts) > 1 {
			several++
		}
		if v.MoreContacts {
			cut++
		}
		for _, wrong := range contactsWrong(t, c, m, &q, &v) {
			t.Errorf("robot %d, %s: %s", i, q.Method, wrong)
		}
	}
	t.Logf("%d lists of %d contacts, %d of several, %d cut short", lists, contacts, several, cut)
	if several*10 < lists || cut*40 < lists {
		t.Error("one-sided")
	}
}

// contactsWrong tells what is wrong with a list of contacts.
func contactsWrong(t *testing.T, c *Checker, m *motion.Motion, q *motion.Query, v *motion.Verdict) (wrong []string) {
	t.Helper()
	positions := map[string]float64{}
	for j, x := range m.At(v.TOC.Hi) {
		positions[m.Joints[j]] = x
	}
	all, err := c.Distance(context.Background(), positions, motion.DistanceQuery{K: -1, NoSelf: q.NoSelf})
	if err != nil {
		t.Fatal(err)
	}
	limit := q.Clearance + max(q.Tolerance, motion.DefaultTolerance*map[bool]float64{true: 1}[q.Tolerance == 0])
	const band = 1e-8
	sure, maybe := 0, map[motion.Pair]float64{}
	for _, p := range all.Pairs {
		if p.Bounds.Hi <= limit-band {
			sure++
		}
		if p.Bounds.Lo <= limit+band {
			maybe[p.Pair] = p.Bounds.Lo
		}
	}
	if len(v.Contacts) == 0 || v.Contacts[0].Pair != v.Contact.Pair {
		return []string{"the first is not the verdict's"}
	}
	if len(v.Contacts) > q.MaxContacts {
		wrong = append(wrong, fmt.Sprintf("%d of at most %d", len(v.Contacts), q.MaxContacts))
	}
	if len(v.Contacts) < sure && !v.MoreContacts || v.MoreContacts && len(maybe) <= len(v.Contacts) {
		wrong = append(wrong, fmt.Sprintf("%d listed, more %v, but %d to %d pairs touch", len(v.Contacts), v.MoreContacts, sure, len(maybe)))
	}
	var seen []motion.Pair
	for k, w := range v.Contacts {
		distance, touches := maybe[w.Pair]
		if !touches || slices.Contains(seen, w.Pair) {
			wrong = append(wrong, fmt.Sprintf("contact %d of %v does not touch, or is there twice", k, w.Pair))
		}
		seen = append(seen, w.Pair)
		apart := geom.Norm(r3.Sub(w.PointA, w.PointB))
		if math.Abs(apart-w.Distance) > 1e-8 || k > 0 && math.Abs(w.Distance-distance) > band {
			wrong = append(wrong, fmt.Sprintf("contact %d: points %g apart, told as %g, of bodies %g apart", k, apart, w.Distance, distance))
		}
	}
	return wrong
}
