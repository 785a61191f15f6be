package plausible_test

import (
	"reflect"
	"testing"

	"github.com/firstcontact-ros/firstcontact/plausible"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// A model that has judged other joints before says what a new one does, and nobody else's changes reach what it remembers.
func TestNamedRemembersNothingOfOthers(t *testing.T) {
	robot, err := urdf.Parse([]byte(arm), urdf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	model, found := plausible.New(robot, nil), 0
	lists := [][]string{{"shoulder", "elbow", "lift", "spin"}, {"shoulder", "lift"}, {"shoulder"}, {"lift", "shoulder"}, {}, {"none"}, {"shoulder", "elbow", "lift", "spin"}}
	names := make([]string, 0, 4)
	for range 2 {
		for _, list := range lists {
			names = append(names[:0], list...) // the caller's list changes
			want := plausible.New(robot, nil).Named(list)
			for range 2 {
				got := model.Named(names)
				if len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
					t.Errorf("%v: %v, want %v", list, got, want)
				}
				found += len(got)
				clear(got)
			}
		}
	}
	if found == 0 {
		t.Error("no list has a finding: a poor test")
	}
}
