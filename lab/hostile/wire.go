//go:build linux

package main

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"

	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/node/ros/cyclone"
)

// graph is what keeps this program's processes on loopback and apart from all others:
// a domain and, where that is taken, a tag.
type graph map[string]string

func newGraph() graph {
	domain := os.Getenv("ROS_DOMAIN_ID")
	if domain == "" {
		domain = strconv.Itoa(1 + os.Getpid()%100)
	}
	return graph{
		"ROS_DOMAIN_ID":                 domain,
		"ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST",
		"ROS_DISTRO":                    "jazzy",
		"CYCLONEDDS_URI": fmt.Sprintf(`<CycloneDDS><Domain><General><Interfaces><NetworkInterface address="127.0.0.1" multicast="false"/></Interfaces></General>`+
			`<Discovery><Tag>hostile_%d</Tag></Discovery></Domain></CycloneDDS>`, os.Getpid()),
	}
}

// environ is this process's environment with the graph's in place of ROS's.
func (g graph) environ() []string {
	var env []string
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "ROS_") && !strings.HasPrefix(v, "CYCLONEDDS_URI=") {
			env = append(env, v)
		}
	}
	for name, value := range g {
		env = append(env, name+"="+value)
	}
	return env
}

// join makes a ROS node of this process.
func (g graph) join(name string) (*ros.Node, error) {
	env, err := ros.ReadEnvironment(func(name string) (string, bool) { v, ok := g[name]; return v, ok })
	if err != nil {
		return nil, err
	}
	return joinAs(name, env)
}

// joinInherited does so in the graph of the environment, which the parent process set.
func joinInherited(name string) (*ros.Node, error) {
	env, err := ros.ReadEnvironment(nil)
	if err != nil {
		return nil, err
	}
	return joinAs(name, env)
}

func joinAs(name string, env ros.Environment) (*ros.Node, error) {
	return ros.NewNode(cyclone.Transport{}, ros.Options{Name: name, Env: env, Args: ros.Args{NoRosout: true}, Logger: ros.NewLogger(nil, name, ros.LevelError)})
}

// childrenVariable lets the children's standard error through. They are flooded, too, and
// Cyclone DDS writes of each packet that it cannot read.
const childrenVariable = "FIRSTCONTACT_HOSTILE_VERBOSE"

// child prepares this program to run as a process of its own in another role. It ends
// when this process does.
func (g graph) child(role string, args ...string) (*exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(self, args...)
	cmd.Env = append(g.environ(), roleVariable+"="+role)
	if os.Getenv(childrenVariable) != "" {
		cmd.Stderr = os.Stderr
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	return cmd, nil
}

// roleVariable says what a process of this program is, where it is not the first.
const roleVariable = "FIRSTCONTACT_HOSTILE_ROLE"
