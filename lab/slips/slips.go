package main

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// slip is one mistake.
type slip struct {
	name string
	kind string // unit, joint, frame, stamp, mesh, column, file, pairs, obstacle
	// cannot says why nobody can tell from the files that something is wrong; empty where
	// the command must say it, or answer as before.
	cannot string
	make   func(in *input) bool // false: the input has nothing that could slip like that
}

func slips() []slip {
	return slices.Concat(unitSlips(), motionSlips(), stampSlips(), sceneSlips(), robotSlips(), pairSlips(), fileSlips())
}

// scaleAll scales lengths and places of all obstacles.
func scaleAll(sizes, places float64) func(in *input) bool {
	return func(in *input) bool {
		if in.scene == nil {
			return false
		}
		in.scene.each(func(o *object) {
			for k := range 3 {
				o.size[k] *= sizes
				o.xyz[k] *= places
			}
			o.length, o.radius = o.length*sizes, o.radius*sizes
			if o.kind == "mesh" && sizes != 1 {
				o.scale = sizes
			}
		})
		return true
	}
}

const degrees = 57.29577951308232

func unitSlips() []slip {
	turning := func(in *input) func(string) bool {
		text := in.text(in.urdf)
		return func(name string) bool { return joint(name) && !prismatic(text, name) }
	}
	return []slip{
		{name: "motion in degrees", kind: "unit", make: func(in *input) bool {
			is := turning(in)
			for k, name := range in.motion.joints {
				if is(name) {
					in.motion.column(k, func(x float64) float64 { return x * degrees })
				}
			}
			return true
		}},
		{name: "the busiest joint in degrees", kind: "unit", make: func(in *input) bool {
			in.motion.column(in.motion.busiest(turning(in)), func(x float64) float64 { return x * degrees })
			return true
		}},
		{name: "motion in radians taken for degrees", kind: "unit", make: func(in *input) bool {
			is := turning(in)
			for k, name := range in.motion.joints {
				if is(name) {
					in.motion.column(k, func(x float64) float64 { return x / degrees })
				}
			}
			return true
		}, cannot: "a small motion is a motion: where the first point is at time 0, nothing says where the robot stands"},
		{name: "prismatic joints in mm", kind: "unit", make: func(in *input) bool {
			text, done := in.text(in.urdf), false
			for k, name := range in.motion.joints {
				if prismatic(text, name) {
					in.motion.column(k, func(x float64) float64 { return 1000 * x })
					done = true
				}
			}
			return done
		}},
		{name: "root in mm", kind: "unit", make: func(in *input) bool {
			k := slices.Index(in.motion.joints, "root_x")
			if k < 0 {
				return false
			}
			for i := range 3 {
				in.motion.column(k+i, func(x float64) float64 { return 1000 * x })
			}
			return true
		}},
		{name: "obstacles in mm", kind: "unit", make: scaleAll(1000, 1000)},
		{name: "places of obstacles in mm", kind: "unit", make: scaleAll(1, 1000)},
		{name: "sizes of obstacles in mm", kind: "unit", make: scaleAll(1000, 1)},
		{name: "obstacles in cm", kind: "unit", make: scaleAll(100, 100)},
		{name: "obstacles a thousand times too small", kind: "unit", make: scaleAll(0.001, 0.001)},
		{name: "sizes a thousand times too small", kind: "unit", make: scaleAll(0.001, 1)},
		{name: "obstacles a hundred times too small", kind: "unit", make: scaleAll(0.01, 0.01)},
		{name: "obstacles in inches", kind: "unit", make: scaleAll(39.37, 39.37)},
		{name: "half sizes for sizes", kind: "unit", make: scaleAll(0.5, 1), cannot: "an obstacle of half the size is one, too"},
		{name: "Euler angles of obstacles in degrees", kind: "unit", make: func(in *input) bool {
			if in.scene == nil {
				return false
			}
			done := false
			in.scene.each(func(o *object) {
				if o.rpy != nil {
					angles := [3]float64{o.rpy[0] * degrees, o.rpy[1] * degrees, o.rpy[2] * degrees}
					o.rpy, done = &angles, true
				}
			})
			return done
		}},
		{name: "meshes of the robot in m with a scale for mm", kind: "unit", make: meshScale(0.001)},
		{name: "meshes of the robot in mm without a scale", kind: "unit", make: meshScale(1000)},
		{name: "joints' origins in mm", kind: "unit", make: origins("joint", 1000)},
		{name: "joints' origins a thousand times too small", kind: "unit", make: origins("joint", 0.001)},
		{name: "origins of collision shapes in mm", kind: "unit", make: origins("collision", 1000)},
		{name: "Euler angles of joints in degrees", kind: "unit", make: func(in *input) bool {
			return in.edit(in.urdf, func(text string) string {
				return rpy.ReplaceAllStringFunc(text, func(s string) string { return times(s, degrees) })
			})
		}},
		{name: "held joints in degrees", kind: "unit", make: func(in *input) bool {
			k := in.motion.busiest(turning(in))
			name, x := in.motion.joints[k], in.motion.rows[0][k]
			in.motion.drop(k)
			in.args = append(in.args, "--state", name+"="+strconv.FormatFloat(x*degrees, 'g', -1, 64))
			return true
		}},
	}
}

var (
	rpy     = regexp.MustCompile(`rpy="[^"]*"`)
	numeral = regexp.MustCompile(`-?[0-9][0-9.]*(e-?[0-9]+)?`)
)

// times multiplies the numbers in quotes.
func times(text string, factor float64) string {
	name, values, _ := strings.Cut(text, `"`)
	return name + `"` + numeral.ReplaceAllStringFunc(values, func(s string) string {
		x, err := strconv.ParseFloat(s, 64)
		if err != nil {
			return s
		}
		return strconv.FormatFloat(x*factor, 'g', 12, 64)
	})
}

// prismatic reports whether a URDF's joint slides.
func prismatic(urdf, name string) bool {
	return regexp.MustCompile(`(?s)<joint[^>]*name="` + regexp.QuoteMeta(name) + `"[^>]*type="prismatic"|<joint[^>]*type="prismatic"[^>]*name="` + regexp.QuoteMeta(name) + `"`).MatchString(urdf)
}

var meshTag = regexp.MustCompile(`(?s)<mesh\s[^>]*>`)

// meshScale gives all meshes of the robot a further scale.
func meshScale(factor float64) func(in *input) bool {
	return func(in *input) bool {
		return in.edit(in.urdf, func(text string) string {
			return meshTag.ReplaceAllStringFunc(text, func(tag string) string {
				if strings.Contains(tag, "scale=") {
					return regexp.MustCompile(`scale="[^"]*"`).ReplaceAllStringFunc(tag, func(s string) string { return times(s, factor) })
				}
				f := strconv.FormatFloat(factor, 'g', -1, 64)
				return strings.Replace(tag, "<mesh ", `<mesh scale="`+f+" "+f+" "+f+`" `, 1)
			})
		})
	}
}

// origins scales the places of the origins of joints or of collision elements.
func origins(of string, factor float64) func(in *input) bool {
	element := regexp.MustCompile(`(?s)<` + of + `[\s>].*?</` + of + `>`)
	place := regexp.MustCompile(`xyz="[^"]*"`)
	return func(in *input) bool {
		return in.edit(in.urdf, func(text string) string {
			return element.ReplaceAllStringFunc(text, func(part string) string {
				return regexp.MustCompile(`(?s)<origin[^>]*>`).ReplaceAllStringFunc(part, func(tag string) string {
					return place.ReplaceAllStringFunc(tag, func(s string) string { return times(s, factor) })
				})
			})
		})
	}
}
