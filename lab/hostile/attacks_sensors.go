//go:build linux

package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/geometrymsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/stdmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/tf2msgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// cloudParameters open the input of a point cloud. That it is missing is accepted, so that states go on.
var cloudParameters = []string{"points.topics:=[cloud]", "accept:=[missing-points]", "points.rate:=30.0"}

func sensorAttacks() []*attack {
	return []*attack{
		{
			name: "odd-clouds", about: "clouds whose sizes, steps, fields, points, frames and stamps cannot be", short: true,
			parameters: cloudParameters, flood: oddClouds,
		},
		{
			name: "big-clouds", about: "clouds of 600,000 points 2 to 3 m above the robot, each in a box of its own as far as there is room",
			parameters: cloudParameters, doubtful: true, flood: bigClouds,
		},
		{
			name: "frames", about: "/tf and /tf_static: loops, two parents, the robot's own links, 30,000 names, odd numbers and stamps; clouds in these frames", short: true,
			parameters: cloudParameters, flood: floodFrames,
		},
	}
}

// cloud is a cloud of points of three FLOAT32.
func cloud(frame string, at time.Time, points [][3]float32) *sensormsgs.PointCloud2 {
	m := &sensormsgs.PointCloud2{
		Header: stdmsgs.Header{FrameID: frame, Stamp: builtininterfaces.TimeOf(at)},
		Height: 1, Width: uint32(len(points)), PointStep: 12, RowStep: uint32(12 * len(points)),
	}
	for i, name := range []string{"x", "y", "z"} {
		m.Fields = append(m.Fields, sensormsgs.PointField{Name: name, Offset: uint32(4 * i), Datatype: sensormsgs.PointFieldFloat32, Count: 1})
	}
	for _, p := range points {
		for _, x := range p {
			m.Data = binary.LittleEndian.AppendUint32(m.Data, math.Float32bits(x))
		}
	}
	return m
}

// oddCloud is a cloud that cannot be used, or says nothing about where the robot is.
func (f *flood) oddCloud() *sensormsgs.PointCloud2 {
	points := make([][3]float32, 100)
	for i := range points {
		points[i] = [3]float32{f.dice.Float32(), 2 + f.dice.Float32(), 2.5}
	}
	m, now := cloud("base", time.Now(), points), time.Now()
	sizes := []uint32{0, 1, 3, 0x7fffffff, 0x80000000, 0xffffffff, 0x15555556}
	size := func() uint32 { return sizes[f.dice.IntN(len(sizes))] }
	switch f.dice.IntN(12) {
	case 0:
		m.Width, m.Height = size(), size()
	case 1:
		m.PointStep, m.RowStep = size(), size()
	case 2:
		m.Width, m.Height, m.PointStep, m.RowStep = size(), size(), size(), size()
	case 3:
		m.Fields[f.dice.IntN(3)].Offset = size()
	case 4:
		m.Fields[f.dice.IntN(3)].Count = size()
	case 5:
		m.Fields[f.dice.IntN(3)].Datatype = uint8(f.dice.Uint32())
	case 6:
		m.Fields = m.Fields[:f.dice.IntN(3)]
	case 7:
		for len(m.Fields) < 2000 {
			m.Fields = append(m.Fields, m.Fields[0])
		}
	case 8:
		m.Header.FrameID = []string{"", "nowhere", strings.Repeat("f", 60_000), "\n" + forgery}[f.dice.IntN(4)]
	case 9:
		m.Header.Stamp = []builtininterfaces.Time{{}, {Sec: math.MaxInt32}, {Sec: math.MinInt32}, {Nanosec: math.MaxUint32}, builtininterfaces.TimeOf(now.Add(-time.Hour)), builtininterfaces.TimeOf(now.Add(time.Hour))}[f.dice.IntN(6)]
	case 10:
		odd := []float32{float32(math.NaN()), float32(math.Inf(1)), math.MaxFloat32, -math.MaxFloat32}
		for i := range 300 {
			binary.LittleEndian.PutUint32(m.Data[4*i:], math.Float32bits(odd[f.dice.IntN(4)]))
		}
	default:
		m.Data = m.Data[:f.dice.IntN(len(m.Data))]
	}
	return m
}

func oddClouds(f *flood) error {
	clouds, err := ros.Advertise[sensormsgs.PointCloud2](f.node, "cloud", ros.QoS{})
	if err != nil {
		return err
	}
	sent := 0
	for ; f.ctx.Err() == nil; sent++ {
		_ = clouds.Publish(f.oddCloud())
		sleep(f.ctx, time.Millisecond)
	}
	f.tell("%d clouds", sent)
	return nil
}

func bigClouds(f *flood) error {
	clouds, err := ros.Advertise[sensormsgs.PointCloud2](f.node, "cloud", ros.QoS{})
	if err != nil {
		return err
	}
	points := make([][3]float32, 600_000)
	for i := range points {
		points[i] = [3]float32{5*f.dice.Float32() - 2.5, 5*f.dice.Float32() - 2.5, 2 + f.dice.Float32()}
	}
	m, sent := cloud("base", time.Now(), points), 0
	for ; f.ctx.Err() == nil; sent++ {
		m.Header.Stamp = builtininterfaces.TimeOf(time.Now())
		_ = clouds.Publish(m)
		sleep(f.ctx, 50*time.Millisecond)
	}
	f.tell("%d clouds", sent)
	return nil
}

func floodFrames(f *flood) error {
	moving, err := ros.Advertise[tf2msgs.TFMessage](f.node, "/tf", ros.QoS{})
	if err != nil {
		return err
	}
	fixed, err := ros.Advertise[tf2msgs.TFMessage](f.node, "/tf_static", ros.LatchedQoS)
	if err != nil {
		return err
	}
	clouds, err := ros.Advertise[sensormsgs.PointCloud2](f.node, "cloud", ros.QoS{})
	if err != nil {
		return err
	}
	above := make([][3]float32, 100)
	for i := range above {
		above[i] = [3]float32{0, 0, 2.5}
	}
	sent := 0
	for ; f.ctx.Err() == nil; sent++ {
		var m tf2msgs.TFMessage
		for range 200 {
			m.Transforms = append(m.Transforms, f.oddTransform())
		}
		if sent%2 == 0 {
			_ = moving.Publish(&m)
		} else {
			_ = fixed.Publish(&m)
		}
		if sent%5 == 0 {
			_ = clouds.Publish(cloud(fmt.Sprint("ring_", f.dice.IntN(300)), time.Now(), above))
		}
		sleep(f.ctx, 5*time.Millisecond)
	}
	f.tell("%d messages of 200 transforms", sent)
	return nil
}

// oddTransform is a transform that belongs to a loop or a long chain, or makes no sense.
func (f *flood) oddTransform() geometrymsgs.TransformStamped {
	t := geometrymsgs.NewTransformStamped()
	t.Header.Stamp, t.Transform.Rotation.W = builtininterfaces.TimeOf(time.Now()), 1
	i := f.dice.IntN(300)
	t.Header.FrameID, t.ChildFrameID = fmt.Sprint("ring_", i), fmt.Sprint("ring_", (i+1)%300)
	switch f.dice.IntN(10) {
	case 0:
		t.ChildFrameID = t.Header.FrameID
	case 1:
		t.Header.FrameID, t.ChildFrameID = "map", []string{"base", "carriage_a", "carriage_b", "post_a"}[f.dice.IntN(4)]
		t.Transform.Translation.X = 100
	case 2:
		t.Transform.Translation.X = f.number()
	case 3:
		t.Transform.Rotation = geometrymsgs.Quaternion{X: f.number(), W: f.number()}
	case 4:
		t.Header.Stamp = []builtininterfaces.Time{{}, {Sec: math.MaxInt32}, {Sec: math.MinInt32}, {Nanosec: math.MaxUint32}}[f.dice.IntN(4)]
	case 5:
		t.ChildFrameID = fmt.Sprint("new_", f.dice.IntN(30_000))
	case 6:
		t.Header.FrameID = []string{"", "base", strings.Repeat("f", 10_000), "\n" + forgery}[f.dice.IntN(4)]
	}
	return t
}
