package scene_test

import (
	"testing"

	"github.com/firstcontact-ros/firstcontact/premise"
	"github.com/firstcontact-ros/firstcontact/scene"
)

// What a scene asks for and its objects do not contain is a gap, no mere warning.
func TestGaps(t *testing.T) {
	for name, tc := range map[string]struct{ text, about string }{
		"diff":                       {"world: {}\nis_diff: true", "is_diff"},
		"object without shapes":      {"world: {collision_objects: [{id: shelf}]}", "shelf"},
		"text object without shapes": {"scene\n* shelf\n0\n.\n", "shelf"},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := scene.Parse("scene", []byte(tc.text), scene.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if len(s.Gaps) != 1 || s.Gaps[0].Kind != premise.NotUnderstood || s.Gaps[0].Names[0] != tc.about || !s.Gaps[0].Open() || s.Gaps[0].Remedy == "" {
				t.Errorf("gaps %+v, want one about %s", s.Gaps, tc.about)
			}
		})
	}
}
