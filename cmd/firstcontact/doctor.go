package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/firstcontact-ros/firstcontact/node"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

const aboutDoctor = `Report what a node with these parameters would do, without joining a ROS graph.

Checks every parameter, reads robot, SRDF and scene, builds the model with its
sphere trees and hulls of ranges of motion, and prints what the node would log:
links, pairs and obstacles that are checked, pairs that are assumed to be
allowed, gaps, distance ranges, and how the closest of the robot's own pairs are
found: method, reason, trees and hulls with numbers, time and memory.

Each line begins with ok, warn (it may surprise you) or error (every state would
be UNKNOWN). The exit status is 0, 3 if there is an error line, 4 if a parameter
or the model is bad: the node would not start.`

func doctorCommand(s streams) *cobra.Command {
	return &cobra.Command{
		Use:   "doctor [--ros-args ...]",
		Short: "What a node with these parameters would do",
		Long:  aboutDoctor,
		Example: `  firstcontact doctor --ros-args -p robot_description_file:=arm.urdf -p scene:=cell.yaml
  firstcontact doctor --ros-args --params-file cell.yaml`,
		DisableFlagParsing: true, // the ROS arguments after --ros-args do not follow cobra's syntax
		RunE: func(cmd *cobra.Command, args []string) error {
			parsed, help, err := rosArgs(cmd, args)
			if err != nil {
				return err
			}
			if help {
				return cmd.Help()
			}
			env, err := ros.ReadEnvironment(nil)
			if err != nil {
				return err
			}
			remarks, err := node.Inspect(cmd.Context(), node.Options{Args: parsed, Env: env, Logger: ros.NewLogger(io.Discard, "firstcontact", ros.LevelFatal)})
			if err != nil {
				return err
			}
			return writeRemarks(s.out, remarks)
		},
	}
}

// writeRemarks writes a line for each remark. The outcome is that of the worst.
func writeRemarks(w io.Writer, remarks []node.Remark) error {
	worst := exitFree
	for _, r := range remarks {
		word := "ok"
		switch {
		case r.Level >= ros.LevelError:
			word, worst = "error", exitUndecided
		case r.Level >= ros.LevelWarn:
			word = "warn"
		}
		if _, err := fmt.Fprintf(w, "%-6s %s\n", word, r.Text); err != nil {
			return err
		}
	}
	if worst != exitFree {
		return outcome(worst)
	}
	return nil
}
