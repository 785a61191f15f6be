//go:build linux

package main

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// The test robot has two carriages on rails of their own, 5 m apart. Carriage a at
// position q is 1 m - q away from its post, and within it from q = 1 m on; so is b.
// That is the whole truth about it.
const contactAt = 1.0 // m

// levelAt is the level at a position of the carriage that is closest to its post, by the default
// distances for STOP and WARN.
func levelAt(q float64) uint8 {
	switch d := contactAt - q; {
	case d <= 0:
		return 4
	case d < 0.01:
		return 3
	case d < 0.05:
		return 2
	}
	return 1
}

// reach is the position of a carriage's face towards the post, beyond the carriage's own.
const reach = 0.05 // m

const robotURDF = `<?xml version="1.0"?>
<robot name="rails">
  <link name="base"/>
  <link name="carriage_a"><collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link>
  <link name="carriage_b"><collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link>
  <link name="post_a"><collision><geometry><box size="2 0.3 0.3"/></geometry></collision></link>
  <link name="post_b"><collision><geometry><box size="2 0.3 0.3"/></geometry></collision></link>
  <joint name="a" type="prismatic"><parent link="base"/><child link="carriage_a"/><axis xyz="1 0 0"/><limit lower="-1.5" upper="1.5" effort="1" velocity="1"/></joint>
  <joint name="b" type="prismatic"><parent link="base"/><child link="carriage_b"/><origin xyz="0 5 0"/><axis xyz="1 0 0"/><limit lower="-1.5" upper="1.5" effort="1" velocity="1"/></joint>
  <joint name="fix_a" type="fixed"><parent link="base"/><child link="post_a"/><origin xyz="2.05 0 0"/></joint>
  <joint name="fix_b" type="fixed"><parent link="base"/><child link="post_b"/><origin xyz="2.05 5 0"/></joint>
</robot>
`

// robotSRDF leaves no pair out.
const robotSRDF = `<?xml version="1.0"?>
<robot name="rails"/>
`

// writeRobot writes the descriptions into a folder.
func writeRobot(folder string) error {
	if err := os.WriteFile(filepath.Join(folder, "rails.urdf"), []byte(robotURDF), 0o600); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "rails.srdf"), []byte(robotSRDF), 0o600)
}

// truth is where the robot is at a moment: carriage a goes to and fro in 1 s and is in
// contact for a third of that time; b stays away.
func truth(at time.Time) (a, b float64) {
	const period = time.Second
	phase := float64(at.UnixNano()%int64(period)) / float64(period)
	return 0.2 + 1.2*(1-math.Abs(2*phase-1)), 0.1
}

// Positions are marked: below a step of 1 mm they number the messages.
const (
	coarse = 1e-3 // m
	mark   = 1e-8 // m
	marks  = 100_000
)

// marked puts a number below the millimetres of a position.
func marked(q float64, number uint64) float64 {
	return math.Round(q/coarse)*coarse + float64(number%marks)*mark
}

// markOf is what positions are looked up by.
func markOf(q float64) int64 { return int64(math.Round(q / mark)) }

// joint is the number of a carriage's joint, by the name of its link; -1: no carriage.
func joint(link string) int {
	switch strings.TrimPrefix(link, "carriage_") {
	case "a":
		return 0
	case "b":
		return 1
	}
	return -1
}
