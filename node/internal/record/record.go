// Package record writes what a node publishes to a recording, beside the node: no message waits
// for the disk.
package record

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/msgs/cdr"
	"github.com/firstcontact-ros/firstcontact/rosbag"
)

// Recording is a file that is being written.
type Recording struct {
	file *rosbag.Recorder
	tell func(format string, args ...any) // logs a warning
	wake chan struct{}

	mu      sync.Mutex
	waiting []sample
	bytes   int    // of those waiting
	dropped uint64 // for want of room, since the last warning
	ended   bool   // nothing is taken any more
}

// sample is one message.
type sample struct {
	topic string
	of    cdr.TypeInfo
	at    time.Time
	data  []byte
}

// Start begins a recording in a file. Where the file exists, the recording goes to a numbered
// one beside it: what a node left that ended must not be lost to its successor.
func Start(file string, tell func(format string, args ...any)) (*Recording, error) {
	f, err := create(file)
	if err != nil {
		return nil, err
	}
	return &Recording{file: f, tell: tell, wake: make(chan struct{}, 1)}, nil
}

func create(file string) (*rosbag.Recorder, error) {
	const most = 10000
	stem := strings.TrimSuffix(file, filepath.Ext(file))
	name := file
	for i := 2; ; i++ {
		f, err := rosbag.Create(name)
		if !errors.Is(err, fs.ErrExist) || i > most {
			return f, err
		}
		name = fmt.Sprintf("%s_%d%s", stem, i, filepath.Ext(file))
	}
}

// Name is the path of the file.
func (r *Recording) Name() string { return r.file.Name() }

// Take records a message that was published or received now. It copies the data and does not
// wait; where the disk is too slow, messages are dropped, counted and told.
func (r *Recording) Take(topic string, of cdr.TypeInfo, data []byte) {
	s := sample{topic, of, time.Now(), append([]byte(nil), data...)}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended {
		return
	}
	if r.bytes+len(data) > limit.RecordingQueueBytes {
		r.dropped++
		return
	}
	r.waiting, r.bytes = append(r.waiting, s), r.bytes+len(data)
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// flushEvery is how much of a recording is lost at most where the process is killed.
const flushEvery = time.Second

// Run writes until the context ends, and then what was taken until then, and ends the file. An
// error of the file ends the recording with a warning, and not the node.
func (r *Recording) Run(ctx context.Context) error {
	tick := time.NewTicker(flushEvery)
	defer tick.Stop()
	for {
		var err error
		select {
		case <-ctx.Done():
			r.end(errors.Join(r.write(), r.file.Close()))
			return nil
		case <-r.wake:
			err = r.write()
		case <-tick.C:
			err = r.file.Flush()
			r.complain()
		}
		if err != nil {
			r.end(errors.Join(err, r.file.Close()))
			return nil
		}
	}
}

// write writes what waits.
func (r *Recording) write() error {
	r.mu.Lock()
	list := r.waiting
	r.waiting, r.bytes = nil, 0
	r.mu.Unlock()
	for i := range list {
		s := &list[i]
		if err := r.file.Write(s.topic, s.of, s.at, s.data); err != nil {
			return err
		}
	}
	return nil
}

func (r *Recording) end(err error) {
	r.mu.Lock()
	r.ended, r.waiting, r.bytes = true, nil, 0
	r.mu.Unlock()
	r.complain()
	if err != nil {
		r.tell("the recording has ended: %v", err)
	}
}

// complain tells how many messages were dropped since it last did.
func (r *Recording) complain() {
	r.mu.Lock()
	n := r.dropped
	r.dropped = 0
	r.mu.Unlock()
	if n > 0 {
		r.tell("%d messages are missing from the recording %s: the disk is too slow", n, r.file.Name())
	}
}
