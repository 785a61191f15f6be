package answer

import (
	"fmt"
	"math"
	"strconv"
)

// side is where a number is rounded to.
type side int

// A bound is rounded to its side, so that what is printed is a bound, too.
const (
	nearest side = iota
	down         // a lower bound
	up           // an upper bound
)

// Metres formats a length in m with a suitable unit, rounded to the nearest.
func Metres(x float64) string { return length(x, nearest) }

// AtLeast formats a length in m that is a lower bound: what is printed is one, too.
func AtLeast(x float64) string { return length(x, down) }

// AtMost formats a length in m that is an upper bound: what is printed is one, too.
func AtMost(x float64) string { return length(x, up) }

// Until formats a time in s before which something is proved, rounded down.
func Until(t float64) string { return fixed(t, 6, 0, down) + " s" }

// By formats a time in s by which something happens, rounded up.
func By(t float64) string { return fixed(t, 6, 0, up) + " s" }

func length(x float64, to side) string {
	switch a := math.Abs(x); {
	case math.IsInf(x, 0):
		return "infinitely far"
	case math.IsNaN(x):
		return "not known"
	case a >= 1:
		return fixed(x, 3, 0, to) + " m"
	case a >= 1e-3 || x == 0:
		return fixed(x, 2, 3, to) + " mm"
	default: // three digits
		text := fixed(x, min(20, 2-int(math.Floor(math.Log10(a)+6))), 6, to)
		if y, err := strconv.ParseFloat(text, 64); err == nil {
			text = fmt.Sprintf("%.3g", y)
		}
		return text + " um"
	}
}

// fixed formats x times 10 to the power exponent with so many decimals.
func fixed(x float64, decimals, exponent int, to side) string {
	scale := math.Pow10(decimals + exponent)
	n := math.Round(x * scale)
	switch {
	case to == down && n/scale > x:
		n--
	case to == up && n/scale < x:
		n++
	}
	return strconv.FormatFloat(n/math.Pow10(decimals), 'f', max(0, decimals), 64)
}
