package demo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/infile"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// nodeProcess is the node that the demo runs in a separate process.
type nodeProcess struct {
	cmd  *exec.Cmd
	env  ros.Environment // shared with this process
	errs bytes.Buffer
	temp string
	done chan error
}

// startNode starts the node in an isolated graph: on loopback, on a domain that no other demo
// is likely to use, with a unique discovery tag. A busy process may be delayed for long, so
// joint states may be several seconds old.
func startNode(ctx context.Context, data string, sabotage bool) (*nodeProcess, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	p := &nodeProcess{done: make(chan error, 1)}
	srdf := filepath.Join(data, "humanoid.srdf")
	if sabotage {
		if srdf, err = p.sabotaged(srdf); err != nil {
			return nil, err
		}
	}
	set := map[string]string{
		"ROS_DOMAIN_ID":                 strconv.Itoa(1 + os.Getpid()%100),
		"ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST",
		"RMW_IMPLEMENTATION":            "rmw_cyclonedds_cpp", // the demo itself is on Cyclone DDS
		"CYCLONEDDS_URI": fmt.Sprintf(`<CycloneDDS><Domain><General><Interfaces><NetworkInterface address="127.0.0.1" multicast="false"/></Interfaces></General>`+
			`<Discovery><Tag>firstcontact_demo_%d</Tag></Discovery></Domain></CycloneDDS>`, os.Getpid()),
	}
	if p.env, err = ros.ReadEnvironment(func(name string) (string, bool) { v, ok := set[name]; return v, ok }); err != nil {
		return nil, err
	}
	p.cmd = exec.CommandContext(ctx, self, "node", "--ros-args",
		"-p", "robot_description_file:="+filepath.Join(data, "humanoid.urdf"),
		"-p", "robot_description_semantic_file:="+srdf,
		"-p", "scene:="+filepath.Join(data, "obstacles.yaml"),
		"-p", "joint_state_timeout:=3.0",
		"-p", "accept:=[start]", // the trajectories begin elsewhere, but no controller executes them
		"--log-level", "warn")
	p.cmd.Env = p.environment(set)
	p.cmd.Stderr = &p.errs
	p.cmd.Cancel = func() error { return p.cmd.Process.Signal(syscall.SIGTERM) }
	p.cmd.WaitDelay = 3 * time.Second
	dieWithUs(p.cmd)
	started := make(chan error, 1)
	go func() {
		runtime.LockOSThread() // the node dies with the thread that started it
		started <- p.cmd.Start()
		p.done <- p.cmd.Wait()
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	return p, nil
}

// environment returns this process's environment with ROS's variables replaced.
func (p *nodeProcess) environment(set map[string]string) []string {
	var env []string
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "ROS_") && !strings.HasPrefix(v, "CYCLONEDDS_URI=") {
			env = append(env, v)
		}
	}
	for name, value := range set {
		env = append(env, name+"="+value)
	}
	return env
}

// sabotaged writes a copy of the SRDF that allows right hand and torso to touch.
func (p *nodeProcess) sabotaged(srdf string) (string, error) {
	text, err := infile.Read(context.Background(), srdf, limit.DescriptionBytes)
	if err != nil {
		return "", err
	}
	if p.temp, err = os.MkdirTemp("", "firstcontact-demo-"); err != nil {
		return "", err
	}
	const off = `<disable_collisions link1="torso" link2="right_hand" reason="Sabotage"/></robot>`
	path := filepath.Join(p.temp, "sabotaged.srdf")
	return path, os.WriteFile(path, []byte(strings.Replace(string(text), "</robot>", off, 1)), 0o600)
}

func (p *nodeProcess) pid() int { return p.cmd.Process.Pid }

// died returns why the node ended, if it has.
func (p *nodeProcess) died() error {
	select {
	case err := <-p.done:
		p.done <- err
		if err == nil {
			err = errors.New("it ended by itself")
		}
		return fmt.Errorf("the node did not stay up: %w\n%s", err, strings.TrimSpace(p.errs.String()))
	default:
		return nil
	}
}

// stop ends the node, by force if necessary.
func (p *nodeProcess) stop() {
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.done:
	case <-time.After(5 * time.Second):
		_ = p.cmd.Process.Kill()
		<-p.done
	}
	if p.temp != "" {
		os.RemoveAll(p.temp)
	}
}
