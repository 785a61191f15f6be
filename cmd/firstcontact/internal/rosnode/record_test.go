package rosnode

import (
	"slices"
	"testing"

	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// The flag --record is the parameter record, whatever the file's name looks like, and only among
// the node's own arguments.
func TestRecordIsAParameter(t *testing.T) {
	for _, c := range []struct {
		args []string
		want any
	}{
		{[]string{"--record", "shift.mcap"}, "shift.mcap"},
		{[]string{"--record=shift.mcap", "--ros-args", "-p", "check_rate:=50.0"}, "shift.mcap"},
		{[]string{"--ros-args", "-p", "check_rate:=50.0", "--", "--record", "5"}, "5"},
		{[]string{"--record", "it's: [odd]"}, "it's: [odd]"},
		{[]string{"--ros-args", "-r", "a:=b"}, nil},
	} {
		args, err := takeOwn(c.args)
		if err != nil {
			t.Fatal(err)
		}
		parsed, err := ros.ParseArgs(args)
		if err != nil || len(parsed.Own) > 0 {
			t.Fatalf("%q: %v, %q", c.args, err, parsed.Own)
		}
		if got := parsed.ParametersFor("/firstcontact")["record"].Value; got != c.want {
			t.Errorf("%q: %v, want %v", c.args, got, c.want)
		}
	}
	for _, args := range [][]string{{"--record"}, {"--record", "--ros-args"}, {"--web"}} {
		if got, err := takeOwn(args); err == nil {
			t.Errorf("%q: %q", args, got)
		}
	}
	if rest, _ := takeOwn([]string{"--ros-args", "--record", "x"}); !slices.Contains(rest, "--record") {
		t.Errorf("what is ROS's is left to it: %q", rest)
	}
}
