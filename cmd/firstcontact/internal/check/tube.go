package check

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// tube is the parsed --tube: how far joints may deviate from the motion.
type tube struct {
	all   float64            // around every joint that is not named
	named map[string]float64 // rad or m
}

// parseTube reads WIDTH for all joints and JOINT=WIDTH, separated by commas.
func parseTube(texts []string) (tube, error) {
	t := tube{named: map[string]float64{}}
	all := false
	for _, text := range texts {
		for _, item := range strings.Split(text, ",") {
			joint, number, named := strings.Cut(item, "=")
			if !named {
				joint, number = "", item
			}
			joint = strings.TrimSpace(joint)
			width, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
			if err != nil || !(width >= 0) || math.IsInf(width, 0) || named && joint == "" {
				return t, fmt.Errorf("--tube %s: give WIDTH for all joints or JOINT=WIDTH, in rad or m, zero or more", item)
			}
			_, twice := t.named[joint]
			switch {
			case named && twice || !named && all:
				return t, fmt.Errorf("--tube %s: a width for the same joints is given twice", item)
			case named:
				t.named[joint] = width
			default:
				t.all, all = width, true
			}
		}
	}
	return t, nil
}

// around returns the widths of a robot's joints, nil if all are zero. Mimic joints deviate
// with the joints that they follow.
func (t tube) around(joints []string) map[string]float64 {
	widths := map[string]float64{}
	if t.all > 0 {
		for _, name := range joints {
			widths[name] = t.all
		}
	}
	for name, width := range t.named {
		widths[name] = width
	}
	if len(widths) == 0 {
		return nil
	}
	return widths
}
