package answer

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// What is printed of a bound is a bound, and close to it.
func TestBoundsAreRoundedToTheirSide(t *testing.T) {
	units := map[string]float64{"m": 1, "s": 1, "mm": 1e-3, "um": 1e-6}
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 200000 {
		x := random.Float64() * math.Pow10(i%14-10)
		for _, c := range []struct {
			text string
			side float64
			near float64
		}{{AtLeast(x), -1, 0.011 * x}, {AtMost(x), 1, 0.011 * x}, {Metres(x), 0, 0.0051 * x}, {Until(x), -1, 1e-6}, {By(x), 1, 1e-6}} {
			number, unit, _ := strings.Cut(c.text, " ")
			y, err := strconv.ParseFloat(number, 64)
			if err != nil {
				t.Fatal(err)
			}
			if d := y*units[unit] - x; c.side*d < -1e-15*x || math.Abs(d) > 1.001*c.near+1e-15*x {
				t.Fatalf("%v is printed as %s", x, c.text)
			}
		}
	}
	for text, want := range map[string]string{AtLeast(0.29): "290.00 mm", AtMost(0.29): "290.00 mm", Until(0.29): "0.290000 s", AtLeast(0): "0.00 mm", Metres(math.Inf(1)): "infinitely far", AtMost(1e-30): "1e-20 um"} {
		if text != want {
			t.Errorf("%s, want %s", text, want)
		}
	}
}
