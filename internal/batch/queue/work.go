package queue

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/firstcontact-ros/firstcontact/internal/base/outfile"
	"github.com/firstcontact-ros/firstcontact/internal/batch"
	"github.com/firstcontact-ros/firstcontact/internal/batch/dataset"
)

// Work checks chunks from the queue until ctx ends, one at a time, or until it has trouble of its own with several in a row. dir
// is a folder for what it has fetched; tell gets a line about each thing that a person should know.
func Work(ctx context.Context, r *Remote, program, dir string, tell func(string)) error {
	nc, js, err := r.await(ctx, "firstcontact worker")
	if err != nil {
		return err
	}
	defer nc.Close()
	w := &worker{js: js, dir: dir, limit: int(nc.MaxPayload()), program: program, tell: tell, sound: map[string]bool{}}
	var chunks jetstream.Consumer
	err = untilItPasses(ctx, func() error {
		chunks, err = r.chunks(ctx, js, program)
		return err
	})
	if err != nil {
		return err
	}
	for ctx.Err() == nil {
		if err = w.next(ctx, chunks); err != nil && ctx.Err() == nil {
			tell(fmt.Sprintf("waiting for the server: %v", err))
			select {
			case <-ctx.Done():
			case <-time.After(time.Second):
			}
			if again, err := r.chunks(ctx, js, program); err == nil { // it may have gone
				chunks = again
			}
		}
		if w.failures >= patience {
			return fmt.Errorf("this worker ends after trouble with %d chunks in a row, the last: %w", w.failures, w.trouble)
		}
	}
	return ctx.Err()
}

// atChunk is called before a chunk is checked: tests die there.
var atChunk = func(int) {}

// chunks returns what hands out the chunks of a program.
func (r *Remote) chunks(ctx context.Context, js jetstream.JetStream, program string) (jetstream.Consumer, error) {
	if err := (&Remote{}).prepare(ctx, js); err != nil {
		return nil, err
	}
	return js.CreateOrUpdateConsumer(ctx, workStream, jetstream.ConsumerConfig{
		Durable: workersOf(program), FilterSubject: workWord + "." + program[:short] + ".>",
		AckPolicy: jetstream.AckExplicitPolicy, AckWait: ackWait, MaxAckPending: 1 << 16,
	})
}

// workersOf is the consumer of the workers of a program.
func workersOf(program string) string { return "workers-" + program[:short] }

// next checks a chunk, if there is one.
func (w *worker) next(ctx context.Context, chunks jetstream.Consumer) error {
	got, err := chunks.Fetch(1, jetstream.FetchMaxWait(2*time.Second))
	if err != nil {
		return err
	}
	for m := range got.Messages() {
		w.handle(ctx, m)
	}
	return got.Error()
}

// worker is one batch at a time, as chunks come.
type worker struct {
	js      jetstream.JetStream
	dir     string
	limit   int // bytes of a message
	program string
	tell    func(string)

	failures int             // troubles in a row
	trouble  error           // the last
	sound    map[string]bool // folders of files whose content was found to be right

	id      string // of the plan
	spec    *Spec
	objects jetstream.ObjectStore
	subject *batch.Subject
	checker *batch.Checker
}

// handle checks the chunk of a message, stores the answer and takes the chunk from the queue. Trouble is none of the
// chunk's: it is given back without a count of the attempt, and the submitter offers it again. A chunk is counted only if
// the worker does not come back from it.
func (w *worker) handle(ctx context.Context, m jetstream.Msg) {
	stop := alive(m)
	defer stop()
	err := w.answer(ctx, m)
	switch {
	case err == nil:
		w.failures = 0
	case errors.Is(err, jetstream.ErrBucketNotFound):
		_ = m.Term() // of a batch that is over
	default:
		if ctx.Err() == nil {
			w.tell(fmt.Sprintf("chunk %s: %v", m.Subject(), err))
		}
		if ctx.Err() == nil && !ofServer(err) {
			w.failures++
			w.trouble = err
		}
		_ = m.Term() // without it the chunk comes again after ackWait
	}
}

// alive tells the server that a chunk is still being checked, until the result is called.
func alive(m jetstream.Msg) (stop func()) {
	done := make(chan struct{})
	var all sync.WaitGroup
	all.Add(1)
	go func() {
		defer all.Done()
		t := time.NewTicker(heartbeat)
		defer t.Stop()
		for {
			select {
			case <-done:
				return
			case <-t.C:
				_ = m.InProgress()
			}
		}
	}()
	return func() {
		close(done)
		all.Wait()
	}
}

func (w *worker) answer(ctx context.Context, m jetstream.Msg) error {
	words := strings.Split(m.Subject(), ".")
	chunk, err := strconv.Atoi(words[len(words)-1])
	if err != nil {
		return err
	}
	if err := w.take(ctx, string(m.Data())); err != nil {
		return err
	}
	if chunk < 0 || chunk >= len(w.spec.Plan.Chunks) {
		return fmt.Errorf("there is no chunk %d", chunk)
	}
	meta, err := m.Metadata()
	if err != nil {
		return err
	}
	var part []byte
	if meta.NumDelivered >= deliveries {
		reason := fmt.Sprintf("%d times a worker failed at the chunk that this motion is in, or did not come back from it", deliveries-1)
		w.tell(fmt.Sprintf("chunk %d is set aside: %s", chunk, reason))
		part = batch.Aside(w.spec.Plan, w.subject.Judge, chunk, reason)
	} else {
		if err := w.fetch(ctx, chunk); err != nil {
			return err
		}
		atChunk(chunk)
		if part, err = w.checker.Part(ctx, chunk); err != nil {
			w.forget(chunk)
			return err
		}
	}
	if err := w.store(ctx, chunk, part); err != nil {
		return err
	}
	return m.DoubleAck(ctx)
}

// take makes the batch with an ID the worker's own.
func (w *worker) take(ctx context.Context, id string) error {
	if id == w.id {
		return nil
	}
	if len(id) < short {
		return errors.New("a chunk without a batch")
	}
	objects, err := w.js.ObjectStore(ctx, bucket(id))
	if err != nil {
		return err
	}
	data, err := fetched(ctx, objects, "spec")
	if err != nil {
		return err
	}
	spec := &Spec{}
	if err := gob.NewDecoder(bytes.NewReader(data)).Decode(spec); err != nil {
		return fmt.Errorf("the batch's description: %w", err)
	}
	if spec.Program != w.program || spec.Plan == nil || spec.Plan.ID() != id || spec.Robot == nil {
		return errors.New("the batch is of another program")
	}
	home := filepath.Join(w.dir, id[:short])
	if err := outfile.Folder(home); err != nil {
		return err
	}
	subject, err := spec.subject(ctx, home)
	if err != nil {
		return err
	}
	w.id, w.spec, w.objects, w.subject = id, spec, objects, subject
	w.checker = batch.NewChecker(subject, spec.Plan)
	w.checker.Local = w.local
	return nil
}

// local is where a file of the batch is on this machine.
func (w *worker) local(file int) dataset.File {
	sum := w.spec.Plan.Sums[file]
	if sum == "" {
		return w.spec.Plan.Files[file]
	}
	return dataset.At(w.spec.Plan.Files[file], filepath.Join(w.dir, sum))
}

// fetch brings the files of a chunk to this machine, and makes sure of their content, once.
func (w *worker) fetch(ctx context.Context, chunk int) error {
	for _, span := range w.spec.Plan.Chunks[chunk].Spans {
		sum := w.spec.Plan.Sums[span.File]
		if sum == "" || w.sound[sum] {
			continue
		}
		is, err := batch.Sum(ctx, w.local(span.File))
		if err == nil && is == sum { // of an earlier run
			w.sound[sum] = true
			continue
		}
		data, err := fetched(ctx, w.objects, objectOf(sum))
		if err != nil {
			return err
		}
		if err := os.RemoveAll(filepath.Join(w.dir, sum)); err != nil {
			return err
		}
		if err := unpack(ctx, data, filepath.Join(w.dir, sum)); err != nil {
			return err
		}
		if is, err = batch.Sum(ctx, w.local(span.File)); err != nil || is != sum {
			return fmt.Errorf("%s as it was fetched: %w", w.spec.Plan.Files[span.File].Path, errors.Join(err, batch.ErrContent))
		}
		w.sound[sum] = true
	}
	return nil
}

// forget has the files of a chunk looked at again.
func (w *worker) forget(chunk int) {
	for _, span := range w.spec.Plan.Chunks[chunk].Spans {
		delete(w.sound, w.spec.Plan.Sums[span.File])
	}
}

// store sends an answer, as a message or, if it is too large, as an object.
func (w *worker) store(ctx context.Context, chunk int, part []byte) error {
	if len(part) > w.limit-1024 {
		name := fmt.Sprintf("part-%d", chunk)
		if err := putOnce(ctx, w.objects, name, func() ([]byte, error) { return part, nil }); err != nil {
			return err
		}
		part = refer(name)
	}
	return publish(ctx, w.js, fmt.Sprintf("%s.%s.%d", doneWord, w.id[:short], chunk), part)
}
