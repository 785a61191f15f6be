package node

import (
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
)

// The live view has the margin of a pair's own beside it, as long as the state is of the present model.
func TestOwnMarginsInTheLiveView(t *testing.T) {
	m, err := modelOf(t, railParameters(t, map[string]any{"margin_overrides": []string{"left:right:0.004"}}))
	if err != nil {
		t.Fatal(err)
	}
	w := &web{model: func() (*model, string) { return m, "" }, measured: func() map[string]float64 { return nil }}
	for hash, want := range map[string]string{m.hash: "its own margin: STOP below 0.004 m, WARN below 0.006 m", "another": ""} {
		s := &fcmsgs.CollisionState{ModelHash: hash, ClosestPairs: make([]fcmsgs.PairDistance, 2)}
		s.ClosestPairs[0].Pair.A.Name, s.ClosestPairs[0].Pair.B.Name = "right", "left"
		s.ClosestPairs[1].Pair.A.Name, s.ClosestPairs[1].Pair.B.Name = "right", "post"
		w.see(s)
		for i, want := range []string{want, ""} {
			if got := w.Now().State.Pairs[i].Remark; !strings.Contains(got, want) || (want == "") != (got == "") {
				t.Errorf("model %.8s, pair %d: %q, want %q", hash, i, got, want)
			}
		}
	}
}
