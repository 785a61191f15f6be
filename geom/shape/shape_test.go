package shape

import (
	"math"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
)

func TestCellsAreSolids(t *testing.T) {
	good := geom.Box{Max: geom.Vec{X: 1, Y: 1, Z: 1}}
	for name, tc := range map[string]struct {
		cells []geom.Box
		want  string // of the error; empty: none
	}{
		"one":       {[]geom.Box{good}, ""},
		"none":      {nil, "no cells"},
		"flat":      {[]geom.Box{good, {Max: geom.Vec{X: 1, Y: 1}}}, "cell 1 has no volume"},
		"backwards": {[]geom.Box{{Min: geom.Vec{X: 2}, Max: geom.Vec{X: 1, Y: 1, Z: 1}}}, "cell 0 has no volume"},
		"NaN":       {[]geom.Box{{Min: geom.Vec{Y: math.NaN()}, Max: good.Max}}, "cell 0 is not finite"},
		"infinite":  {[]geom.Box{{Max: geom.Vec{X: 1, Y: 1, Z: math.Inf(1)}}}, "cell 0 is not finite"},
	} {
		s := &Shape{Kind: Cells, Cells: tc.cells}
		err := s.Validate()
		if (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want %q", name, err, tc.want)
		}
	}
	if Cells.String() != "cells" {
		t.Errorf("cells are called %s", Cells)
	}
}
