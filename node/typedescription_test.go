package node

import (
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	tdi "github.com/firstcontact-ros/firstcontact/msgs/typedescriptioninterfaces"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

func TestTypeDescriptions(t *testing.T) { testTypeDescriptions(t, inMemory()) }

func testTypeDescriptions(t *testing.T, g *graph) {
	r := g.newRobot(t, railArgs(t)...)
	info := new(fcmsgs.Verdict).ROSType()
	a := call[tdi.GetTypeDescriptionRequest, tdi.GetTypeDescriptionResponse](r, "get_type_description", &tdi.GetTypeDescriptionRequest{TypeName: info.ROSName(), TypeHash: info.Hash, IncludeTypeSources: true})
	if !a.Successful || a.TypeDescription.TypeDescription.TypeName != info.ROSName() || !strings.Contains(a.TypeSources[0].RawFileContents, "proven_until") {
		t.Errorf("%v: %s, %+v", a.Successful, a.FailureReason, a.TypeDescription.TypeDescription)
	}
}

// The service is left out where a parameter says so, and beside nodes of Humble, which have none.
func TestNoTypeDescriptions(t *testing.T) {
	for name, o := range map[string]Options{
		"by parameter": {Args: ros.Args{Parameters: []ros.Parameter{{Node: "/**", Name: "start_type_description_service", Value: false}}}},
		"Humble":       {Env: ros.Environment{Distro: "humble"}},
	} {
		o.Logger = quiet()
		n, err := New(ros.NewMemory(), o)
		if err != nil {
			t.Fatal(err)
		}
		d, err := n.ros.Participant().Discovered()
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range d.Readers {
			if strings.Contains(e.Topic, "get_type_description") {
				t.Errorf("%s: there is %s", name, e.Topic)
			}
		}
		if err := n.Close(); err != nil {
			t.Error(err)
		}
	}
}
