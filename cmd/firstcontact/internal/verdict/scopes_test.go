package verdict

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/firstcontact-ros/firstcontact/motion"
)

// Infinite values have no number in JSON.
func TestSmallestDistanceBeyondARange(t *testing.T) {
	c := NewMinClearance(&motion.Clearance{Known: true, Beyond: true, Bounds: motion.Interval{Lo: 0.5, Hi: math.Inf(1)}})
	data, err := json.Marshal(c)
	if err != nil || string(data) != `{"lower":0.5,"upper":null,"beyond":true}` {
		t.Errorf("%s: %v", data, err)
	}
}
