package input

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
)

// ScopeFlags select self pairs and pairs with the world.
type ScopeFlags struct{ NoSelf, NoWorld bool }

// Add defines the flags. does says what they do to a class, such as "leave out".
func (f *ScopeFlags) Add(cmd *cobra.Command, does string) {
	fs := cmd.Flags()
	fs.BoolVar(&f.NoSelf, "no-self", false, does+" the robot against itself")
	fs.BoolVar(&f.NoWorld, "no-world", false, does+" the robot against the world")
}

// AddOldNames defines the former names of the flags in bench, which help does not show.
func (f *ScopeFlags) AddOldNames(cmd *cobra.Command) {
	cli.Alias(cmd, "noself", "no-self")
	cli.Alias(cmd, "noenv", "no-world")
}

// Validate fails if nothing is left to check.
func (f *ScopeFlags) Validate() error {
	if f.NoSelf && f.NoWorld {
		return fmt.Errorf("--no-self and --no-world together leave nothing to check")
	}
	return nil
}

// TableFlags set how motion files are read.
type TableFlags struct {
	joints        []string
	Topics        []string // of a recording
	rate          float64
	Interpolation string // jtc or linear
	recording     bool
	maxGap        float64
}

// Add defines the flags.
func (f *TableFlags) Add(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringSliceVar(&f.joints, "joints", nil, "`names` of the columns of a CSV or seg file that does not name them; _ skips a column.\nOf a CSV file with a header: the same names, with _ for columns to skip.\nOf a recording of joint states: the joints to check, without the others")
	fs.StringArrayVar(&f.Topics, "topic", nil, "the `topic` of a recording (rosbag2) to read, if it has several with motions (repeat)")
	fs.Float64Var(&f.rate, "rate", 0, "rows per second of a CSV file without a time column")
	fs.StringVar(&f.Interpolation, "interpolation", "jtc", "how the points of a trajectory are connected: jtc or linear")
	fs.BoolVar(&f.recording, "recording", false, "the rows of a CSV file were measured: an empty cell is no sample of its column")
	fs.Float64Var(&f.maxGap, "max-gap", 0, "longest interval in `seconds` between two samples of a joint in a recording that is no\ngap (0: five times the usual one, at least 0.1 s, at most 1 s)")
}

// FileFlags name the files of the robot, or of several robots in one cell.
type FileFlags struct {
	Robots, SRDFs, Places []string // as they are written, with NAME= before
	packages              []string
}

// Add defines the flags.
func (f *FileFlags) Add(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringArrayVar(&f.Robots, "robot", nil, "the robot's URDF `file`, - for standard input, or <(xacro arm.urdf.xacro);\nfor several robots in one cell NAME=FILE (repeat): links and joints are then\nnamed NAME/link, and the root link world")
	fs.StringArrayVar(&f.SRDFs, "srdf", nil, "SRDF `file`: allowed pairs, groups, named states (for several robots NAME=FILE);\nwithout it, adjacent links and links that touch at the default state are\nallowed pairs")
	fs.StringArrayVar(&f.Places, "place", nil, "pose of one of several robots in the cell: `NAME=x,y,z[,roll,pitch,yaw]`\nin m and rad (repeat; default: the origin)")
	f.addPackages(cmd)
}

// AddOne defines the flags of a command about one robot without an SRDF.
func (f *FileFlags) AddOne(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringArrayVar(&f.Robots, "robot", nil, "the robot's URDF `file` (expand xacro first)")
	f.addPackages(cmd)
}

func (f *FileFlags) addPackages(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringArrayVar(&f.packages, "package", nil, "folder of package://NAME/...: `NAME=DIR` (repeat; default: AMENT_PREFIX_PATH,\nROS_PACKAGE_PATH and the folders around the URDF are searched)")
}

// Named lists the files of the robots, as outputs must not overwrite them.
func (f *FileFlags) Named() (files []cli.Input) {
	for _, arg := range f.Robots {
		_, file := CutName(arg)
		files = append(files, cli.Input{What: "--robot", Path: file})
	}
	for _, arg := range f.SRDFs {
		_, file := CutName(arg)
		files = append(files, cli.Input{What: "--srdf", Path: file})
	}
	return files
}

// NamedWith lists the files of the model, and those of motions, as outputs must not overwrite them.
func (f *ModelFlags) NamedWith(motions []string) []cli.Input {
	files := append(f.Named(), chosenFrom("--scene", f.Scene)...)
	files = append(files, cli.Input{What: "--pairs", Path: f.Pairs})
	for _, arg := range motions {
		files = append(files, chosenFrom("MOTION", arg)...)
	}
	return files
}

// chosenFrom is the file of an argument that may choose a part of it, FILE#PART: either may be its name.
func chosenFrom(what, arg string) []cli.Input {
	file, _, _ := strings.Cut(arg, "#")
	return []cli.Input{{What: what, Path: arg}, {What: what, Path: file}}
}
