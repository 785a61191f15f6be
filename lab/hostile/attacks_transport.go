//go:build linux

package main

import (
	"encoding/binary"
	"fmt"
	"strings"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/cdr"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/stdmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/trajectorymsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

func transportAttacks() []*attack {
	return []*attack{
		{
			name: "malformed", about: "samples that do not decode, on every topic and both services", short: true, before: "held: 158,592 samples",
			flood: func(f *flood) error { return malformed(f, 4) },
		},
		{
			name: "malformed-packets", about: "the same in lengths that break the packets that they travel in",
			flood: func(f *flood) error { return malformed(f, 1) },
		},
		{
			name: "joins", about: "participants join and leave without a pause", short: true, before: "held",
			flood: func(f *flood) error {
				joined := 0
				for ; f.ctx.Err() == nil; joined++ {
					n, err := joinInherited(fmt.Sprint("guest_", joined%7))
					if err != nil {
						return err
					}
					if _, err := ros.Advertise[sensormsgs.JointState](n, "joint_states", ros.QoS{}); err != nil {
						return err
					}
					if _, err := ros.Subscribe(n, "firstcontact/state", ros.LatchedQoS, func(*fcmsgs.CollisionState, ros.MessageInfo) {}); err != nil {
						return err
					}
					sleep(f.ctx, 10*time.Millisecond)
					if err := n.Close(); err != nil {
						return err
					}
				}
				f.tell("%d joined and left", joined)
				return nil
			},
		},
		{
			name: "announcements", about: "hundreds of endpoints with long names and 10 kB of user data each, made and deleted", before: "held",
			flood: func(f *flood) error {
				made := 0
				for f.ctx.Err() == nil {
					var open []ros.Writer
					for range 200 {
						made++
						w, err := f.node.Participant().NewWriter(ros.Endpoint{
							Topic: fmt.Sprintf("rt/%s_%d", strings.Repeat("long", 50), made), Type: "std_msgs::msg::dds_::String_",
							UserData: strings.Repeat("typehash=RIHS01_00;", 500),
						})
						if err != nil {
							return err
						}
						if open = append(open, w); f.ctx.Err() != nil {
							break
						}
					}
					for _, w := range open {
						_ = w.Close()
					}
				}
				f.tell("%d endpoints", made)
				return nil
			},
		},
	}
}

// malformed writes samples that are cut, claim to be longer than they are, or are noise. Their
// lengths are multiples of align; 4 is what DDS asks for.
func malformed(f *flood, align int) error {
	joints := &sensormsgs.JointState{Name: []string{"a", "b"}, Position: []float64{0.2, 0.1}}
	way := zigzag(3)
	targets := []struct {
		writer func() (ros.Writer, error)
		valid  cdr.Message
	}{
		{func() (ros.Writer, error) { return raw[sensormsgs.JointState](f, "rt/joint_states", ros.QoS{}) }, joints},
		{func() (ros.Writer, error) {
			return raw[fcmsgs.JointStatePair](f, "rt/firstcontact/joint_state_pair", ros.QoS{})
		}, pair("malformed")},
		{func() (ros.Writer, error) {
			return raw[trajectorymsgs.JointTrajectory](f, "rt/firstcontact/trajectory", ros.QoS{})
		}, &way},
		{func() (ros.Writer, error) {
			return raw[stdmsgs.String](f, "rt/robot_description", ros.LatchedQoS)
		}, &stdmsgs.String{Data: "<robot/>"}},
		{func() (ros.Writer, error) {
			return raw[checkRequest](f, "rq/firstcontact/check_trajectoryRequest", ros.QoS{})
		}, &checkRequest{ID: "malformed"}},
		{func() (ros.Writer, error) {
			return raw[fcmsgs.GetClearanceRequest](f, "rq/firstcontact/get_clearanceRequest", ros.QoS{})
		}, &fcmsgs.GetClearanceRequest{JointNames: []string{"a"}}},
	}
	var writers []ros.Writer
	var bytes [][]byte
	for _, t := range targets {
		w, err := t.writer()
		if err != nil {
			return err
		}
		data, err := cdr.AppendMarshal(nil, t.valid)
		if err != nil {
			return err
		}
		writers, bytes = append(writers, w), append(bytes, data)
	}
	sent := 0
	for ; f.ctx.Err() == nil; sent++ {
		i := sent % len(writers)
		data := f.broken(bytes[i])
		_ = writers[i].Write(data[:len(data)/align*align])
	}
	f.tell("%d samples", sent)
	return nil
}

// broken makes of a valid message one that cannot be read.
func (f *flood) broken(valid []byte) []byte {
	data := append([]byte(nil), valid...)
	switch f.dice.IntN(4) {
	case 0: // cut within its first half, before any array of a joint state is complete
		return data[:4+f.dice.IntN(len(data)/2-3)]
	case 1: // a length that is not there
		at := 4 + f.dice.IntN((len(data)-8)/4+1)*4
		binary.LittleEndian.PutUint32(data[at:], 0xfffffff0)
		return data[:max(8, len(data)/2)]
	case 2: // another encapsulation
		data[0], data[1] = byte(1+f.dice.IntN(200)), byte(2+f.dice.IntN(200))
		return data
	default: // noise
		noise := make([]byte, 4+f.dice.IntN(2000))
		for i := range noise {
			noise[i] = byte(f.dice.Uint32())
		}
		noise[0], noise[1] = 0, 1
		return noise
	}
}
