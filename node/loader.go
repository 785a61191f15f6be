package node

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/firstcontact-ros/firstcontact/config"
	"github.com/firstcontact-ros/firstcontact/msgs/stdmsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// loader keeps the model up to date with the robot's description. It builds a new model while
// the old one stays in use, and replaces it when the new one is ready.
type loader struct {
	values config.Values
	pins   pins
	log    *ros.Logger
	use    func(m *model, absent string) // called at every change
	loaded func(description)             // called when a model is ready
	tried  func(error)                   // called when a description was loaded, or could not be
	build  func(context.Context, description, config.Values) (*model, error)
	dress  func(context.Context, *model) (*model, error) // puts the newest layers into the world of a new model
	lacks  func(*model) error                            // says that layers have come since, with mu held
	ready  func()                                        // called when such a model is in use; it must not block
	heard  chan struct{}                                 // a description has arrived on a topic
	given  bool                                          // the parameters describe the robot

	history  atomic.Pointer[history]
	building sync.Mutex // held while a description is being loaded, or distances change

	mu      sync.Mutex
	levels  config.Values // that the next model is made with
	desc    description   // in use or being loaded
	used    description   // the model in use was built from it
	failed  description   // the last that failed to load while a model was in use
	loading bool          // desc has not been tried yet
	spare   spares        // texts that arrived while the first was being loaded
	model   *model        // nil if there is none
	absent  string        // why there is no model
	refused refusals
	stage   stage

	before extent // what the previous model checked; used by run only
	pace   pace   // used by run only
}

func newLoader(v config.Values, p pins, log *ros.Logger, use func(*model, string)) *loader {
	l := &loader{values: v, levels: v, pins: p, desc: describe(v), log: log, use: use, loaded: func(description) {}, tried: func(error) {}, build: build, dress: undressed, lacks: func(*model) error { return nil }, ready: func() {}, heard: make(chan struct{}, 1)}
	l.history.Store(&history{})
	l.given = l.desc.urdf.given()
	l.set(nil, l.beginning())
	return l
}

// current returns the model, or nil and the reason why there is none.
func (l *loader) current() (*model, string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.shown()
}

// set changes the model. After newLoader, the caller holds mu.
func (l *loader) set(m *model, absent string) {
	l.model, l.absent = m, absent
	l.use(l.shown())
}

func undressed(_ context.Context, m *model) (*model, error) { return m, nil }

// swap replaces the model in use by the same one in another world. It reports false if another
// model is in use by now.
func (l *loader) swap(before, m *model) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.model != before {
		return false
	}
	l.set(m, "")
	return true
}

// spares holds texts by destination.
type spares map[*string]struct{ topic, text string }

// listen returns a callback that takes a text from a topic into the description.
//
// The first text is pinned unless the parameter model.changes says otherwise: while it is
// being loaded others wait, and once it has produced a model they are refused.
func (l *loader) listen(topic string, text *string) func(*stdmsgs.String) {
	name := "urdf"
	if text == &l.desc.srdf.text {
		name = "srdf"
	}
	return func(m *stdmsgs.String) {
		l.mu.Lock()
		defer l.mu.Unlock()
		if m.Data == "" || m.Data == *text {
			return
		}
		if err := l.pins.check(name, []byte(m.Data)); err != nil {
			l.refuse(topic, m.Data, err.Error())
			return
		}
		if l.values.String("model.changes") == "refuse" {
			inUse := &l.used.urdf.text
			if name == "srdf" {
				inUse = &l.used.srdf.text
			}
			switch {
			case *inUse != "":
				l.refuse(topic, m.Data, pinned)
				return
			case *text != "" && l.loading:
				if l.spare == nil {
					l.spare = spares{}
				}
				l.spare[text] = struct{ topic, text string }{topic, m.Data}
				return
			}
		}
		*text = m.Data
		l.start()
	}
}

const pinned = "the model in use stays; to let it change, set model.changes to accept"

// start has the description loaded if it is complete. The caller holds mu.
func (l *loader) start() {
	if !l.desc.urdf.given() {
		return
	}
	l.loading = true
	if l.model == nil {
		l.set(nil, "a robot description is being loaded")
	} else if l.desc != l.used {
		l.warn("another description is being loaded: until it is ready, the previous model stays in use")
	}
	nudge(l.heard)
}

// run loads the model that the parameters describe, and then each description that arrives. It
// fails if the parameters' own model cannot be checked: without one the monitor would only
// appear to work.
func (l *loader) run(ctx context.Context) error {
	if l.given { // texts that topics have delivered by now are handled below, and their failure is no error
		if _, err := l.load(ctx, describe(l.values), false); err != nil || ctx.Err() != nil {
			return err
		}
	}
	patience := time.After(span(l.values.Double("robot_description_timeout")))
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-patience:
			if l.wanted() == (description{}) {
				l.log.Errorf("still no robot description: give one of the parameters robot_description and robot_description_file, or publish it on the topic robot_description")
			}
		case <-l.heard:
			if err := l.follow(ctx); err != nil {
				return err
			}
		}
	}
}

// wanted is the description to load, empty if it is incomplete.
func (l *loader) wanted() description {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.desc.urdf.given() {
		return description{}
	}
	return l.desc
}

// follow loads descriptions from topics until there is nothing new. Descriptions that keep
// arriving are loaded at a decreasing rate: anyone may send them.
func (l *loader) follow(ctx context.Context) error {
	for {
		if !sleepUntil(ctx, l.pace.next(time.Now())) {
			return nil
		}
		d := l.wanted()
		if l.settled(d) {
			return nil
		}
		l.pace.began(time.Now())
		over, err := l.load(ctx, d, true)
		switch {
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, ErrInternal):
			return err
		case err != nil:
			l.log.Errorf("%v", err)
		}
		if over {
			return nil
		}
	}
}

// settled reports whether a description needs no work: it is in use, or it has failed while
// another is in use.
func (l *loader) settled(d description) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !d.urdf.given() {
		return true
	}
	if l.desc != d || l.model == nil || d != l.used && d != l.failed {
		return false
	}
	l.loading = false
	if d == l.used {
		l.warn("")
	} else {
		l.warn(unusable)
	}
	return true
}

// load builds the model of a description and uses it. A superseded load may be abandoned as
// soon as another description is wanted; over reports that it was not. It returns early when
// the context ends.
func (l *loader) load(ctx context.Context, d description, superseded bool) (over bool, err error) {
	l.building.Lock()
	defer l.building.Unlock()
	begin := time.Now()
	values := l.graded()
	building, cancel := context.WithCancel(ctx)
	defer cancel()
	type result struct {
		model *model
		err   error
	}
	done := make(chan result, 1)
	go func() {
		var r result
		defer func() { done <- r }()
		defer guard(&r.err)
		if r.model, r.err = l.build(building, d, values); r.err == nil {
			r.model, r.err = l.dress(building, r.model)
		}
	}()
	heard := l.heard
	if !superseded {
		heard = nil
	}
	for {
		select {
		case <-ctx.Done():
			return true, nil // the build goroutine is abandoned
		case <-heard:
			if l.wanted() != d {
				cancel() // and wait: one model is built at a time
			}
		case r := <-done:
			if ctx.Err() != nil {
				return true, nil
			}
			if r.err != nil {
				r.err = fmt.Errorf("the model cannot be checked: %w", r.err)
			}
			if superseded && !errors.Is(r.err, ErrInternal) && l.wanted() != d {
				return false, nil
			}
			again := l.settle(d, r.model, r.err)
			if r.err == nil {
				l.introduce(r.model, time.Since(begin))
				l.loaded(d)
			}
			l.tried(r.err)
			return !again, r.err
		}
	}
}

// settle uses the result of loading a description: a model replaces the one in use, which
// stays if there is none. It reports whether another text waits to be tried.
func (l *loader) settle(d description, m *model, err error) (again bool) {
	change := l.changeTo(m)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.loading = l.desc != d
	switch {
	case err == nil:
		if l.model != nil {
			l.update(func(s *history) { s.changes++ })
		}
		if change != "" { // known before the model is used: its first state tells it
			l.update(func(s *history) { s.change = change })
		}
		l.used, l.failed = d, description{}
		if behind := l.lacks(m); behind != nil {
			m.outdated = behind // until the next world, which ready has made
		}
		l.set(m, "")
		l.ready()
		if !l.loading {
			l.warn("")
		}
		for _, s := range l.spare {
			l.refuse(s.topic, s.text, pinned)
		}
		l.spare = nil
	case l.model != nil:
		l.failed = d
		l.update(func(s *history) { s.refused++ })
		l.warn(unusable)
	default:
		l.set(nil, notLoaded) // the error may reveal files of this machine, so only the log has it
	}
	if err != nil { // a text without a model pins nothing
		for text, s := range l.spare {
			*text, again = s.text, true
		}
		l.loading, l.spare = l.loading || again, nil
	}
	return again
}

// notLoaded is what states say of a model that cannot be checked.
const notLoaded = "the model cannot be checked: see the node's log"

// unusable is what states say of a refused description from a topic. Only the log has the
// details.
const unusable = "the last description on a topic could not be used and the previous model stays in use: see the node's log"

// changeTo says what a model that replaces another one changes, or returns "".
func (l *loader) changeTo(m *model) string {
	if m == nil || l.before == (extent{}) {
		return ""
	}
	return m.extent().since(l.before)
}

// introduce tells what a user should know of a model.
func (l *loader) introduce(m *model, took time.Duration) {
	if change := l.changeTo(m); change != "" {
		l.log.Warnf("what is checked has changed: %s", change)
	}
	l.before = m.extent()
	for _, r := range m.remarks(m.levels, took) {
		l.log.Log(ros.Note(r))
	}
}
