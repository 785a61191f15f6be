package node

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// Inspect loads the model that a node with these arguments would load, and returns what the
// node would log about it and about its surroundings. It joins no graph. It fails, as the node would, on parameters
// that are unknown, out of range or contradict each other, and on a model that cannot be
// checked; and if no parameter describes the robot, because a topic would.
func Inspect(ctx context.Context, o Options) (remarks []Remark, err error) {
	defer guard(&err)
	n, err := ros.NewNode(ros.NewMemory(), ros.Options{Name: "firstcontact", Args: o.Args, Env: o.Env, Logger: o.Logger})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, n.Close()) }()
	g, err := settings(n.ParameterOverrides())
	v, notes := g.values, g.notes
	if err != nil {
		return nil, err
	}
	for _, note := range slices.Concat(o.Env.Notes(), o.Args.Notes(), notes) {
		remarks = append(remarks, Remark(note))
	}
	if err := errors.Join(checkRanges(v), checkTime(v)); err != nil {
		return nil, err
	}
	d := describe(v)
	if !d.urdf.given() {
		return nil, errors.New("no parameter describes the robot: give robot_description_file to inspect it here; a node would wait for the topic robot_description")
	}
	begin := time.Now()
	m, err := build(ctx, d, v)
	if err != nil {
		return nil, fmt.Errorf("the model cannot be checked: %w", err)
	}
	return append(remarks, m.remarks(v, time.Since(begin))...), nil
}
