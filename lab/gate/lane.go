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
	"sync"
	"syscall"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/trajectorymsgs"
	"github.com/firstcontact-ros/firstcontact/node/gate/gatetest"
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
	seed         uint64
	tally        *tally

	variables []string
	user      *gatetest.Client
	pending   sync.WaitGroup

	mu     sync.Mutex
	node   *exec.Cmd
	lives  int           // of the node
	dead   chan struct{} // closed when the present node is killed
	sent   map[action.ID]*goal
	states chan struct{} // a state that is not UNKNOWN has come
}

const patience = 30 * time.Second

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
	controller, err := gatetest.New(n, gatetest.Options{Name: "carts", At: map[string]float64{"left_x": 0, "right_x": 0}, Took: l.took})
	if err != nil {
		return err
	}
	defer controller.Close()
	if l.user, err = gatetest.NewClient(n, "carts_checked", action.ClientOptions[gatetest.Feedback]{}); err != nil {
		return err
	}
	_, err = ros.Subscribe(n, "firstcontact/state", ros.QoS{Depth: 1}, func(s *fcmsgs.CollisionState, _ ros.MessageInfo) {
		if s.Level != fcmsgs.CollisionStateUnknown {
			select {
			case l.states <- struct{}{}:
			default:
			}
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
		"-p", "gate.controllers:=[carts]", "-p", "joint_state_timeout:=1.0")
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
		return errors.New("the node does not know where the robot is")
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return l.user.Wait(ctx)
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
}

// play sends all goals, and kills the node now and then.
func (l *lane) play() error {
	rng := rand.New(rand.NewPCG(l.seed, uint64(l.number)))
	deaths := map[int]bool{}
	for len(deaths) < min(l.kills, l.goals/2) {
		deaths[rng.IntN(max(l.goals-5, 1))] = true
	}
	for i := range l.goals {
		if deaths[i] {
			// While the next goals are judged, sent on or executed.
			time.AfterFunc(time.Duration(rng.IntN(100))*time.Millisecond, l.kill)
		}
		l.sendOne(rng)
		if dead, _ := l.present(); isClosed(dead) {
			l.tally.count("node killed")
			if err := l.start(); err != nil {
				return err
			}
		}
	}
	l.pending.Wait()
	return nil
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
func (l *lane) sendOne(rng *rand.Rand) {
	g, id := draw(rng), action.NewID()
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
	accepted, _, err := l.user.Send(ctx, id, g.message)
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
			l.user.Cancel(ctx, id)
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
		l.await(ctx, id, g, kind, life)
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
func (l *lane) await(ctx context.Context, id action.ID, g goal, kind string, life int) {
	status, r, err := l.user.Result(ctx, id)
	for err != nil {
		dead, now := l.present()
		if now == life && !isClosed(dead) {
			l.tally.fault("a goal has no result: %v", err)
			return
		}
		again, cancel := context.WithTimeout(context.Background(), time.Second)
		if now > life {
			status, r, err = l.user.Result(again, id)
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
