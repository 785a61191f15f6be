package urdf

import (
	"math"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// A robot that was changed in code is refused where it is none any more.
func TestValidate(t *testing.T) {
	for name, tc := range map[string]struct {
		change func(*Robot)
		want   []string
	}{
		"unchanged":          {func(*Robot) {}, nil},
		"root beyond":        {func(r *Robot) { r.Root = 99 }, []string{"root", "99"}},
		"another root":       {func(r *Robot) { r.Root = 1 }, []string{"root"}},
		"two links one name": {func(r *Robot) { r.Links[1].Name = r.Links[0].Name }, []string{"link", "twice"}},
		"joint without name": {func(r *Robot) { r.Joints[0].Name = "" }, []string{"joint", "missing"}},
		"child beyond":       {func(r *Robot) { r.Joints[0].Child = -1 }, []string{"joint", "-1"}},
		"child of two":       {func(r *Robot) { r.Joints[0].Child = r.Joints[1].Child }, []string{"parent joint"}},
		"no rotation":        {func(r *Robot) { r.Joints[0].PosePC = geom.Pose{} }, []string{"joint", "rotation"}},
		"far":                {func(r *Robot) { r.Joints[0].PosePC.P.X = 2e6 }, []string{"joint", "unit"}},
		"no axis":            {func(r *Robot) { r.Joints[1].Type, r.Joints[1].Axis = Revolute, geom.Vec{} }, []string{"joint", "axis"}},
		"unknown type":       {func(r *Robot) { r.Joints[0].Type = 17 }, []string{"joint", "type"}},
		"limits":             {func(r *Robot) { r.Joints[0].Limit = Limit{Bounded: true, Lower: 1, Upper: math.NaN()} }, []string{"joint", "limits"}},
		"limits beyond":      {func(r *Robot) { r.Joints[0].Limit = Limit{Bounded: true, Lower: -2e6, Upper: 2e6} }, []string{"joint", "limits"}},
		"mimics beyond":      {func(r *Robot) { r.Joints[0].Mimic = &Mimic{Joint: 99} }, []string{"joint", "99"}},
		"name of a variable": {func(r *Robot) { r.Joints[0].Type, r.Joints[1].Name = Planar, r.Joints[0].Name+"/theta" }, []string{"joint", "/theta", "variable"}},
		"gear":               {func(r *Robot) { r.Joints[0].Mimic = &Mimic{Joint: 1, Multiplier: 1e7} }, []string{"joint", "1e+07"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := mustParse(t, tree).Clone(nil)
			tc.change(r)
			err := r.Validate()
			if tc.want == nil && err != nil {
				t.Fatal(err)
			}
			if tc.want != nil {
				wantError(t, err, tc.want...)
			}
		})
	}
}
