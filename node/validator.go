package node

import (
	"context"
	"errors"
	"fmt"

	"github.com/firstcontact-ros/firstcontact/internal/limit"

	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
)

// validator answers questions about motions, one after another in the order in
// which they came: the monitor keeps a processor for itself. Every question gets
// an answer, and every answer is published.
type validator struct {
	model    func() (*model, string) // nil, and why
	measured func() map[string]float64
	publish  func(*fcmsgs.Verdict)
	waiting  chan asked
}

// asked is a question that waits; told, where not nil, takes its answer too.
type asked struct {
	*question
	told func(*fcmsgs.Verdict)
}

func newValidator(model func() (*model, string), measured func() map[string]float64, publish func(*fcmsgs.Verdict)) *validator {
	return &validator{model: model, measured: measured, publish: publish, waiting: make(chan asked, limit.WaitingQuestions)}
}

// ask queues a question.
func (v *validator) ask(q *question, told func(*fcmsgs.Verdict)) {
	select {
	case v.waiting <- asked{q, told}:
	default:
		m, _ := v.model()
		v.tell(asked{q, told}, m.undecided(q, fmt.Sprintf("%d questions wait already: ask again later", limit.WaitingQuestions)))
	}
}

func (v *validator) tell(q asked, a *fcmsgs.Verdict) {
	v.publish(a)
	if q.told != nil {
		q.told(a)
	}
}

// run answers until the context ends, and then tells those who still wait that
// there will be no answer. After a fault of this program it ends with an error.
func (v *validator) run(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return v.dismiss()
		case q := <-v.waiting:
			if err := v.serve(ctx, q); err != nil {
				return err
			}
		}
	}
}

func (v *validator) dismiss() error {
	for {
		select {
		case q := <-v.waiting:
			m, _ := v.model()
			v.tell(q, m.undecided(q.question, stopped))
		default:
			return nil
		}
	}
}

const stopped = "the node has stopped"

func (v *validator) serve(ctx context.Context, q asked) error {
	var a *fcmsgs.Verdict
	err := guarded(func() error {
		a = v.answer(ctx, q.question)
		return nil
	})
	if err != nil {
		m, _ := v.model()
		a = m.undecided(q.question, "a fault of this program: "+ErrInternal.Error())
	}
	v.tell(q, a)
	return err
}

// answer judges the motion that the question is about.
func (v *validator) answer(ctx context.Context, q *question) *fcmsgs.Verdict {
	m, absent := v.model()
	measured := v.measured()
	way, err := q.way(measured)
	if err != nil && !errors.Is(err, errNotKnown) {
		return m.invalid(q, err)
	}
	if m == nil {
		return m.undecided(q, absent)
	}
	if err == nil {
		way, q.held, err = m.complete(way, measured)
	}
	if errors.Is(err, errNotKnown) {
		return m.undecided(q, err.Error())
	}
	if err != nil {
		return m.invalid(q, err)
	}
	ctx, cancel := context.WithTimeout(ctx, q.deadline)
	defer cancel()
	verdict, touch, err := m.checker.CheckMargin(ctx, way, q.query)
	if err != nil {
		return m.invalid(q, err)
	}
	if now, _ := v.model(); now != m {
		return m.undecided(q, "the model has changed in the meantime: ask again")
	}
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		verdict.Reason = stopped
	case ctx.Err() != nil:
		verdict.Reason = fmt.Sprintf("the deadline of %v passed", q.deadline)
	}
	return m.answer(q, way, &verdict, touch)
}
