package rosbag

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/outfile"
	"github.com/firstcontact-ros/firstcontact/msgs/cdr"
	"github.com/firstcontact-ros/firstcontact/msgs/definition"
	"github.com/firstcontact-ros/firstcontact/rosbag/internal/mcap"
)

// Recorder writes messages of topics to an MCAP file, in the form of rosbag2, which
// `ros2 bag play` and viewers such as Foxglove read. A file whose writer was killed holds what was
// written before the last Flush. Methods may be called from any goroutine.
type Recorder struct {
	name     string
	mu       sync.Mutex
	file     io.Closer // nil if the writer is another's
	out      *mcap.Writer
	channels map[string]uint16 // by topic
}

// Create begins a recording. It is an error if the file exists: a recording is not overwritten.
func Create(file string) (*Recorder, error) {
	f, err := outfile.Create(file)
	if errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("recording %s exists and is not overwritten: remove it, or name another: %w", file, fs.ErrExist)
	}
	if err != nil {
		return nil, fmt.Errorf("recording: %w", err)
	}
	r, err := NewRecorder(file, f)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	r.file = f
	return r, nil
}

// NewRecorder begins a recording in w, which Close does not close. The name is for errors.
func NewRecorder(name string, w io.Writer) (*Recorder, error) {
	out, err := mcap.NewWriter(w, "ros2", "firstcontact")
	if err != nil {
		return nil, fmt.Errorf("recording %s: %w", name, err)
	}
	return &Recorder{name: name, out: out, channels: map[string]uint16{}}, nil
}

// Message records a message, which is encoded here.
func (r *Recorder) Message(topic string, m cdr.Message, at time.Time) error {
	data, err := cdr.AppendMarshal(nil, m)
	if err != nil {
		return fmt.Errorf("recording %s: topic %s: %w", r.name, topic, err)
	}
	return r.Write(topic, m.ROSType(), at, data)
}

// Write records an encoded message of a topic: the encapsulation header and the CDR body. All
// messages of a topic have one type. at is when it was published and recorded.
func (r *Recorder) Write(topic string, of cdr.TypeInfo, at time.Time, data []byte) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	id, ok := r.channels[topic]
	if !ok {
		text, err := definition.Of(of.ROSName())
		if err != nil {
			return fmt.Errorf("recording %s: topic %s: %w", r.name, topic, err)
		}
		id, err = r.out.AddChannel(mcap.Channel{
			Topic: topic, Encoding: "cdr",
			Schema:   mcap.Schema{Name: of.ROSName(), Encoding: definition.Encoding, Data: []byte(text)},
			Metadata: map[string]string{"offered_qos_profiles": "", "topic_type_hash": of.Hash},
		})
		if err != nil {
			return r.named(err)
		}
		r.channels[topic] = id
	}
	ns := uint64(max(at.UnixNano(), 0))
	return r.named(r.out.Write(id, ns, ns, data))
}

// Flush writes what has been recorded to the file.
func (r *Recorder) Flush() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.named(r.out.Flush())
}

// Close ends the file.
func (r *Recorder) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	err := r.out.Close()
	if r.file != nil {
		err = errors.Join(err, r.file.Close())
	}
	return r.named(err)
}

// Name is the path of the file.
func (r *Recorder) Name() string { return r.name }

func (r *Recorder) named(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("recording %s: %w", r.name, err)
}
