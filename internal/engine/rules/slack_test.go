package rules_test

import (
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/rules"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// u is the largest relative error of a float64 operation.
const u = 0x1p-53

// Every term of the slack, alone.
func TestSlackHasEveryTerm(t *testing.T) {
	e := model.Element{PoseFE: geom.Translation(geom.Vec{Y: 2})}
	const rho, h = 3, 13
	const p, x = 2 + rho, 5 + 2 + rho
	for _, c := range []struct {
		name string
		set  func(*kin.State)
		want float64
	}{
		{"position", func(st *kin.State) { st.ErrP[0] = 1 }, 1},
		{"rotation", func(st *kin.State) { st.ErrR[0] = 1 }, p},
		{"velocity, of the side and of what it is relative to", func(st *kin.State) { st.ErrV[0].Lin, st.Speed[0] = 1, kin.TwistErr{} }, 2 * h},
		{"angular velocity, likewise", func(st *kin.State) { st.ErrV[0].Ang, st.Speed[0] = 1, kin.TwistErr{} }, 2 * h * x},
		{"acceleration", func(st *kin.State) { st.ErrRate[0].Lin = 1 }, h * h},
		{"angular acceleration", func(st *kin.State) { st.ErrRate[0].Ang = 1 }, h * h * x},
		{"velocity that is turned", func(st *kin.State) { st.ErrV[0].Lin = 1 }, 2*h + h*h*8*11},
		{"what turns the velocity", func(st *kin.State) { st.ErrV[0].Ang, st.Speed[0].Ang = 1, 0 }, 2*h*x + h*h*8*7},
		{"what turns the velocity, and is itself off", func(st *kin.State) { st.ErrV[0].Ang = 1 }, 2*h*x + h*h*8*(7+11*x+11*x)},
		{"arithmetic of accelerations", func(st *kin.State) { st.Rush[0] = kin.TwistErr{Lin: 3, Ang: 5} }, 64 * u * h * h * (3 + 5*x + 8*11*(7+11*x))},
		{"the element's position", func(*kin.State) { e.ErrP = 1 }, 1},
		{"the element's rotation", func(*kin.State) { e.ErrR = 1 }, rho},
		{"arithmetic", func(st *kin.State) { st.Speed[0].Ang = 0 }, (160*p + 16*x + 64*(x+h*7)) * u},
		{"arithmetic of what turns", func(st *kin.State) { st.Speed[0].Lin = 0 }, (160*p + 16*x + 64*(x+h*11*x+h*h*8*11*11*x)) * u},
	} {
		tree, err := kin.NewTree(&urdf.Robot{Links: []urdf.Link{{Name: "l0", ParentJoint: -1}}})
		if err != nil {
			t.Fatal(err)
		}
		st := kin.NewState(tree)
		e.ErrP, e.ErrR = 0, 0
		st.Far[0], st.Speed[0] = 5, kin.TwistErr{Lin: 7, Ang: 11}
		c.set(st)
		terms := rules.SlackOf(st, &e, rho)
		if got := terms.Within(h); !(got >= c.want*(1-1e-15)) {
			t.Errorf("%s: slack %g, want %g", c.name, got, c.want)
		}
	}
}
