package main

// #include "include/firstcontact.h"
import "C"

import (
	"context"
	"errors"
	"fmt"
	"unsafe"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/motion"
)

var background = context.Background()

//export goCheck
func goCheck(h C.uintptr_t, from, to *C.double, n C.size_t, q *C.fc_query, out *C.fc_verdict, t *C.char, size C.size_t) C.int {
	return guard("fc_check", text{t, size}, func() error {
		c, err := take[*checker]("checker", h)
		if err != nil {
			return err
		}
		start, err := c.configuration("from", from, n)
		if err != nil {
			return err
		}
		end, err := c.configuration("to", to, n)
		if err != nil {
			return err
		}
		l := c.lines.Get().(*line)
		defer c.lines.Put(l)
		l.between(start, end)
		l.motion.KeepTurns = keepsTurns(q)
		return c.check(&l.motion, q, out)
	})
}

//export goCheckState
func goCheckState(h C.uintptr_t, at *C.double, n C.size_t, q *C.fc_query, out *C.fc_verdict, t *C.char, size C.size_t) C.int {
	return guard("fc_check_state", text{t, size}, func() error {
		c, err := take[*checker]("checker", h)
		if err != nil {
			return err
		}
		where, err := c.configuration("at", at, n)
		if err != nil {
			return err
		}
		l := c.rests.Get().(*line)
		defer c.rests.Put(l)
		copy(l.numbers, where)
		return c.check(&l.motion, q, out)
	})
}

//export goCheckPath
func goCheckPath(h C.uintptr_t, points *C.double, count, n C.size_t, times *C.double, q *C.fc_query, out *C.fc_verdict, t *C.char, size C.size_t) C.int {
	return guard("fc_check_path", text{t, size}, func() error {
		c, err := take[*checker]("checker", h)
		if err != nil {
			return err
		}
		m, err := c.path(points, count, n, times, q)
		if err != nil {
			return err
		}
		err = c.check(m, q, out)
		if err == nil && times != nil {
			out.piece = C.int32_t(segment(floats(times, int(count)), int(out.piece)))
		}
		return err
	})
}

// segment returns which of the lines between a caller's points a piece of their path is: points
// that repeat the one before, at the same time, make no piece.
func segment(times []float64, piece int) int {
	for i := 1; i < len(times); i++ {
		if times[i] > times[i-1] {
			if piece == 0 {
				return i - 1
			}
			piece--
		}
	}
	return 0
}

// path makes the motion of a caller's points.
func (c *checker) path(points *C.double, count, n C.size_t, times *C.double, q *C.fc_query) (*motion.Motion, error) {
	numbers, err := c.configurations("points", points, count, n)
	if err != nil {
		return nil, err
	}
	if count == 0 {
		return nil, errMisuse("a path of no points")
	}
	waypoints := make([][]float64, count)
	for i := range waypoints {
		waypoints[i] = numbers[i*int(n) : (i+1)*int(n)]
	}
	var when []float64
	if times != nil {
		when = floats(times, int(count))
	}
	m, err := motion.Path(c.joints, waypoints, when)
	if err == nil {
		m.KeepTurns = keepsTurns(q)
	}
	return m, err
}

// check answers a caller's question about a motion.
func (c *checker) check(m *motion.Motion, q *C.fc_query, out *C.fc_verdict) error {
	query, err := readQuery(q)
	if err != nil {
		return err
	}
	if out == nil {
		return errMisuse("verdict is NULL")
	}
	now := c.now.Load()
	v, err := now.Check(background, m, query)
	if err != nil {
		return err
	}
	now.writeVerdict(out, &v)
	return nil
}

//export goCheckAll
func goCheckAll(h C.uintptr_t, segments *C.double, count, n C.size_t, q *C.fc_query, b *C.fc_batch, out *C.fc_verdict, before C.size_t, stopped *C.size_t, t *C.char, size C.size_t) C.int {
	return guard("fc_check_all", text{t, size}, func() error {
		c, err := take[*checker]("checker", h)
		if err != nil {
			return err
		}
		query, err := readQuery(q)
		if err != nil {
			return err
		}
		how, err := readBatch(b)
		if err != nil {
			return err
		}
		if count > most/2 {
			return errMisuse(fmt.Sprintf("%d motions are too many", uint64(count)))
		}
		numbers, err := c.configurations("segments", segments, 2*count, n)
		if err != nil {
			return err
		}
		if out == nil {
			return errMisuse("verdicts is NULL")
		}
		l := c.many.Get().(*lot)
		defer c.many.Put(l)
		motions := l.of(c, numbers, int(count), keepsTurns(q))
		now := c.now.Load()
		l.answers = now.CheckAll(background, motions, query, withRoom(how, l.answers))
		return now.writeAnswers(unsafe.Slice(out, int(count)), l.answers, int(before), how.StopAtContact, stopped)
	})
}

func withRoom(b ccd.Batch, room []ccd.Answer) ccd.Batch {
	b.Into = room
	return b
}

func readBatch(b *C.fc_batch) (ccd.Batch, error) {
	if b == nil {
		return ccd.Batch{}, nil
	}
	if err := sized("fc_batch", b.size, unsafe.Sizeof(*b)); err != nil {
		return ccd.Batch{}, err
	}
	if b.workers < 0 || b.workers > mostWorkers {
		return ccd.Batch{}, errMisuse(fmt.Sprintf("%d workers: give 1 to %d, or 0 for one for each processor", int32(b.workers), mostWorkers))
	}
	return ccd.Batch{Workers: int(b.workers), StopAtContact: b.stop_at_contact != 0}, nil
}

// mostWorkers of a batch: more than a machine has processors.
const mostWorkers = 4096

// writeAnswers writes the answers of a batch and returns the first error among them. stopped
// gets the place from 1 of the motion whose contact ended the batch; before is how many motions
// parts before it had.
func (w *within) writeAnswers(out []C.fc_verdict, answers []ccd.Answer, before int, stop bool, stopped *C.size_t) error {
	var first error
	for i := range answers {
		a := &answers[i]
		if a.Err == nil {
			w.writeVerdict(&out[i], &a.Verdict)
			if *stopped != 0 { // the answer's own reason counts motions of this part
				put(out[i].reason[:], fmt.Sprintf("not checked: motion %d of the batch is in contact", *stopped-1))
			}
			if stop && a.Verdict.Status == motion.Contact {
				*stopped = C.size_t(before+i) + 1
			}
			continue
		}
		put(out[i].reason[:], a.Err.Error())
		if first == nil {
			first = fmt.Errorf("motion %d of the batch: %w", before+i, a.Err)
		}
	}
	return first
}

//export goProfile
func goProfile(h C.uintptr_t, from, to *C.double, n C.size_t, q *C.fc_query, spans *C.fc_span, room C.size_t, count *C.size_t, t *C.char, size C.size_t) C.int {
	return guard("fc_profile", text{t, size}, func() error {
		c, err := take[*checker]("checker", h)
		if err != nil {
			return err
		}
		start, err := c.configuration("from", from, n)
		if err != nil {
			return err
		}
		end, err := c.configuration("to", to, n)
		if err != nil {
			return err
		}
		query, err := readQuery(q)
		if err != nil {
			return err
		}
		if count == nil || spans == nil && room > 0 {
			return errMisuse("spans or n_spans is NULL")
		}
		if query.Clearance != 0 {
			return errors.New("a profile is about distances, not about a clearance: leave query.clearance 0")
		}
		m, err := motion.Between(c.joints, start, end, 1)
		if err != nil {
			return err
		}
		m.KeepTurns = keepsTurns(q)
		now := c.now.Load()
		profile, err := now.Profile(background, m, motion.ProfileQuery{
			Tolerance: query.ClearanceTolerance, Budget: query.Budget, NoSelf: query.NoSelf, NoWorld: query.NoWorld,
		})
		if err != nil {
			return err
		}
		rests, err := now.premisesOf(m, query)
		if err != nil {
			return err
		}
		open, _ := gaps(rests)
		*count = C.size_t(len(profile.Spans))
		writeSpans(unsafe.Slice(spans, int(min(room, *count))), profile.Spans, open)
		return nil
	})
}
