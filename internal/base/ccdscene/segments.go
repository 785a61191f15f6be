package ccdscene

import "fmt"

// Segment is a straight motion in joint space between two configurations, in
// rad and m.
type Segment struct {
	Line     int
	From, To []float64
}

// AreSegments reports whether data begins like a file of segments.
func AreSegments(data []byte) bool {
	for _, fields := range lines(data) {
		return fields[0] == "seg"
	}
	return false
}

// ParseSegments reads a file of segments of the given number of joints.
func ParseSegments(name string, data []byte, joints int) ([]Segment, error) {
	if joints <= 0 {
		return nil, fmt.Errorf("%s: segments name no joints: give the joint names", name)
	}
	var segs []Segment
	for line, fields := range lines(data) {
		if fields[0] != "seg" {
			return nil, fmt.Errorf("%s:%d: begins with %q: a file of segments contains only seg lines", name, line, clip(fields[0]))
		}
		if got := len(fields) - 1; got != 2*joints {
			return nil, fmt.Errorf("%s:%d: segment has %d numbers: %d joints take %d", name, line, got, joints, 2*joints)
		}
		x, err := parseNumbers(fields[1:])
		if err != nil {
			return nil, fmt.Errorf("%s:%d: segment: %w", name, line, err)
		}
		segs = append(segs, Segment{Line: line, From: x[:joints:joints], To: x[joints:]})
	}
	if len(segs) == 0 {
		return nil, fmt.Errorf("%s: has no segments", name)
	}
	return segs, nil
}
