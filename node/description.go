package node

import (
	"errors"

	"github.com/firstcontact-ros/firstcontact/config"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// description is where the robot comes from.
type description struct{ urdf, srdf source }

// source is a text, or the path of the file that holds it; neither where it has
// to come from a topic.
type source struct{ text, path string }

func (s source) given() bool { return s != source{} }

// describe reads what the parameters say of the robot.
func describe(v config.Values) description {
	return description{
		urdf: source{v.String("robot_description"), v.String("robot_description_file")},
		srdf: source{v.String("robot_description_semantic"), v.String("robot_description_semantic_file")},
	}
}

// robot reads the robot.
func (d description) robot() (robot *urdf.Robot, err error) {
	switch {
	case d.urdf.path != "":
		robot, err = urdf.Load(d.urdf.path, urdf.Options{})
	case d.urdf.text != "":
		robot, err = urdf.Parse([]byte(d.urdf.text), urdf.Options{})
	default:
		err = errors.New("there is no robot description")
	}
	switch {
	case err != nil:
		return nil, err
	case d.srdf.path != "":
		return urdf.LoadSRDF(robot, d.srdf.path)
	case d.srdf.text != "":
		return urdf.ParseSRDF(robot, []byte(d.srdf.text))
	}
	return robot, nil
}
