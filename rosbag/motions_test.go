package rosbag

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/msgs/dynamic"
)

// A recording's own definition of a stamp may have more seconds than nanoseconds can count: then
// there is an error, not another time.
func TestStampsDoNotWrap(t *testing.T) {
	rule := "\n" + strings.Repeat("=", 80) + "\nMSG: "
	typ, err := dynamic.Parse("sensor_msgs/msg/JointState", "std_msgs/Header header"+
		rule+"std_msgs/Header\nbuiltin_interfaces/Time stamp\nstring frame_id"+rule+"builtin_interfaces/Time\nint64 sec\nuint32 nanosec")
	if err != nil {
		t.Fatal(err)
	}
	for sec, bad := range map[int64]bool{
		0: false, 1_700_000_000: false, -5: false, 9_223_372_035: false, -9_223_372_035: false,
		9_223_372_037: true, -9_223_372_037: true, 18_446_744_074: true, math.MaxInt64: true, math.MinInt64: true,
	} {
		data := binary.LittleEndian.AppendUint64([]byte{0, 1, 0, 0}, uint64(sec))
		data = append(data, 7, 0, 0, 0, 1, 0, 0, 0, 0) // nanoseconds and an empty frame
		m, err := typ.Decode(data)
		if err != nil {
			t.Fatal(err)
		}
		stamp, err := stampOf(m)
		if bad != (err != nil) || !bad && stamp != sec*1e9+7 {
			t.Errorf("%d s: %d ns, %v", sec, stamp, err)
		}
	}
}
