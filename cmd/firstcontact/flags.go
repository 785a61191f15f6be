package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

// scopeFlags say which half of the pairs is meant.
type scopeFlags struct{ noSelf, noWorld bool }

// add defines the flags; does says what they do to a half, such as "leave out".
func (f *scopeFlags) add(cmd *cobra.Command, does string) {
	fs := cmd.Flags()
	fs.BoolVar(&f.noSelf, "no-self", false, does+" the robot against itself")
	fs.BoolVar(&f.noWorld, "no-world", false, does+" the robot against the world")
}

// addOldNames defines the names that the flags had in bench, which are no longer shown.
func (f *scopeFlags) addOldNames(cmd *cobra.Command) {
	alias(cmd, "noself", "no-self")
	alias(cmd, "noenv", "no-world")
}

// alias defines another name of a flag, which help does not show.
func alias(cmd *cobra.Command, old, name string) {
	fs := cmd.Flags()
	f := *fs.Lookup(name)
	f.Name, f.Hidden, f.Usage = old, true, "--"+name
	fs.AddFlag(&f)
}

// validate fails where nothing is left to check.
func (f *scopeFlags) validate() error {
	if f.noSelf && f.noWorld {
		return fmt.Errorf("--no-self and --no-world together leave nothing to check")
	}
	return nil
}

// tableFlags say how motion files are read.
type tableFlags struct {
	joints        []string
	rate          float64
	interpolation string
}

func (f *tableFlags) add(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringSliceVar(&f.joints, "joints", nil, "`names` of the columns of a CSV or seg file that does not name them; _ skips a column")
	fs.Float64Var(&f.rate, "rate", 0, "rows per second of a CSV file without a time column")
	fs.StringVar(&f.interpolation, "interpolation", "jtc", "how the points of a trajectory are joined: jtc or linear")
}

// robotFileFlags name the files of the robot, or of several robots in one cell.
type robotFileFlags struct {
	robots, srdfs, places []string
	packages              []string
}

func (f *robotFileFlags) add(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringArrayVar(&f.robots, "robot", nil, "the robot's URDF `file` (expand xacro first); of several in one cell NAME=FILE (repeat):\nlinks and joints are then called NAME/link, and the root link world")
	fs.StringArrayVar(&f.srdfs, "srdf", nil, "SRDF `file`: pairs that may touch, groups, named states (of several robots NAME=FILE);\nwithout it, pairs of adjacent links and pairs that touch at the default state are off")
	fs.StringArrayVar(&f.places, "place", nil, "where one of several robots stands in the cell: `NAME=x,y,z[,roll,pitch,yaw]`\nin m and rad (repeat; else at the origin)")
	f.addPackages(cmd)
}

// addOne defines the flags of a command about one robot without an SRDF.
func (f *robotFileFlags) addOne(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringArrayVar(&f.robots, "robot", nil, "the robot's URDF `file` (expand xacro first)")
	f.addPackages(cmd)
}

func (f *robotFileFlags) addPackages(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringArrayVar(&f.packages, "package", nil, "where package://NAME/... is: `NAME=DIR` (repeat; else AMENT_PREFIX_PATH,\nROS_PACKAGE_PATH and the URDF's neighbourhood are searched)")
}
