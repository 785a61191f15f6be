package node

import (
	"context"
	"errors"
	"fmt"

	"github.com/firstcontact-ros/firstcontact/config"
	"github.com/firstcontact-ros/firstcontact/internal/base/infile"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// description is where the robot's URDF and SRDF come from.
type description struct{ urdf, srdf source }

// source is a text, or the path of the file that holds it. It is empty until a topic delivers
// the text.
type source struct {
	text, path string
	parameter  bool // it does not come from a topic
}

func (s source) given() bool { return s.text != "" || s.path != "" }

// describe reads the sources of the robot's description from the parameters.
func describe(v config.Values) description {
	of := func(name string) source {
		s := source{text: v.String(name), path: v.String(name + "_file")}
		s.parameter = s.given()
		return s
	}
	return description{urdf: of("robot_description"), srdf: of("robot_description_semantic")}
}

// bytes returns the text, reading the file if there is one.
func (s source) bytes(ctx context.Context) ([]byte, error) {
	if s.path == "" {
		return []byte(s.text), nil
	}
	return infile.Read(ctx, s.path, limit.DescriptionBytes)
}

// robot parses the robot and returns the checksums of its texts, which must match the pins.
func (d description) robot(ctx context.Context, p pins) (robot *urdf.Robot, of sums, err error) {
	if !d.urdf.given() {
		return nil, of, errors.New("there is no robot description")
	}
	text, err := d.urdf.bytes(ctx)
	if err != nil {
		return nil, of, fmt.Errorf("urdf: %w", err)
	}
	of.urdf = sumOf(text)
	if err := p.checkSum("urdf", of.urdf); err != nil {
		return nil, of, err
	}
	// A description from a topic must not make the node read files outside robot packages.
	robot, err = urdf.ParseContext(ctx, text, urdf.Options{Path: d.urdf.path, Confined: !d.urdf.parameter})
	if err != nil || !d.srdf.given() {
		return robot, of, err
	}
	if text, err = d.srdf.bytes(ctx); err != nil {
		return nil, of, fmt.Errorf("srdf: %w", err)
	}
	of.srdf = sumOf(text)
	if err := p.checkSum("srdf", of.srdf); err != nil {
		return nil, of, err
	}
	robot, err = urdf.ParseSRDFOf(robot, d.srdf.path, text)
	return robot, of, err
}
