//go:build linux

package main

import (
	"encoding/binary"
	"fmt"
	"strings"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/actionmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/cdr"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/moveitmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/rclinterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/stdmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/tf2msgs"
	"github.com/firstcontact-ros/firstcontact/msgs/trajectorymsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/uniqueidentifiermsgs"
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
			name: "malformed-world", about: "a wall touches carriage b; samples that do not decode on the topics of objects, clouds and frames, and requests to the gate and about parameters", short: true,
			parameters: []string{objectTopics, "points.topics:=[cloud]", "accept:=[missing-points]", "gate.controllers:=[" + gated + "]"},
			lossy:      true, doubtful: true, ready: walled, flood: malformedWorld,
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
	f.writeBroken(writers, bytes, align)
	return nil
}

// writeBroken breaks a valid message for each writer in turn, until the attack ends.
func (f *flood) writeBroken(writers []ros.Writer, valid [][]byte, align int) {
	sent := 0
	for ; f.ctx.Err() == nil; sent++ {
		i := sent % len(writers)
		data := f.broken(valid[i])
		_ = writers[i].Write(data[:len(data)/align*align])
	}
	f.tell("%d samples", sent)
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

// malformedWorld breaks what the live world and the services of actions and parameters hear. The
// requests come as from a client of rmw_cyclonedds.
func malformedWorld(f *flood) error {
	o := box("malformed", "", 50, 50, 50, 1)
	var frames tf2msgs.TFMessage
	for range 5 {
		frames.Transforms = append(frames.Transforms, f.oddTransform())
	}
	goal, service := "control_msgs::action::dds_::FollowJointTrajectory_", gated+"_checked/follow_joint_trajectory/_action/"
	targets := []struct {
		endpoint ros.Endpoint
		valid    cdr.Message
	}{
		{ros.Endpoint{Topic: "rt/collision_object"}, &o},
		{ros.Endpoint{Topic: "rt/attached_collision_object"}, &moveitmsgs.AttachedCollisionObject{LinkName: "carriage_a", Object: o}},
		{ros.Endpoint{Topic: "rt/cloud"}, cloud("base", time.Now(), make([][3]float32, 20))},
		{ros.Endpoint{Topic: "rt/tf"}, &frames},
		{ros.Endpoint{Topic: "rt/tf_static", QoS: ros.LatchedQoS}, &frames},
		{ros.Endpoint{Topic: "rq/" + service + "send_goalRequest", Type: goal + "SendGoal_Request_"}, f.goalOf(0)},
		{ros.Endpoint{Topic: "rq/" + service + "get_resultRequest", Type: goal + "GetResult_Request_"}, &uniqueidentifiermsgs.UUID{}},
		{ros.Endpoint{Topic: "rq/" + service + "cancel_goalRequest"}, &actionmsgs.CancelGoalRequest{}},
		{ros.Endpoint{Topic: "rq/firstcontact/set_parametersRequest"}, &rclinterfaces.SetParametersRequest{Parameters: make([]rclinterfaces.Parameter, 3)}},
		{ros.Endpoint{Topic: "rq/firstcontact/list_parametersRequest"}, &rclinterfaces.ListParametersRequest{Prefixes: []string{"a", "b"}}},
	}
	var writers []ros.Writer
	var bytes [][]byte
	for i, t := range targets {
		data, err := cdr.AppendMarshal(nil, t.valid)
		if t.endpoint.Topic[:3] == "rq/" {
			t.endpoint.UserData = fmt.Sprintf("clientid=01.0f.aa.bb.cc.dd.ee.ff.00.01.02.03.00.00.00.%02x;", i)
			data, err = cdr.AppendService(nil, cdr.RequestID{Client: 1, Sequence: 1}, t.valid)
		}
		if err != nil {
			return err
		}
		if t.endpoint.Type == "" {
			t.endpoint.Type = t.valid.ROSType().DDSName()
		}
		w, err := f.node.Participant().NewWriter(t.endpoint)
		if err != nil {
			return err
		}
		writers, bytes = append(writers, w), append(bytes, data)
	}
	f.writeBroken(writers, bytes, 4)
	return nil
}
