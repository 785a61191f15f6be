package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/bench"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/input"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/premise"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// completer returns the values that a flag may take next.
type completer = func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective)

// flagValues complete flags by name; those of a command alone are under "command --flag".
// Flags that are not listed and take a value are completed with files by the shell.
var flagValues = map[string]completer{
	"robot":             files("urdf"),
	"srdf":              files("srdf"),
	"scene":             files("yaml", "yml", "json", "scene", "urdf"),
	"profile":           files("svg", "csv"),
	"record":            files("mcap"),
	"report":            files("html"),
	"picture":           files("svg", "html"),
	"png":               files("png"),
	"background":        words("light", "dark"),
	"at":                words("start", "end"),
	"write-srdf":        files("srdf"),
	"out":               files("yaml", "yml", "json", "urdf"),
	"cache":             folders,
	"data":              folders,
	"interpolation":     words("jtc", "linear"),
	"class":             words("self", "scene", "attached"),
	"frame":             words("world", "link"),
	"strategy":          words("best", "medial", "clusters"),
	"list":              words("never", "always", "sometimes", "undecided"),
	"disable":           words("never", "always", "adjacent"),
	"accept":            words(premise.Gaps()...),
	"check --method":    words(motion.MethodNames()...),
	"bench --method":    words(bench.MethodNames()...),
	"bench --truth":     words(bench.MethodNames()...),
	"distance --method": words(ccd.SelfMethodNames()...),
	"link":              ofRobot("", input.LinkNames),
	"pair":              ofRobot(":", input.LinkNames),
	"allow":             ofRobot(":", input.LinkNames),
	"tube":              ofRobot("=", movingJoints),
	"state":             ofRobot("=", statesAndJoints),
	"group":             ofRobot("", groupNames),
}

// completeFlags registers how the flags of all commands are completed.
func completeFlags(root *cobra.Command) {
	for _, cmd := range root.Commands() {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			values := flagValues[cmd.Name()+" --"+f.Name]
			if values == nil {
				values = flagValues[f.Name]
			}
			if values == nil && plainValues[f.Value.Type()] {
				values = cobra.NoFileCompletions // a number
			}
			if values != nil {
				_ = cmd.RegisterFlagCompletionFunc(f.Name, values) // the flag exists
			}
		})
	}
}

// plainValues are the types of flags that no file is a value of.
var plainValues = map[string]bool{"float64": true, "int": true, "uint64": true, "duration": true}

func words(list ...string) completer {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return list, cobra.ShellCompDirectiveNoFileComp
	}
}

func files(extensions ...string) completer {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return extensions, cobra.ShellCompDirectiveFilterFileExt
	}
}

func folders(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// ofRobot completes names of the robot that --robot and --srdf name. A name is followed by
// after; behind a colon comes a second name.
func ofRobot(after string, names func(*urdf.Robot) []string) completer {
	return func(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		robot := robotOf(cmd)
		if robot == nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		list := names(robot)
		directive := cobra.ShellCompDirectiveNoFileComp
		if first, _, second := strings.Cut(typed, ":"); after == ":" && second {
			for i := range list {
				list[i] = first + ":" + list[i]
			}
			return list, directive
		}
		if after != "" {
			directive |= cobra.ShellCompDirectiveNoSpace
			for i := range list {
				if !strings.HasSuffix(list[i], stateMark) {
					list[i] += after
				}
				list[i] = strings.TrimSuffix(list[i], stateMark)
			}
		}
		return list, directive
	}
}

// stateMark marks names that nothing follows.
const stateMark = "\x00"

// robotOf reads the robot of a command line that is not complete, without its meshes; nil if
// that is not possible.
func robotOf(cmd *cobra.Command) *urdf.Robot {
	robots, _ := cmd.Flags().GetStringArray("robot")
	srdfs, _ := cmd.Flags().GetStringArray("srdf")
	robots, srdfs = slices.Compact(robots), slices.Compact(srdfs) // cobra parses the line twice
	if len(robots) != 1 {
		return nil
	}
	opts := urdf.Options{SkipMeshes: true}
	if len(srdfs) == 1 {
		opts.SRDF = srdfs[0]
	}
	robot, err := urdf.Load(robots[0], opts)
	if err != nil {
		return nil
	}
	return robot
}

// movingJoints lists the joints that have positions.
func movingJoints(robot *urdf.Robot) (names []string) {
	for i := range robot.Joints {
		if robot.Joints[i].Type != urdf.Fixed {
			names = append(names, robot.Joints[i].Name)
		}
	}
	return names
}

// statesAndJoints lists the SRDF's group states, marked, and the joints.
func statesAndJoints(robot *urdf.Robot) (names []string) {
	if robot.Semantic != nil {
		for _, s := range robot.Semantic.States {
			names = append(names, s.Name+stateMark)
		}
	}
	slices.Sort(names)
	return append(slices.Compact(names), movingJoints(robot)...)
}

// groupNames lists the SRDF's groups.
func groupNames(robot *urdf.Robot) (names []string) {
	if robot.Semantic != nil {
		for _, g := range robot.Semantic.Groups {
			names = append(names, g.Name)
		}
	}
	return names
}
