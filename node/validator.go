package node

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/base/oneline"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/motion/jtc"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// validator schedules and answers questions about motions. Every question is answered, and
// every answer is published.
type validator struct {
	model    func() (*model, string) // nil, and the reason
	measured func() map[string]float64
	publish  func(*fcmsgs.Verdict)
	state    func() (jtc.State, time.Time) // of the joints, measured, and the time; nil if velocities are not known
	outdated func(*model) string           // why the model's world may no longer be the surroundings, or ""; nil for never
	turns    *turns

	judged func(*model, *motion.Motion, *fcmsgs.Verdict) // takes each answer with its motion, unless nil
}

// asker identifies the client of a question.
type asker struct {
	client ros.GUID              // its participant
	bytes  int                   // of the question
	broken error                 // not nil if only the head of the question was read
	told   func(*fcmsgs.Verdict) // takes the answer too, unless nil
}

func newValidator(model func() (*model, string), measured func() map[string]float64, publish func(*fcmsgs.Verdict)) *validator {
	return &validator{model: model, measured: measured, publish: publish, turns: newTurns()}
}

// ask queues a question. One that exceeded a bound is answered at once.
func (v *validator) ask(q *question, by asker) {
	refuse := func(reason string) {
		m, _ := v.model()
		v.tell(by, m.undecided(q, reason))
	}
	switch {
	case errors.Is(by.broken, ros.ErrBusy):
		refuse(by.broken.Error() + ": ask again later")
		return
	case by.broken != nil:
		m, _ := v.model()
		v.tell(by, m.invalid(q, fmt.Errorf("%w: docs/limits.md lists what a question may hold", by.broken)))
		return
	}
	v.turns.add(&task{
		client: by.client, bytes: by.bytes, patience: q.deadline, refuse: refuse,
		work: func(ctx context.Context) func() {
			a := v.answer(ctx, q)
			return func() { v.tell(by, a) }
		},
	})
}

func (v *validator) tell(by asker, a *fcmsgs.Verdict) {
	a.Message = oneline.Text(a.Message, limit.TextBytes)
	v.publish(a)
	if by.told != nil {
		by.told(a)
	}
}

// run answers until the context ends, and then refuses the questions that still wait. After an
// internal fault it returns an error.
func (v *validator) run(ctx context.Context) error { return v.turns.run(ctx) }

const stopped = "the node has stopped"

// answer judges the motion that the question is about. If the world changes meanwhile, it judges
// the motion again, a bounded number of times: an answer is about the world that it names, which
// is the newest unless changes keep coming.
func (v *validator) answer(ctx context.Context, q *question) *fcmsgs.Verdict {
	for attempt := 1; ; attempt++ {
		begin := time.Now()
		m, a := v.attempt(ctx, q)
		now, _ := v.model()
		switch {
		case now.judgesAs(m):
			return v.withheld(m, a)
		case !now.onlyMoved(m):
			return m.undecided(q, "the model has changed in the meantime: ask again")
		case a.Status == fcmsgs.VerdictInvalid || attempt == maxAttempts || !timeLeft(ctx, time.Since(begin)):
			a.Message = fmt.Sprintf("%s; the scene has changed in the meantime, from version %d to %d", a.Message, m.sceneVersion, now.sceneVersion)
			return v.withheld(m, a)
		}
	}
}

// maxAttempts is how many times a motion is judged while the world keeps changing.
const maxAttempts = 3

// timeLeft reports whether work that takes twice as long as expected ends before ctx does.
func timeLeft(ctx context.Context, expected time.Duration) bool {
	deadline, ok := ctx.Deadline()
	return ctx.Err() == nil && (!ok || time.Until(deadline) > 2*expected)
}

// withheld is the answer, but UNDECIDED unless it is a contact if the world of the model may no
// longer be the surroundings.
func (v *validator) withheld(m *model, a *fcmsgs.Verdict) *fcmsgs.Verdict {
	if v.outdated == nil {
		return a
	}
	why := v.outdated(m)
	if why == "" || a.Status == fcmsgs.VerdictInvalid || a.Status == fcmsgs.VerdictUndecided {
		return a
	}
	for _, s := range [...]*fcmsgs.ScopeVerdict{&a.SelfVerdict, &a.WorldVerdict} {
		if s.Checked && s.Status != fcmsgs.ScopeVerdictContact {
			*s = fcmsgs.ScopeVerdict{Checked: true, Status: fcmsgs.ScopeVerdictUndecided, Message: oneline.Text(why, limit.TextBytes)}
		}
	}
	if a.Status == fcmsgs.VerdictContact {
		a.Message += "; besides, " + why
		return a
	}
	a.Status, a.Message, a.ProvenUntil, a.MinClearanceKnown = fcmsgs.VerdictUndecided, why, 0, false
	return a
}

// attempt judges the motion in the present world of the model, which it returns.
func (v *validator) attempt(ctx context.Context, q *question) (*model, *fcmsgs.Verdict) {
	m, absent := v.model()
	q.held, q.notes = nil, append([]string(nil), q.remarks...) // a restarted question begins with fresh notes
	q.prepare(m, v.state)
	measured := q.at.Positions // of one look: a second one may find the robot elsewhere
	if v.state == nil {
		measured = v.measured()
	}
	way, err := q.way(ctx, measured)
	if ctx.Err() != nil {
		return m, m.undecided(q, q.outOfTime(ctx))
	}
	if err != nil && !errors.Is(err, errNotKnown) {
		return m, m.invalid(q, err)
	}
	if m == nil {
		return m, m.undecided(q, absent)
	}
	if err == nil {
		way, q.held, err = m.complete(way, measured)
	}
	if errors.Is(err, errNotKnown) {
		return m, m.undecided(q, err.Error())
	}
	if err != nil {
		return m, m.invalid(q, err)
	}
	q.judged.model, q.judged.way = m, way
	query := q.query
	if q.tubed() {
		query.MaxContacts = 0 // a list is of one configuration
	}
	checker, err := m.checkerFor(ctx, q)
	if errors.Is(err, errNotKnown) {
		return m, m.undecided(q, err.Error())
	}
	if err != nil {
		return m, m.invalid(q, err)
	}
	verdict, touch, err := checker.CheckMargin(ctx, way, query)
	if err == nil && q.end != nil {
		touch, err = checkEnd(ctx, checker, q, way, &verdict, touch)
	}
	if err != nil {
		return m, m.invalid(q, err)
	}
	if ctx.Err() != nil {
		late(&verdict, q.outOfTime(ctx))
	}
	a := m.answer(q, way, &verdict, touch)
	m.excesses(ctx, a, q, way)
	if v.judged != nil {
		v.judged(m, way, a)
	}
	return m, a
}

// checkerFor returns the checker of the pairs that the question is about.
func (m *model) checkerFor(ctx context.Context, q *question) (*ccd.Checker, error) {
	if q.rootJoint != "" {
		return m.rootChecker(ctx, q.rootJoint)
	}
	if q.group == "" {
		return m.checker, nil
	}
	q.notes = append(q.notes, fmt.Sprintf("only pairs with a link that group %s names or moves, or with what such a link carries, were checked", q.group))
	return m.checker.OnlyGroup(q.group)
}

// outOfTime says why the context of an answer has ended.
func (q *question) outOfTime(ctx context.Context) string {
	if errors.Is(ctx.Err(), context.Canceled) {
		return stopped
	}
	return fmt.Sprintf("the deadline of %v passed", q.deadline)
}
