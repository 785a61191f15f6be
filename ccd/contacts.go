package ccd

import (
	"context"
	"math"
	"reflect"

	methods "github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/distance"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// beyondTouching (m) is by how much more than clearance and tolerance the list of contacts
// looks around itself. Bounds of a distance are motion.DistanceRounding apart, or
// Distances.Rounding where that is more: a pair that is not found within this is farther
// apart than the limit as long as both are less.
const beyondTouching = 1e-9

// listContacts lists what touches at v.TOC.Hi, by a distance query there. It covers every
// checked pair, those that are proved never to come within the clearance too, as the
// tolerance is beyond that.
func (c *Checker) listContacts(ctx context.Context, m *motion.Motion, q *motion.Query, v *motion.Verdict) error {
	first := v.Contact
	c.CompleteFeatures(&first)
	v.Contacts, v.MoreContacts = append(v.Contacts[:0], first), true
	limit := q.Clearance + methods.OrDefault(q.Tolerance, motion.DefaultTolerance)
	e, m, l, err := c.prepare(m, q.NoSelf, q.NoWorld)
	if err != nil {
		return err
	}
	if !e.covers(limit + beyondTouching) {
		if e, err = e.all(); err != nil {
			return err
		}
	}
	s, err := c.contactScope(e.model, motion.DistanceQuery{
		K: min(q.MaxContacts, math.MaxInt-1) + 1, NoSelf: q.NoSelf, NoWorld: q.NoWorld,
		DistanceRanges: motion.DistanceRanges{Max: limit + beyondTouching},
	})
	if err != nil {
		return err
	}
	if !q.Deadline.IsZero() {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, q.Deadline)
		defer cancel()
	}
	w := e.pool.get()
	defer e.pool.put(w)
	var near motion.Distances
	if err := w.MeasureAt(ctx, w.Bind(m, c.state, l.rows), v.Piece, v.TOC.Hi, s, &near); err != nil {
		return nil // the list is not known to be complete, which it says
	}
	c.noteContacts(q, v, &near, limit)
	return nil
}

// noteContacts lists the pairs that a distance query at v.TOC.Hi has found.
func (c *Checker) noteContacts(q *motion.Query, v *motion.Verdict, near *motion.Distances, limit float64) {
	v.MoreContacts = max(near.Rounding, motion.DistanceRounding) > beyondTouching
	for i := range near.Pairs {
		w := near.Pairs[i].Witness
		switch {
		case w.Pair == v.Contact.Pair, near.Pairs[i].Bounds.Lo > limit:
		case len(v.Contacts) >= q.MaxContacts:
			v.MoreContacts = true
		default:
			w.Time = v.TOC.Hi
			c.CompleteFeatures(&w)
			v.Contacts = append(v.Contacts, w)
		}
	}
}

// contactScope makes the query of a list ready for a model, or takes that of the last list
// if it is the same.
func (c *Checker) contactScope(m *model.Model, q motion.DistanceQuery) (*distance.Scope, error) {
	if a := c.touchings.Load(); a != nil && a.model == m && reflect.DeepEqual(a.q, q) {
		return a.scope, nil
	}
	s, err := distance.NewScope(m, q, nil)
	if err != nil {
		return nil, err
	}
	c.touchings.Store(&asked{q: q, model: m, scope: s})
	return s, nil
}
