package msgs_test

import (
	"bytes"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/cdr"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/rmwddscommon"
	"github.com/firstcontact-ros/firstcontact/msgs/rmwddscommon/humble"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/stdmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/stdsrvs"
	"github.com/firstcontact-ros/firstcontact/msgs/trajectorymsgs"
)

// golden are encodings worked out by hand from the rules of CDR. The offsets in
// the comments count from the start of the body.
var golden = []struct {
	name    string
	message cdr.Message
	fresh   func() cdr.Message
	data    []byte
}{
	{
		name:    "string",
		message: &stdmsgs.String{Data: "hi"},
		fresh:   func() cdr.Message { return new(stdmsgs.String) },
		data: []byte{
			0, 1, 0, 0, // plain CDR, little endian
			3, 0, 0, 0, 'h', 'i', 0, // length with the NUL
		},
	},
	{
		name: "joint state",
		message: &sensormsgs.JointState{
			Header:   stdmsgs.Header{Stamp: builtininterfaces.Time{Sec: -2, Nanosec: 0x01020304}, FrameID: "base"},
			Name:     []string{"a", "elbow"},
			Position: []float64{1, -2},
			Effort:   []float64{math.Inf(1)},
		},
		fresh: func() cdr.Message { return new(sensormsgs.JointState) },
		data: []byte{
			0, 1, 0, 0,
			0xfe, 0xff, 0xff, 0xff, // 0: sec -2
			4, 3, 2, 1, // 4: nanosec
			5, 0, 0, 0, 'b', 'a', 's', 'e', 0, // 8: frame_id, to 17
			0, 0, 0, // to 20
			2, 0, 0, 0, // 20: two names
			2, 0, 0, 0, 'a', 0, // 24, to 30
			0, 0, // to 32
			6, 0, 0, 0, 'e', 'l', 'b', 'o', 'w', 0, // 32, to 42
			0, 0, // to 44
			2, 0, 0, 0, // 44: two positions, to 48, which is a multiple of 8
			0, 0, 0, 0, 0, 0, 0xf0, 0x3f, // 48: 1
			0, 0, 0, 0, 0, 0, 0, 0xc0, // 56: -2
			0, 0, 0, 0, // 64: no velocities, and no padding for them
			1, 0, 0, 0, // 68: one effort, to 72
			0, 0, 0, 0, 0, 0, 0xf0, 0x7f, // 72: +Inf
		},
	},
	{
		name: "trajectory point aligns after an odd length",
		message: &trajectorymsgs.JointTrajectoryPoint{
			Velocities:    []float64{0.5},
			TimeFromStart: builtininterfaces.Duration{Sec: 1, Nanosec: 2},
		},
		fresh: func() cdr.Message { return new(trajectorymsgs.JointTrajectoryPoint) },
		data: []byte{
			0, 1, 0, 0,
			0, 0, 0, 0, // 0: no positions
			1, 0, 0, 0, // 4: one velocity
			0, 0, 0, 0, 0, 0, 0xe0, 0x3f, // 8: 0.5
			0, 0, 0, 0, // 16: no accelerations
			0, 0, 0, 0, // 20: no effort
			1, 0, 0, 0, // 24
			2, 0, 0, 0, // 28
		},
	},
	{
		name:    "the empty message is one byte",
		message: &stdmsgs.Empty{},
		fresh:   func() cdr.Message { return new(stdmsgs.Empty) },
		data:    []byte{0, 1, 0, 0, 0},
	},
	{
		name: "graph of Jazzy: gids of 16 bytes",
		message: &rmwddscommon.ParticipantEntitiesInfo{
			GID: rmwddscommon.Gid{Data: [16]uint8{0: 0xa0, 15: 0xaf}},
			NodeEntitiesInfoSeq: []rmwddscommon.NodeEntitiesInfo{{
				NodeNamespace: "/", NodeName: "fc",
				WriterGIDSeq: []rmwddscommon.Gid{{Data: [16]uint8{0: 0xb0, 15: 0xbf}}},
			}},
		},
		fresh: func() cdr.Message { return new(rmwddscommon.ParticipantEntitiesInfo) },
		data: []byte{
			0, 1, 0, 0,
			0xa0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xaf,
			1, 0, 0, 0, // 16: one node
			2, 0, 0, 0, '/', 0, // 20, to 26
			0, 0,
			3, 0, 0, 0, 'f', 'c', 0, // 28, to 35
			0,
			0, 0, 0, 0, // 36: no readers
			1, 0, 0, 0, // 40: one writer
			0xb0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xbf,
		},
	},
	{
		name: "graph of Humble: gids of 24 bytes",
		message: &humble.ParticipantEntitiesInfo{
			GID: humble.Gid{Data: [24]uint8{0: 0xa0, 15: 0xaf}},
		},
		fresh: func() cdr.Message { return new(humble.ParticipantEntitiesInfo) },
		data: []byte{
			0, 1, 0, 0,
			0xa0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xaf, 0, 0, 0, 0, 0, 0, 0, 0,
			0, 0, 0, 0, // 24: no nodes
		},
	},
}

func TestGoldenBytes(t *testing.T) {
	for _, c := range golden {
		t.Run(c.name, func(t *testing.T) {
			if got := cdr.Marshal(c.message); !bytes.Equal(got, c.data) {
				t.Errorf("encoding\n got %x\nwant %x", got, c.data)
			}
			got := c.fresh()
			if err := cdr.Unmarshal(c.data, got); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.message, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("decoded (-want +got)\n%s", diff)
			}
		})
	}
}

// A call of a service as rmw_cyclonedds sends it: the client's id and the call's
// number before the body.
func TestGoldenRequest(t *testing.T) {
	data := []byte{
		0, 1, 0, 0,
		8, 7, 6, 5, 4, 3, 2, 1, // 0: client
		0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, // 8: sequence -2
		1, // 16: true
	}
	id := cdr.RequestID{Client: 0x0102030405060708, Sequence: -2}
	got, err := cdr.AppendService(nil, id, &stdsrvs.SetBoolRequest{Data: true})
	if err != nil || !bytes.Equal(got, data) {
		t.Errorf("encoding (%v)\n got %x\nwant %x", err, got, data)
	}
	var request stdsrvs.SetBoolRequest
	if gotID, err := cdr.UnmarshalService(data, &request); err != nil || gotID != id || !request.Data {
		t.Errorf("decoded %+v with id %+v (%v)", request, gotID, err)
	}
}

// A zeroed answer must never read as leave to move.
func TestZeroNeverMeansFree(t *testing.T) {
	if fcmsgs.CollisionStateUnknown != 0 || fcmsgs.VerdictUndecided != 0 {
		t.Error("0 is not UNKNOWN and UNDECIDED")
	}
	if (fcmsgs.ScopeVerdict{}).Checked || fcmsgs.ScopeVerdictUndecided != 0 {
		t.Error("a scope of zeros is more than unchecked and UNDECIDED")
	}
}
