//go:build !amd64

package rules

// vectors says that there is no kernel.
var vectors = false

func ballsAVX(*Ball, *[2]int32, int, float64, float64, *uint8) {
	panic("rules: no vector instructions")
}
