package node

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/base/spelling"
	"github.com/firstcontact-ros/firstcontact/msgs/cdr"
	"github.com/firstcontact-ros/firstcontact/msgs/moveitmsgs"
	"github.com/firstcontact-ros/firstcontact/node/internal/diagnostics"
	"github.com/firstcontact-ros/firstcontact/node/internal/world"
	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/premise"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

var (
	// sceneQoS is that of MoveIt's publishers.
	sceneQoS = ros.QoS{Depth: 100}
	// sceneRate is far above what MoveIt sends. Beyond it messages count as lost.
	sceneRate   = ros.Rate{Burst: limit.QuestionsAtOnce, PerSecond: limit.QuestionsPerSecond}
	sceneBounds = ros.Bounds{Bytes: limit.SceneMessageBytes, Fields: cdr.Bounds{String: limit.StringBytes, Elements: limit.SceneMessageBytes}}
)

// planningScene is the live scene, if the parameter world.topics asks for one.
type planningScene struct {
	world *world.Listener
	heard map[string]*ros.Subscription // by topic
	ask   *ros.Client[moveitmsgs.GetPlanningSceneRequest, moveitmsgs.GetPlanningSceneResponse]
}

// hearPlanningScene subscribes the topics of world.topics.
func (n *Node) hearPlanningScene() error {
	topics := n.values.Strings("world.topics")
	if len(topics) == 0 {
		return nil
	}
	if err := n.hearFrames(); err != nil {
		return err
	}
	p := &planningScene{heard: map[string]*ros.Subscription{}}
	service := n.values.String("world.service")
	p.world = world.New(world.Options{
		Topics: topics, Service: service, Changed: n.putPlanningScene, Frames: n.framesOf, Now: n.monitor.moment,
		Warnf: n.ros.Logger().Warnf, Infof: n.ros.Logger().Infof,
	})
	n.scene = p
	for _, topic := range topics {
		if p.heard[topic] != nil {
			return fmt.Errorf("parameter world.topics has %s twice", topic)
		}
		var err error
		if p.heard[topic], err = n.hearScenes(topic, p.world); err != nil {
			return err
		}
	}
	if service != "" {
		var err error
		if p.ask, err = ros.NewClient[moveitmsgs.GetPlanningSceneRequest, moveitmsgs.GetPlanningSceneResponse](n.ros, service, ros.ServiceQoS); err != nil {
			return fmt.Errorf("parameter world.service: %w", err)
		}
	}
	n.diagnosis.Add("planning scene", n.planningSceneEntry)
	n.putPlanningScene()
	return nil
}

var sceneTopics = []string{world.Monitored, world.Planning, world.Objects, world.Attached}

// hearScenes subscribes one topic.
func (n *Node) hearScenes(topic string, w *world.Listener) (*ros.Subscription, error) {
	switch topic {
	case world.Monitored, world.Planning:
		return hearScene(n, topic, w, w.HearScene)
	case world.Objects:
		return hearScene(n, topic, w, w.HearObject)
	case world.Attached:
		return hearScene(n, topic, w, w.HearAttached)
	}
	return nil, fmt.Errorf("parameter world.topics: %q is none of %s%s: to hear another topic, remap one of them", topic, strings.Join(sceneTopics, ", "), spelling.Hint(topic, slices.Clone(sceneTopics)))
}

func hearScene[T any, PT interface {
	*T
	cdr.Message
}](n *Node, topic string, w *world.Listener, hear func(topic string, m *T, bytes int)) (*ros.Subscription, error) {
	return ros.Subscribe[T, PT](n.ros, topic, sceneQoS, func(m *T, info ros.MessageInfo) {
		n.mustNotPanic(func() {
			if info.Err != nil {
				w.Lost(topic, info.Err.Error())
				return
			}
			hear(topic, m, info.Bytes)
		})
	}, ros.Within(sceneBounds), ros.BrokenToo(), ros.AtMost(sceneRate))
}

// framesOf resolves frames that a scene around the robot does not have: by tf, and links by the
// measured joints.
func (n *Node) framesOf(robot *urdf.Robot) scene.Frames {
	return func(object, frame string, stamp int64) (geom.Pose, []premise.Premise, error) {
		m := n.loader.kept()
		if m == nil {
			return geom.Pose{}, nil, errors.New("there is no model of the robot yet")
		}
		if m.frame != robot.Links[robot.Root].Name {
			return geom.Pose{}, nil, errors.New("the robot's description is being changed")
		}
		var at time.Time
		if stamp != 0 {
			at = time.Unix(0, stamp)
		}
		p, err := n.resolver(m).Resolve(frame, at)
		return p.Pose, p.Premises(object, frame), err
	}
}

// putPlanningScene has the scene as it is now used.
func (n *Node) putPlanningScene() {
	n.worlds.put(fromPlanningScene, n.scene.world.Layer, func(s swapped) {
		if s.err != nil && !errors.Is(s.err, errSuperseded) {
			n.warn(s.err)
		}
	})
}

// watchPlanningScene looks after the sources of the scene.
func (n *Node) watchPlanningScene(ctx context.Context) error {
	if n.scene == nil {
		return nil
	}
	g := world.Graph{Publishers: func(topic string) (names []string, lost uint64) {
		s := n.scene.heard[topic]
		for _, w := range s.Writers() {
			names = append(names, w.String())
		}
		stats := s.Stats()
		return names, stats.Missed + stats.Refused + stats.Lost + s.Malformed()
	}}
	if n.scene.ask != nil {
		g.Ask = n.askForScene
	}
	return n.scene.world.Run(ctx, g)
}

// planningSceneEntry tells /diagnostics what of the scene is known.
func (n *Node) planningSceneEntry(e *diagnostics.Entry) {
	s := n.scene.world.Status()
	for _, why := range s.Missing {
		e.Raise(diagnostics.Error, "%s", why)
	}
	if s.Needs != "" {
		e.Raise(diagnostics.Error, "the planning scene is not known: %s", s.Needs)
	}
	if s.Waiting > 0 {
		e.Raise(diagnostics.Error, "%d objects are in frames that are not known", s.Waiting)
	}
	e.Value("changes", s.Changes)
	if !s.Whole.IsZero() {
		e.Value("last whole scene", fmt.Sprintf("%.0f s ago", time.Since(s.Whole).Seconds()))
	}
}

// askForScene calls the service get_planning_scene for all parts of the scene.
func (n *Node) askForScene(ctx context.Context) (*moveitmsgs.PlanningScene, error) {
	reply, err := n.scene.ask.Call(ctx, &moveitmsgs.GetPlanningSceneRequest{})
	if err != nil {
		return nil, err
	}
	return &reply.Scene, nil
}
