package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

var (
	collision = regexp.MustCompile(`(?s)<collision[\s>].*?</collision>`)
	linkName  = regexp.MustCompile(`<link\s[^>]*name="([^"]*)"`)
)

func links(urdf string) (names []string) {
	for _, m := range linkName.FindAllStringSubmatch(urdf, -1) {
		names = append(names, m[1])
	}
	return names
}

func robotSlips() []slip {
	change := func(f func(string) string) func(in *input) bool {
		return func(in *input) bool { return in.edit(in.urdf, f) }
	}
	mesh := func(data func(old string) []byte) func(in *input) bool {
		return func(in *input) bool {
			meshes := in.meshes()
			if len(meshes) == 0 {
				return false
			}
			for _, name := range meshes {
				in.files[name] = data(in.text(name))
			}
			return true
		}
	}
	return []slip{
		{name: "no collision shapes", kind: "mesh", make: change(func(s string) string { return collision.ReplaceAllString(s, "") })},
		{name: "the last shape alone", kind: "mesh", make: change(func(s string) string {
			all := collision.FindAllString(s, -1)
			for _, part := range all[:len(all)-1] {
				s = strings.Replace(s, part, "", 1)
			}
			return s
		})},
		{name: "origins of collision shapes left out", kind: "frame", cannot: "a shape may stand in its link's frame", make: change(func(s string) string {
			return collision.ReplaceAllStringFunc(s, func(part string) string {
				return regexp.MustCompile(`<origin[^>]*/>`).ReplaceAllString(part, "")
			})
		})},
		{name: "axes turned", kind: "joint", cannot: "the mirrored robot is a robot", make: change(func(s string) string {
			return regexp.MustCompile(`<axis\s[^>]*>`).ReplaceAllStringFunc(s, func(tag string) string {
				return regexp.MustCompile(`xyz="[^"]*"`).ReplaceAllStringFunc(tag, func(v string) string { return times(v, -1) })
			})
		})},
		{name: "axes left out", kind: "joint", cannot: "the default axis is x", make: change(func(s string) string {
			return regexp.MustCompile(`<axis\s[^>]*/>`).ReplaceAllString(s, "")
		})},
		{name: "a joint is fixed", kind: "joint", make: func(in *input) bool {
			name := in.motion.joints[in.motion.busiest(joint)]
			tag := regexp.MustCompile(`<joint[^>]*name="` + regexp.QuoteMeta(name) + `"[^>]*>`)
			return in.edit(in.urdf, func(s string) string {
				return tag.ReplaceAllStringFunc(s, func(t string) string {
					return regexp.MustCompile(`type="[^"]*"`).ReplaceAllString(t, `type="fixed"`)
				})
			})
		}},
		{name: "limits in degrees", kind: "unit", make: change(func(s string) string {
			return regexp.MustCompile(`(lower|upper)="[^"]*"`).ReplaceAllStringFunc(s, func(v string) string { return times(v, degrees) })
		})},
		{name: "mimic left out", kind: "joint", make: change(func(s string) string {
			return regexp.MustCompile(`<mimic[^>]*/>`).ReplaceAllString(s, "")
		})},
		{name: "meshes are missing", kind: "mesh", make: mesh(func(string) []byte { return nil })},
		{name: "meshes are empty files", kind: "mesh", make: mesh(func(string) []byte { return []byte{} })},
		{name: "meshes are cut short", kind: "mesh", make: mesh(func(s string) []byte { return []byte(s[:len(s)*2/3]) })},
		{name: "meshes are LFS pointers", kind: "mesh", make: mesh(func(s string) []byte {
			return fmt.Appendf(nil, "version https://git-lfs.github.com/spec/v1\noid sha256:%064d\nsize %d\n", 7, len(s))
		})},
		{name: "meshes are web pages", kind: "mesh", make: mesh(func(string) []byte {
			return []byte("<!DOCTYPE html>\n<html><body>404: Not Found</body></html>\n")
		})},
		{name: "meshes of another package", kind: "mesh", make: change(func(s string) string {
			return strings.ReplaceAll(strings.ReplaceAll(s, `filename="package://`, `filename="package://old_`), `filename="meshes`, `filename="old_meshes`)
		})},
		{name: "one mesh for all links", kind: "mesh", cannot: "links may share a mesh", make: func(in *input) bool {
			names := regexp.MustCompile(`filename="[^"]*"`)
			first := names.FindString(in.text(in.urdf))
			if first == "" {
				return false
			}
			return in.edit(in.urdf, func(s string) string { return names.ReplaceAllString(s, first) })
		}},
	}
}

func pairSlips() []slip {
	another := func(name string) func(in *input) bool {
		return func(in *input) bool {
			if in.srdf == "" || in.srdf == name+".srdf" {
				return false
			}
			data, err := os.ReadFile(filepath.Join(filepath.Dir(in.robot), name, name+".srdf"))
			if err != nil {
				panic(err)
			}
			in.files[in.srdf] = data
			return true
		}
	}
	return []slip{
		{name: "the SRDF of another robot", kind: "pairs", make: another("pr2")},
		{name: "the SRDF of a relative", kind: "pairs", make: another("panda")},
		{name: "no SRDF", kind: "pairs", make: func(in *input) bool {
			had := in.srdf != ""
			in.srdf = ""
			return had
		}},
		{name: "a link of the SRDF renamed", kind: "pairs", make: func(in *input) bool {
			return in.srdf != "" && in.edit(in.srdf, func(s string) string { return strings.ReplaceAll(s, `link1="`, `link1="old_`) })
		}},
		{name: "the SRDF allows every pair", kind: "pairs", make: func(in *input) bool {
			return in.srdf != "" && in.edit(in.srdf, func(s string) string {
				var b strings.Builder
				names := links(in.text(in.urdf))
				for i := range names {
					for _, other := range names[:i] {
						fmt.Fprintf(&b, "<disable_collisions link1=%q link2=%q reason=\"Never\"/>\n", names[i], other)
					}
				}
				return strings.Replace(s, "</robot>", b.String()+"</robot>", 1)
			})
		}},
		{name: "the scene allows every pair", kind: "pairs", make: func(in *input) bool {
			if in.scene == nil || in.scene.planning {
				return false
			}
			in.scene.further = allowed(in)
			return true
		}},
		{name: "--allow of what is touched", kind: "pairs", cannot: "the user says so by name, and the answer lists it", make: func(in *input) bool {
			if in.scene == nil {
				return false
			}
			for _, o := range in.scene.objects {
				for _, link := range links(in.text(in.urdf)) {
					in.args = append(in.args, "--allow", o.id+":"+link)
				}
			}
			return true
		}},
		{name: "--state of another robot", kind: "joint", make: func(in *input) bool {
			in.args = append(in.args, "--state", "panda_joint99=1")
			return true
		}},
		{name: "--state of another robot's group", kind: "joint", make: func(in *input) bool {
			in.args = append(in.args, "--state", "tucked_arms")
			return true
		}},
	}
}

func fileSlips() []slip {
	text := func(change func(s string) string) func(in *input) bool {
		return func(in *input) bool {
			before := in.motion.String()
			in.motionText = change(before)
			return in.motionText != before
		}
	}
	table := func(change func(s string) string) func(in *input) bool {
		return func(in *input) bool { return in.motion.form == asCSV && text(change)(in) }
	}
	return []slip{
		{name: "the motion's file is cut within a number", kind: "file", make: text(func(s string) string {
			i := len(s) * 3 / 5
			for s[i] < '0' || s[i] > '9' || s[i-1] == ' ' || s[i-1] == ',' {
				i++
			}
			return s[:i]
		})},
		{name: "the motion's file is empty", kind: "file", make: text(func(string) string { return "\n" })},
		{name: "semicolons for commas", kind: "file", make: table(func(s string) string { return strings.ReplaceAll(s, ",", ";") })},
		{name: "decimal commas", kind: "file", make: table(func(s string) string { return strings.ReplaceAll(s, ".", ",") })},
		{name: "semicolons and decimal commas", kind: "file", make: table(func(s string) string {
			return strings.ReplaceAll(strings.ReplaceAll(s, ",", ";"), ".", ",")
		})},
		{name: "tabs for commas", kind: "file", make: table(func(s string) string { return strings.ReplaceAll(s, ",", "\t") })},
		{name: "the header in the middle again", kind: "file", make: table(func(s string) string {
			lines := strings.SplitAfter(s, "\n")
			return strings.Join(lines[:len(lines)/2], "") + lines[0] + strings.Join(lines[len(lines)/2:], "")
		})},
		{name: "no header", kind: "file", make: table(func(s string) string { return s[strings.Index(s, "\n")+1:] })},
		{name: "an empty cell", kind: "file", make: table(func(s string) string {
			lines := strings.SplitAfter(s, "\n")
			cells := strings.Split(lines[2], ",")
			cells[2] = ""
			lines[2] = strings.Join(cells, ",")
			return strings.Join(lines, "")
		})},
		{name: "the time column last", kind: "column", make: table(func(s string) string {
			lines := strings.Split(strings.TrimSpace(s), "\n")
			for i, line := range lines {
				first, rest, _ := strings.Cut(line, ",")
				lines[i] = rest + "," + first
			}
			return strings.Join(lines, "\n") + "\n"
		})},
		{name: "the header without time", kind: "column", make: table(func(s string) string { return strings.TrimPrefix(s, "time,") })},
		{name: "a comment line", kind: "file", make: table(func(s string) string { return "# recorded on Tuesday\n" + s })},
		{name: "UTF-16", kind: "file", make: text(func(s string) string {
			out := []byte{0xff, 0xfe}
			for _, c := range []byte(s) {
				out = append(out, c, 0)
			}
			return string(out)
		})},
		{name: "a byte order mark and CRLF", kind: "file", make: text(func(s string) string {
			return "\xef\xbb\xbf" + strings.ReplaceAll(s, "\n", "\r\n")
		})},
		{name: "the URDF as the motion", kind: "file", make: func(in *input) bool {
			in.motionText = in.text(in.urdf)
			return true
		}},
		{name: "the URDF as the scene", kind: "file", make: func(in *input) bool {
			if in.scene == nil {
				return false
			}
			in.sceneText, in.sceneName = in.text(in.urdf), "robot/scene.urdf"
			return true
		}},
		{name: "the motion as the scene", kind: "file", make: func(in *input) bool {
			if in.scene == nil {
				return false
			}
			in.sceneText = in.motion.String()
			return true
		}},
		{name: "the scene's file is cut", kind: "file", make: func(in *input) bool {
			if in.scene == nil {
				return false
			}
			s := in.scene.String()
			in.sceneText = s[:strings.LastIndex(s, ",")]
			return true
		}},
		{name: "the scene's file is empty", kind: "file", make: func(in *input) bool {
			if in.scene == nil {
				return false
			}
			in.sceneText = "\n"
			return true
		}},
		{name: "the URDF is cut", kind: "file", make: func(in *input) bool {
			return in.edit(in.urdf, func(s string) string { return s[:len(s)*2/3] })
		}},
		{name: "the URDF is xacro", kind: "file", make: func(in *input) bool {
			return in.edit(in.urdf, func(s string) string {
				s = strings.Replace(s, "<robot ", `<robot xmlns:xacro="http://www.ros.org/wiki/xacro" `, 1)
				return strings.Replace(s, "</robot>", "<xacro:gripper/></robot>", 1)
			})
		}},
	}
}
