package premise_test

import (
	"fmt"

	"github.com/firstcontact-ros/firstcontact/premise"
)

// The motion begins where the robot does not stand: a gap, until the user accepts it by
// name, for one joint or for all.
func ExampleAccept() {
	gap := premise.Premise{Kind: premise.Start, Names: []string{"elbow"}, Detail: "the motion starts 0.2 rad away"}
	fmt.Println(gap.IsGap(), gap.Entry())
	for _, accept := range []premise.Accept{nil, {"start:wrist"}, {"start:elbow"}, {"start"}} {
		fmt.Println(accept, accept.Covers(&gap))
	}
	// Output:
	// true start:elbow
	// [] false
	// [start:wrist] false
	// [start:elbow] true
	// [start] true
}
