//go:build linux

package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/stdmsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

func modelAttacks() []*attack {
	return []*attack{
		{
			name: "stranger-srdf", about: "no SRDF by parameter; a stranger's turns every pair off", short: true, withoutSRDF: true,
			before: "42 pairs, then 1; FREE",
			flood: func(f *flood) error {
				return latch(f, "robot_description_semantic", `<robot name="rails"><disable_collisions link1="carriage_a" link2="post_a" reason="Never"/>`+
					`<disable_collisions link1="carriage_b" link2="post_b" reason="Never"/></robot>`)
			},
		},
		{
			name: "stranger-urdf", about: "no parameters; after the robot's own description comes another, whose posts are far away", short: true,
			withoutModel: true, withoutSRDF: true, before: "WARN, then FREE",
			setup: func(f *field) error { return f.describe("robot_description", robotURDF) },
			flood: func(f *flood) error {
				return latch(f, "robot_description", strings.ReplaceAll(robotURDF, "2.05", "9"))
			},
		},
		{
			name: "big-description", about: "no model yet; a description of 2,500 boxes, again and again", withoutModel: true, unknown: true, doubtful: true,
			before: "9 GB, out of memory",
			flood: func(f *flood) error {
				p, err := ros.Advertise[stdmsgs.String](f.node, "robot_description", ros.LatchedQoS)
				if err != nil {
					return err
				}
				for i := 0; f.ctx.Err() == nil; i++ {
					if err := p.Publish(&stdmsgs.String{Data: boxes(2500, i)}); err != nil {
						return err
					}
					sleep(f.ctx, time.Second)
				}
				return nil
			},
		},
		{
			name: "many-descriptions", about: "the robot's own by topic; then others every 10 ms, the 100th of 2,500 boxes", short: true, withoutModel: true, withoutSRDF: true,
			setup: func(f *field) error { return f.describe("robot_description", robotURDF) },
			flood: func(f *flood) error {
				p, err := ros.Advertise[stdmsgs.String](f.node, "robot_description", ros.LatchedQoS)
				if err != nil {
					return err
				}
				i := 0
				for ; f.ctx.Err() == nil; i++ {
					text := boxes(3, i)
					if i%100 == 99 {
						text = boxes(2500, i)
					}
					if err := p.Publish(&stdmsgs.String{Data: text}); err != nil {
						return err
					}
					sleep(f.ctx, 10*time.Millisecond)
				}
				f.tell("%d descriptions", i)
				return nil
			},
		},
	}
}

// latch publishes a text to whoever comes, until the attack ends.
func latch(f *flood, topic, text string) error {
	p, err := ros.Advertise[stdmsgs.String](f.node, topic, ros.LatchedQoS)
	if err != nil {
		return err
	}
	if err := p.Publish(&stdmsgs.String{Data: text}); err != nil {
		return err
	}
	<-f.ctx.Done()
	return nil
}

// boxes describes a robot of so many fixed boxes, and of the joints a and b; each number
// gives another one.
func boxes(count, number int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<robot name="boxes%d"><link name="base"/>`, number)
	for _, name := range []string{"a", "b"} {
		fmt.Fprintf(&b, `<link name="l%s"/><joint name="%s" type="prismatic"><parent link="base"/><child link="l%s"/><axis xyz="1 0 0"/><limit lower="-2" upper="2" effort="1" velocity="1"/></joint>`, name, name, name)
	}
	for i := range count {
		fmt.Fprintf(&b, `<link name="x%d"><collision><geometry><box size="1 1 1"/></geometry></collision></link>`+
			`<joint name="j%d" type="fixed"><parent link="%s"/><child link="x%d"/><origin xyz="%d 0 0"/></joint>`, i, i, []string{"la", "lb"}[i%2], i, i%7)
	}
	b.WriteString(`</robot>`)
	return b.String()
}
