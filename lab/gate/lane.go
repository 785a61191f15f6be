package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/trajectorymsgs"
	"github.com/firstcontact-ros/firstcontact/node/gatetest"
	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/node/ros/action"
	"github.com/firstcontact-ros/firstcontact/node/ros/cyclone"
)

// lane is one robot with its node, its controller and its user.
type lane struct {
	number       int
	folder       string
	binary       string
	goals, kills int
	several      bool // each cart has a controller of its own
	seed         uint64
	tally        *tally

	variables []string
	arms      []*arm
	pending   sync.WaitGroup
	reviving  sync.Mutex // held while the node is started again

	mu     sync.Mutex
	node   *exec.Cmd
	lives  int           // of the node
	dead   chan struct{} // closed when the present node is killed
	sent   map[action.ID]*goal
	states chan struct{} // a state that is not UNKNOWN has come
	unsure atomic.Value  // the reason of the last state that was UNKNOWN
}

const patience = 30 * time.Second

// arm is a controller and its user.
type arm struct {
	name       string // of the controller
	joint      string // that it moves alone; "" for both
	controller *gatetest.Controller
	user       *gatetest.Client
}

// engage starts the lane's controllers: one of both carts, or one of each.
func (l *lane) engage(n *ros.Node) error {
	l.arms = []*arm{{name: "carts"}}
	if l.several {
		l.arms = []*arm{{name: "left", joint: "left_x"}, {name: "right", joint: "right_x"}}
	}
	for _, a := range l.arms {
		at := map[string]float64{"left_x": 0, "right_x": 0}
		if a.joint != "" {
			at = map[string]float64{a.joint: 0}
		}
		var err error
		if a.controller, err = gatetest.New(n, gatetest.Options{Name: a.name, At: at, Took: l.took}); err != nil {
			return err
		}
		if a.user, err = gatetest.NewClient(n, a.name+"_checked", action.ClientOptions[gatetest.Feedback]{}); err != nil {
			return err
		}
	}
	return nil
}

func (l *lane) disengage() {
	for _, a := range l.arms {
		if a.controller != nil {
			a.controller.Close()
		}
	}
}

func (l *lane) run() error {
	l.variables = []string{
		fmt.Sprintf("ROS_DOMAIN_ID=%d", 1+(os.Getpid()+l.number)%100),
		"ROS_LOCALHOST_ONLY=1", "ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST",
		fmt.Sprintf("CYCLONEDDS_URI=<CycloneDDS><Domain><Discovery><Tag>gate_%d_%d</Tag></Discovery></Domain></CycloneDDS>", os.Getpid(), l.number),
	}
	l.sent, l.states = map[action.ID]*goal{}, make(chan struct{}, 1)
	n, err := l.join()
	if err != nil {
		return err
	}
	defer n.Close()
	defer l.disengage()
	if err := l.engage(n); err != nil {
		return err
	}
	_, err = ros.Subscribe(n, "firstcontact/state", ros.QoS{Depth: 1}, func(s *fcmsgs.CollisionState, _ ros.MessageInfo) {
		if s.Level == fcmsgs.CollisionStateUnknown {
			l.unsure.Store(s.Reason)
			return
		}
		select {
		case l.states <- struct{}{}:
		default:
		}
	})
	if err != nil {
		return err
	}
	if err := l.start(); err != nil {
		return err
	}
	defer l.kill()
	return l.play()
}

// join makes a ROS node of this process in the lane's graph.
func (l *lane) join() (*ros.Node, error) {
	env, err := ros.ReadEnvironment(func(name string) (string, bool) {
		for _, v := range l.variables {
			if len(v) > len(name) && v[:len(name)+1] == name+"=" {
				return v[len(name)+1:], true
			}
		}
		return "", false
	})
	if err != nil {
		return nil, err
	}
	return ros.NewNode(cyclone.Transport{}, ros.Options{Name: "robot", Env: env, Logger: ros.NewLogger(os.Stderr, "robot", ros.LevelError)})
}

// start starts the node and waits until it knows where the robot is.
func (l *lane) start() error {
	cmd := exec.Command(l.binary, "node", "--ros-args", "--log-level", "fatal",
		"-p", "robot_description_file:="+filepath.Join(l.folder, "carts.urdf"), "-p", "scene:="+filepath.Join(l.folder, "wall.yaml"),
		"-p", "gate.controllers:=["+l.names()+"]", "-p", "joint_state_timeout:=1.0", "-p", "lookahead.deceleration:=100.0")
	cmd.Env = append(os.Environ(), l.variables...)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		return err
	}
	l.mu.Lock()
	l.node, l.dead = cmd, make(chan struct{})
	l.lives++
	l.mu.Unlock()
	select {
	case <-l.states:
	default:
	}
	select {
	case <-l.states:
	case <-time.After(patience):
		return fmt.Errorf("the node does not know where the robot is, %s after its start: %v", patience, l.unsure.Load())
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for _, a := range l.arms {
		if err := a.user.Wait(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (l *lane) names() string {
	var names []string
	for _, a := range l.arms {
		names = append(names, a.name)
	}
	return strings.Join(names, ", ")
}

// kill ends the node without a word.
func (l *lane) kill() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.node == nil {
		return
	}
	l.node.Process.Signal(syscall.SIGKILL)
	l.node.Wait()
	l.node = nil
	close(l.dead)
}

// present returns a channel that is closed at the end of the present node, and its number.
func (l *lane) present() (<-chan struct{}, int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.dead, l.lives
}

// took is what the controller was given.
func (l *lane) took(id action.ID, t *trajectorymsgs.JointTrajectory) {
	l.mu.Lock()
	g := l.sent[id]
	l.mu.Unlock()
	switch {
	case g == nil:
		l.tally.fault("the controller got the goal %s, which nobody sent", id)
	case g.collides:
		l.tally.fault("the controller got a goal that collides: %+v", t)
	case !reflect.DeepEqual(*t, g.message.Trajectory):
		l.tally.fault("the controller got another trajectory than was sent")
	}
	l.tally.took(id)
	if l.several {
		go l.lookAhead()
	}
}

// play sends all goals, and kills the node now and then. Each controller has its own share.
func (l *lane) play() error {
	errs := make(chan error, len(l.arms))
	for i, a := range l.arms {
		go func() {
			goals, kills := (l.goals+i)/len(l.arms), (l.kills+i)/len(l.arms)
			errs <- l.playArm(a, rand.New(rand.NewPCG(l.seed, uint64(10*l.number+i))), goals, kills)
		}()
	}
	var err error
	for range l.arms {
		err = errors.Join(err, <-errs)
	}
	l.pending.Wait()
	return err
}

func (l *lane) playArm(a *arm, rng *rand.Rand, goals, kills int) error {
	deaths := map[int]bool{}
	for len(deaths) < min(kills, goals/2) {
		deaths[rng.IntN(max(goals-5, 1))] = true
	}
	for i := range goals {
		if deaths[i] {
			// While the next goals are judged, sent on or executed.
			time.AfterFunc(time.Duration(rng.IntN(100))*time.Millisecond, l.kill)
		}
		l.sendOne(a, rng)
		if err := l.revive(); err != nil {
			return err
		}
	}
	return nil
}

// revive starts the node again if it was killed.
func (l *lane) revive() error {
	l.reviving.Lock()
	defer l.reviving.Unlock()
	if dead, _ := l.present(); !isClosed(dead) {
		return nil
	}
	l.tally.count("node killed")
	return l.start()
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// sendOne sends a goal. One in twenty is canceled, and one in twenty is not waited for: the
// next one replaces it.
func (l *lane) sendOne(a *arm, rng *rand.Rand) {
	id := action.NewID()
	var g goal
	if a.joint == "" {
		g = draw(rng)
	} else {
		g = drawOne(rng, a.joint)
	}
	l.mu.Lock()
	l.sent[id] = &g
	l.mu.Unlock()
	dead, life := l.present()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	stop := context.AfterFunc(ctx, func() {})
	defer stop()
	go func() {
		select {
		case <-dead:
			cancel()
		case <-ctx.Done():
		}
	}()
	accepted, _, err := a.user.Send(ctx, id, g.message)
	if err != nil && !isClosed(dead) {
		l.tally.fault("a goal was not answered: %v", err)
	}
	if err == nil && !accepted {
		l.tally.fault("a goal was rejected")
	}
	kind, later := "", time.Duration(rng.Float64()*1.2*float64(g.lasts))
	switch rng.IntN(20) {
	case 0:
		kind = "canceled"
		time.AfterFunc(later, func() {
			ctx, cancel := context.WithTimeout(context.Background(), time.Second)
			defer cancel()
			a.user.Cancel(ctx, id)
		})
	case 1:
		kind = "replaced"
	}
	l.pending.Add(1)
	ended := make(chan struct{})
	go func() {
		defer l.pending.Done()
		defer close(ended)
		defer cancel()
		l.await(a, ctx, id, g, kind, life)
	}()
	if kind == "replaced" {
		time.Sleep(later)
		return
	}
	<-ended
	time.Sleep(time.Duration(rng.IntN(40)) * time.Millisecond) // the robot is measured at rest, mostly
}

// await waits for the goal's result. If the node dies before it, the next node is asked, which
// does not know the goal: that is the goal's one answer.
func (l *lane) await(a *arm, ctx context.Context, id action.ID, g goal, kind string, life int) {
	status, r, err := a.user.Result(ctx, id)
	for err != nil {
		dead, now := l.present()
		if now == life && !isClosed(dead) {
			l.tally.fault("a goal has no result: %v", err)
			return
		}
		again, cancel := context.WithTimeout(context.Background(), time.Second)
		if now > life {
			status, r, err = a.user.Result(again, id)
		} else {
			<-again.Done()
			if kind != "replaced" { // play starts the next node when this returns
				cancel()
				l.tally.end(id, g, kind, action.Unknown, "the node died")
				return
			}
		}
		cancel()
	}
	l.tally.end(id, g, kind, status, r.ErrorString)
}
