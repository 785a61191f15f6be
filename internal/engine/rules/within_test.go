package rules

import (
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/exact"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Slack within an interval is no less than its terms, whatever their roundings.
func TestSlackWithinAnInterval(t *testing.T) {
	for i := range switches.Long.Times(5000, 50) {
		d := chance.New(75, uint64(i))
		s := Slack{Place: d.Spread(1e-18, 1), slide: d.Spread(1e-18, 1), bend: d.Spread(1e-18, 1)}
		h := d.Spread(1e-9, 10)
		want := exact.Of(s.slide).Plus(exact.Of(h).Times(exact.Of(s.bend))).Times(exact.Of(h)).Plus(exact.Of(s.Place))
		got := exact.Of(s.Within(h))
		if want.Exceeds(got) || got.Exceeds(want.Times(exact.Of(1+16*u))) {
			t.Fatalf("case %d: slack %g, its terms are %g", i, got.Float(), want.Float())
		}
	}
}

// There is slack where all numbers are zero: for what is too small for float64.
func TestSlackOfNothing(t *testing.T) {
	tree, err := kin.NewTree(&urdf.Robot{Links: []urdf.Link{{Name: "base", ParentJoint: -1}}})
	if err != nil {
		t.Fatal(err)
	}
	s := SlackOf(kin.NewState(tree), &model.Element{PoseFE: geom.IdentityPose()}, 0)
	if got := s.Within(0); !(got >= 0x1p-500) {
		t.Errorf("slack %g", got)
	}
}
