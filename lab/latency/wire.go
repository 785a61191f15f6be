package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/diagnosticmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/node/ros/cyclone"
)

// patience is how long what must happen may take on a busy machine.
const patience = 2 * time.Minute

// warming is for how long joint states are sent before it counts.
const warming = 2 * time.Second

// wire is this process's side of the wire to a node of its own.
type wire struct {
	settings
	scene string

	dancer *dancer
	node   *exec.Cmd
	me     *ros.Node
	joints *ros.Publisher[sensormsgs.JointState]
	states *ros.Subscription
	begin  time.Time

	mu    sync.Mutex
	tally *tally
	pause float64 // s, as the node's diagnostics tell it
	fresh int     // diagnostics heard
}

func (w *wire) open() error {
	var err error
	if w.dancer, err = newDancer(w.robot); err != nil {
		return err
	}
	variables := []string{
		fmt.Sprintf("ROS_DOMAIN_ID=%d", 1+os.Getpid()%100), "ROS_LOCALHOST_ONLY=1", "ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST", "RMW_IMPLEMENTATION=rmw_cyclonedds_cpp",
		fmt.Sprintf("CYCLONEDDS_URI=<CycloneDDS><Domain><Discovery><Tag>latency_%d</Tag></Discovery></Domain></CycloneDDS>", os.Getpid()),
	}
	w.node = exec.Command(w.binary, "node", "--ros-args", "--log-level", "error", "-p", "robot_description_file:="+w.robot, "-p", "scene:="+w.scene,
		"-p", fmt.Sprintf("check_rate:=%.1f", w.rate))
	w.node.Env = append(os.Environ(), variables...)
	w.node.Stderr = os.Stderr
	if err := w.node.Start(); err != nil {
		return err
	}
	env, err := ros.ReadEnvironment(func(name string) (string, bool) {
		for _, v := range variables {
			if value, ok := strings.CutPrefix(v, name+"="); ok {
				return value, true
			}
		}
		return "", false
	})
	if err != nil {
		return err
	}
	w.me, err = ros.NewNode(cyclone.Transport{}, ros.Options{Name: "latency", Env: env, Logger: ros.NewLogger(os.Stderr, "latency", ros.LevelError)})
	if err != nil {
		return err
	}
	return w.connect()
}

func (w *wire) connect() (err error) {
	if w.joints, err = ros.Advertise[sensormsgs.JointState](w.me, "joint_states", ros.QoS{Depth: 100}); err != nil {
		return err
	}
	// The node offers four periods, at least 13.3 ms.
	deadline := max(time.Duration(4*float64(time.Second)/w.rate), 13400*time.Microsecond)
	if w.states, err = ros.Subscribe(w.me, "firstcontact/state", ros.QoS{Depth: 1000, Deadline: deadline}, w.receive); err != nil {
		return err
	}
	if _, err = ros.Subscribe(w.me, "/diagnostics", ros.QoS{Depth: 10}, w.diagnose); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return errors.Join(w.joints.WaitSubscribers(ctx, 1), w.states.WaitPublishers(ctx, 1))
}

func (w *wire) close() {
	if w.me != nil {
		w.me.Close()
	}
	if w.node != nil && w.node.Process != nil {
		w.node.Process.Signal(syscall.SIGTERM)
		w.node.Wait()
	}
}

func (w *wire) receive(m *fcmsgs.CollisionState, _ ros.MessageInfo) {
	now := time.Now()
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.tally != nil {
		w.tally.answered(m, now)
	}
}

func (w *wire) diagnose(m *diagnosticmsgs.DiagnosticArray, _ ros.MessageInfo) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, s := range m.Status {
		for _, v := range s.Values {
			if v.Key == "longest pause of the garbage collector (s)" {
				w.pause, _ = strconv.ParseFloat(v.Value, 64)
				w.fresh++
			}
		}
	}
}

// send publishes where the joints are now.
func (w *wire) send() error {
	now := time.Now()
	m := &sensormsgs.JointState{Name: w.dancer.names, Position: w.dancer.at(now.Sub(w.begin).Seconds())}
	m.Header.Stamp = builtininterfaces.TimeOf(now)
	w.mu.Lock()
	w.tally.asked(m.Header.Stamp, now)
	w.mu.Unlock()
	return w.joints.Publish(m)
}

// during sends joint states at the rate until it is done. A slot that this process sleeps
// through is left out, so that no joint states come in a burst that no robot sends.
func (w *wire) during(done func() bool) error {
	runtime.LockOSThread() // it sleeps by the system's clock, not by the scheduler's
	defer runtime.UnlockOSThread()
	period := time.Duration(float64(time.Second) / w.rate)
	for next := time.Now(); !done(); next = next.Add(period) {
		if rest := time.Until(next); rest > 0 {
			t := syscall.NsecToTimespec(int64(rest))
			syscall.Nanosleep(&t, nil)
		}
		if late := time.Since(next) / period; late > 0 {
			next = next.Add(late * period)
			w.mu.Lock()
			w.tally.skipped += int(late)
			w.mu.Unlock()
		}
		if err := w.send(); err != nil {
			return err
		}
	}
	return nil
}

// warm sends joint states until the node has judged some, and for a while after that.
func (w *wire) warm() error {
	w.begin = time.Now()
	w.mu.Lock()
	w.tally = &tally{}
	w.mu.Unlock()
	var known time.Time
	err := w.during(func() bool {
		w.mu.Lock()
		defer w.mu.Unlock()
		if known.IsZero() && w.tally.last.ModelHash != "" && w.tally.last.Level != fcmsgs.CollisionStateUnknown {
			known = time.Now()
		}
		return !known.IsZero() && time.Since(known) > warming || time.Since(w.begin) > patience
	})
	if known.IsZero() {
		return errors.Join(err, fmt.Errorf("the node knows nothing of the robot after %v: %s", patience, w.tally.last.Reason))
	}
	return err
}

// play measures.
func (w *wire) play() (*result, error) {
	w.mu.Lock()
	before := w.tally.last
	missed := w.states.Stats().DeadlineMissed
	w.tally = &tally{last: before}
	w.mu.Unlock()
	begin := time.Now()
	if err := w.during(func() bool { return time.Since(begin) > w.duration }); err != nil {
		return nil, err
	}
	w.mu.Lock()
	heard := w.fresh
	w.mu.Unlock()
	for wait := time.Now(); time.Since(wait) < 5*time.Second; time.Sleep(10 * time.Millisecond) {
		w.mu.Lock()
		enough := w.tally.open() == 0 && w.fresh > heard+1
		w.mu.Unlock()
		if enough {
			break
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	r := &result{settings: w.settings, tally: w.tally, missed: w.states.Stats().DeadlineMissed - missed, lost: w.states.Stats().Missed, pause: w.pause}
	r.unchecked = w.tally.unchecked - before.MotionsUnchecked
	return r, nil
}
