package queue

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/firstcontact-ros/firstcontact/internal/base/progress"
	"github.com/firstcontact-ros/firstcontact/internal/batch"
)

// Submit has the chunks of a store that are not done checked by workers, and returns when all are. An error when none is left
// is about what the batch has left in the server. Extra options
// of the connection may be given, such as that of a server in this process.
func Submit(ctx context.Context, r *Remote, spec *Spec, store *batch.Store, more ...nats.Option) error {
	soon, stop := context.WithTimeoutCause(ctx, reaching, fmt.Errorf("tried for %v", reaching))
	nc, js, err := r.await(soon, "firstcontact batch", more...)
	stop()
	if err != nil {
		return err
	}
	defer nc.Close()
	s := &submitter{js: js, spec: spec, store: store, id: spec.Plan.ID(), waiting: map[int]time.Time{}}
	begin := func() error {
		if err := r.prepare(ctx, js); err != nil {
			return err
		}
		if s.objects, err = r.objects(ctx, js, s.id); err != nil {
			return err
		}
		return s.ship(ctx)
	}
	for _, do := range []func() error{begin, func() error { return s.collect(ctx) }} {
		if err := untilItPasses(ctx, do); err != nil {
			return err
		}
	}
	ctx, stop = context.WithTimeoutCause(ctx, cleaning, fmt.Errorf("tried for %v", cleaning))
	defer stop()
	return untilItPasses(ctx, func() error { return s.clean(ctx) })
}

type submitter struct {
	js      jetstream.JetStream
	objects jetstream.ObjectStore
	spec    *Spec
	store   *batch.Store
	id      string            // of the plan: two that divide the same motions otherwise do not meet
	next    int               // chunk that is offered next
	waiting map[int]time.Time // chunks that were offered, and when
	heard   time.Time         // when an answer came, or objects were looked at
}

// ship stores robot, scene and files, each once.
func (s *submitter) ship(ctx context.Context) error {
	defer func() { s.heard = time.Now() }()
	if err := putOnce(ctx, s.objects, "spec", s.spec.encode); err != nil {
		return fmt.Errorf("storing robot and scene: %w", err)
	}
	for i, file := range s.spec.Plan.Files {
		if s.spec.Plan.Sums[i] == "" {
			continue // it cannot be read: workers say so
		}
		err := putOnce(ctx, s.objects, objectOf(s.spec.Plan.Sums[i]), func() ([]byte, error) { return pack(ctx, file) })
		if err != nil {
			return fmt.Errorf("storing %s: %w", file.Path, err)
		}
	}
	return nil
}

func objectOf(sum string) string { return "file-" + sum }

// collect offers chunks and keeps answers until all are there.
func (s *submitter) collect(ctx context.Context) error {
	answers, err := s.js.CreateOrUpdateConsumer(ctx, doneStream, jetstream.ConsumerConfig{
		Durable: s.durable(), FilterSubject: s.answers(), AckPolicy: jetstream.AckExplicitPolicy, AckWait: ackWait,
	})
	if err != nil {
		return err
	}
	for s.store.Left() > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := s.offer(ctx)
		if err == nil && time.Since(s.heard) > silence { // workers may wait for what the server has lost
			soon, stop := context.WithTimeout(ctx, silence)
			err = s.ship(soon)
			stop()
		}
		if err == nil {
			err = s.gather(ctx, answers)
		}
		switch {
		case err != nil && !passing(err):
			return err
		case err != nil:
			// A queue that has gone answers as slow a server does: with nothing.
			if _, gone := s.js.Consumer(ctx, doneStream, s.durable()); errors.Is(gone, jetstream.ErrStreamNotFound) || errors.Is(gone, jetstream.ErrConsumerNotFound) {
				return fmt.Errorf("the queue of answers: %w", gone)
			}
			progress.Tell(ctx, progress.Step{What: waiting, Note: err.Error()})
			wait(ctx)
		}
		batch.Tell(ctx, s.store)
	}
	return nil
}

// gather keeps the answers that are there, or come soon.
func (s *submitter) gather(ctx context.Context, answers jetstream.Consumer) error {
	got, err := answers.Fetch(window, jetstream.FetchMaxWait(time.Second/2))
	if err != nil {
		return err
	}
	for m := range got.Messages() {
		s.heard = time.Now()
		if err := s.keep(ctx, m); err != nil && !passing(err) {
			return err
		}
	}
	if err := got.Error(); err != nil {
		return fmt.Errorf("the queue of answers: %w", err)
	}
	return nil
}

func (s *submitter) durable() string { return "batch-" + s.id[:short] }
func (s *submitter) answers() string { return doneWord + "." + s.id[:short] + ".>" }
func (s *submitter) chunks() string {
	return workWord + "." + s.spec.Program[:short] + "." + s.id[:short]
}

// clean removes what is left of the batch: objects, chunks that are being checked a second time, and answers to them.
func (s *submitter) clean(ctx context.Context) error {
	err := s.js.DeleteConsumer(ctx, doneStream, s.durable())
	if errors.Is(err, jetstream.ErrConsumerNotFound) {
		err = nil
	}
	for name, subject := range map[string]string{workStream: s.chunks() + ".>", doneStream: s.answers()} {
		stream, e := s.js.Stream(ctx, name)
		if e == nil {
			e = stream.Purge(ctx, jetstream.WithPurgeSubject(subject))
		}
		err = errors.Join(err, e)
	}
	if e := s.js.DeleteObjectStore(ctx, bucket(s.id)); !errors.Is(e, jetstream.ErrBucketNotFound) && !errors.Is(e, jetstream.ErrStreamNotFound) {
		err = errors.Join(err, e)
	}
	return err
}

// offer puts chunks into the queue, as many as the window allows, and those again that nobody has answered for
// long: if they wait still, the queue takes no second one.
func (s *submitter) offer(ctx context.Context) error {
	var late []int
	for chunk, since := range s.waiting {
		if s.store.Done(chunk) {
			delete(s.waiting, chunk)
		} else if time.Since(since) > offerAgain {
			late = append(late, chunk)
		}
	}
	if len(late) > 0 {
		if err := s.freeStale(ctx, late); err != nil {
			return err
		}
	}
	for _, chunk := range late {
		if err := s.put(ctx, chunk); err != nil {
			return err
		}
	}
	for ; len(s.waiting) < window && s.next < len(s.spec.Plan.Chunks); s.next++ {
		if s.store.Done(s.next) {
			continue
		}
		if err := s.put(ctx, s.next); err != nil {
			return err
		}
	}
	return nil
}

func (s *submitter) put(ctx context.Context, chunk int) error {
	err := publish(ctx, s.js, fmt.Sprintf("%s.%d", s.chunks(), chunk), []byte(s.id))
	if err == nil {
		s.waiting[chunk] = time.Now()
	}
	return err
}

// keep stores an answer on disk, and only then takes it from the queue.
func (s *submitter) keep(ctx context.Context, m jetstream.Msg) error {
	words := strings.Split(m.Subject(), ".")
	chunk, err := strconv.Atoi(words[len(words)-1])
	if err != nil {
		return fmt.Errorf("an answer to %s", m.Subject())
	}
	part := m.Data()
	if name, ok := reference(part); ok {
		if part, err = fetched(ctx, s.objects, name); err != nil {
			return fmt.Errorf("the answer to chunk %d: %w", chunk, err)
		}
	}
	if err := s.store.Put(ctx, chunk, part); err != nil {
		return err
	}
	return m.DoubleAck(ctx)
}

// refer is an answer that is too large for a message: the name of an object.
func refer(name string) []byte { return append(binary.BigEndian.AppendUint32(nil, referMark), name...) }

func reference(data []byte) (name string, ok bool) {
	if len(data) < 4 || binary.BigEndian.Uint32(data) != referMark {
		return "", false
	}
	return string(data[4:]), true
}

const referMark = 0x46435245
