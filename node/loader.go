package node

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/config"
	"github.com/firstcontact-ros/firstcontact/msgs/stdmsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// loader keeps the model up to date with the robot's description.
type loader struct {
	values config.Values
	log    *ros.Logger
	use    func(m *model, absent string) // told of every change
	heard  chan struct{}                 // a description has come from a topic
	given  bool                          // the parameters describe the robot

	mu      sync.Mutex
	desc    description
	model   *model // nil where there is none
	absent  string // and why
	refused [sha256.Size]byte
	before  string // what the model before this one checked
}

func newLoader(v config.Values, log *ros.Logger, use func(*model, string)) *loader {
	l := &loader{values: v, desc: describe(v), log: log, use: use, heard: make(chan struct{}, 1)}
	absent := "the model is being loaded"
	if l.given = l.desc.urdf.given(); !l.given {
		absent = "no robot description has come yet"
	}
	l.set(nil, absent)
	return l
}

// current returns the model, or nil and why there is none.
func (l *loader) current() (*model, string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.model, l.absent
}

// set changes the model. After newLoader, mu is held.
func (l *loader) set(m *model, absent string) {
	l.model, l.absent = m, absent
	l.use(m, absent)
}

// listen returns what takes a text from a topic. Once a model is in use that was made
// of another text of this topic, the parameter model.changes says whether it may
// change. A text that is taken ends the use of the model made of the old one at once:
// it is no longer the robot's.
func (l *loader) listen(topic string, text *string) func(*stdmsgs.String) {
	return func(m *stdmsgs.String) {
		l.mu.Lock()
		defer l.mu.Unlock()
		if m.Data == "" || m.Data == *text {
			return
		}
		if l.model != nil && *text != "" && l.values.String("model.changes") == "refuse" {
			l.refuse(topic, m.Data)
			return
		}
		*text = m.Data
		if l.desc.urdf.given() {
			l.set(nil, "a new robot description is being loaded")
			nudge(l.heard)
		}
	}
}

// refuse tells of a description that is not used, once for each.
func (l *loader) refuse(topic, text string) {
	sum := sha256.Sum256([]byte(text))
	if sum == l.refused {
		return
	}
	l.refused = sum
	l.log.Errorf("another description has come on the topic %s (%d bytes, SHA-256 %x) and is refused: the model in use stays. To let it change, set model.changes to accept",
		topic, len(text), sum[:6])
}

// run loads the model that the parameters describe, and then each that comes. It
// fails where the parameters' own cannot be checked: a monitor that runs on
// without one would only look alive.
func (l *loader) run(ctx context.Context) error {
	if l.given { // what a topic has brought by now is heard below, and ends nothing
		if err := l.load(ctx); err != nil {
			return err
		}
	}
	patience := time.After(span(l.values.Double("robot_description_timeout")))
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-patience:
			if !l.described() {
				l.log.Errorf("still no robot description: give one of the parameters robot_description and robot_description_file, or publish it on the topic robot_description")
			}
		case <-l.heard:
			err := l.load(ctx)
			if errors.Is(err, ErrInternal) {
				return err
			}
			if err != nil {
				l.log.Errorf("%v", err)
			}
		}
	}
}

func (l *loader) described() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.desc.urdf.given()
}

// load builds the model of the texts at hand and uses it. It returns early when
// the context ends.
func (l *loader) load(ctx context.Context) error {
	l.mu.Lock()
	d := l.desc
	l.mu.Unlock()
	begin := time.Now()
	m, err := buildInBackground(ctx, d, l.values)
	if ctx.Err() != nil {
		return nil
	}
	if err != nil {
		err = fmt.Errorf("the model cannot be checked: %w", err)
	}
	if l.settle(d, m, err) && err == nil {
		l.introduce(m, time.Since(begin))
	}
	return err
}

// notLoaded is what everybody on the graph is told of a model that cannot be checked.
const notLoaded = "the model cannot be checked: the log says why"

// settle uses what was made of a description, unless another has come since,
// which is loaded next.
func (l *loader) settle(d description, m *model, err error) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.desc != d:
		return false
	case err != nil:
		l.set(nil, notLoaded) // what is wrong may tell of files of this machine: it is in the log
	default:
		l.set(m, "")
	}
	return true
}

// buildInBackground is build, left behind when the context ends first: a large
// robot takes seconds.
func buildInBackground(ctx context.Context, d description, v config.Values) (*model, error) {
	type result struct {
		model *model
		err   error
	}
	done := make(chan result, 1)
	go func() {
		var r result
		defer func() { done <- r }()
		defer guard(&r.err)
		r.model, r.err = build(d, v)
	}()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case r := <-done:
		return r.model, r.err
	}
}

// introduce tells what a user should know of a model.
func (l *loader) introduce(m *model, took time.Duration) {
	robot, world := m.checker.Robot(), m.checker.World()
	for _, warning := range robot.Warnings {
		l.log.Warnf("%s", warning)
	}
	if world != nil {
		for _, warning := range world.Warnings {
			l.log.Warnf("%s", warning)
		}
	}
	if err := m.checker.CacheError(); err != nil {
		l.log.Warnf("parameter cache: %v", err)
	}
	if m.ignored > 0 {
		l.log.Warnf("%d pairs that the scene allows to touch are checked all the same: acm.source does not name the scene", m.ignored)
	}
	if m.gap != nil {
		l.log.Errorf("nothing will be called free: %s", m.gap.Why())
	}
	for _, entry := range m.accepted {
		l.log.Warnf("accepted as it is: %s", entry)
	}
	self, others := m.checker.CheckedPairs()
	now := fmt.Sprintf("robot %s, %d joints; %d pairs of its own and %d with the world are checked, %d are assumed to be allowed",
		robot.Name, len(m.joints), self, others, m.assumed)
	if l.before != "" {
		l.log.Warnf("what is checked has changed: before, %s; now, %s", l.before, now)
	}
	l.before = now
	l.log.Infof("loaded in %.2f s: %s", took.Seconds(), now)
	for _, fault := range m.faults {
		l.log.Warnf("%s", fault)
	}
	if m.proven > 0 {
		l.log.Infof("%d pairs of the robot's own are proved never to touch: within the joints' limits they are not checked and raise no level", m.proven)
	}
	if robot.Semantic == nil && m.assumed > 0 {
		l.log.Infof("without an SRDF %s", ccd.DefaultWords(m.checker.AssumedPairs()))
	}
	if len(m.margins) > 0 {
		l.log.Infof("%d pairs have a margin of their own: %s", len(m.margins), m.marginWords())
	}
}
