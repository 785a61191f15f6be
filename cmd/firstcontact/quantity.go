package main

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

// metres formats a length with a suitable unit.
func metres(x float64) string { return length(x, nearest) }

// atLeast and atMost format a length as a lower and as an upper bound.
func atLeast(x float64) string { return length(x, down) }
func atMost(x float64) string  { return length(x, up) }

// until formats a time (s) before which something is proved, and by a time by which something
// happens.
func until(t float64) string { return fixed(t, 6, 0, down) + " s" }
func by(t float64) string    { return fixed(t, 6, 0, up) + " s" }

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
