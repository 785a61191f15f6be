package input

import (
	"reflect"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/motion"
)

func TestDistanceRangesAsWritten(t *testing.T) {
	for _, x := range []struct {
		given []string
		want  motion.DistanceRanges
	}{
		{nil, motion.DistanceRanges{}},
		{[]string{"0.02:0.5"}, motion.DistanceRanges{Min: 0.02, Max: 0.5}},
		{[]string{":0.5", "self:0.01:"}, motion.DistanceRanges{Max: 0.5, SelfRange: &motion.DistanceRange{Min: 0.01}}},
		{[]string{"scene:1:2", "attached::3"}, motion.DistanceRanges{WorldRange: &motion.DistanceRange{Min: 1, Max: 2}, AttachedRange: &motion.DistanceRange{Max: 3}}},
		{[]string{"hand:table:0.1:"}, motion.DistanceRanges{Ranges: []motion.PairRange{{A: "hand", B: "table", DistanceRange: motion.DistanceRange{Min: 0.1}}}}},
	} {
		f := RangeFlags{Given: x.given}
		if err := f.Parse(); err != nil || !reflect.DeepEqual(f.Ranges, x.want) {
			t.Errorf("%q: %+v, %v", x.given, f.Ranges, err)
		}
	}
	for text, want := range map[string]string{
		"0.5": "give MIN:MAX", "a:b": "no distance", "-1:2": "no distance", "2:1": "more than MAX", "inf:": "no distance", "0:0": "MAX is 0",
		"nan:": "no distance", "elf:1:2": "no class", ":b:1:2": "no pair",
	} {
		if err := (&RangeFlags{Given: []string{text}}).Parse(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	for _, twice := range [][]string{{"1:", ":3"}, {"self:1:", "self::2"}, {"scene:1:", "world:1:"}} {
		if err := (&RangeFlags{Given: twice}).Parse(); err == nil {
			t.Errorf("%q: no error", twice)
		}
	}
}
