// Package rosbag reads motions from recordings of ROS 2 topics, as ros2 bag record writes
// them: MCAP files and SQLite databases, whole folders of them with their metadata.yaml,
// compressed by file, by chunk or by message.
//
// A topic of joint states is one motion, which the robot made (package recording). A topic of
// trajectories or of goals has a motion for each message.
package rosbag

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/firstcontact-ros/firstcontact/internal/base/infile"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/motion/motionfile"
	"github.com/firstcontact-ros/firstcontact/rosbag/internal/db3"
	"github.com/firstcontact-ros/firstcontact/rosbag/internal/mcap"
)

// Options of Load; the zero value is the documented default.
type Options struct {
	// Topics are read, in this order, each named in full. Empty means the only topic
	// whose type is that of a motion; if there are several, Load fails and lists them.
	Topics []string
	// Motion says how messages become motions.
	Motion motionfile.Options
}

// How the files begin.
const (
	sqliteMagic = db3.Magic
	zstdMagic   = "\x28\xb5\x2f\xfd"
)

// Is reports whether path names a recording: a folder with files of a recording or with the
// metadata.yaml of one, or a file that begins as one. What cannot be read is none.
func Is(ctx context.Context, path string) bool {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return false
	case info.IsDir():
		files, _ := filesOf(path)
		return len(files) > 0 || hasMetadata(ctx, path)
	case !info.Mode().IsRegular():
		return false // reading from a pipe would take it from whom it is for
	}
	begin, err := beginning(ctx, path)
	return err == nil && begin != formatUnknown
}

// Begins reports whether data begins as a file of a recording does.
func Begins(data []byte) bool { return formatOf(data) != formatUnknown }

func isRegular(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// format tells what a file is, by its first bytes.
type format uint8

const (
	formatUnknown format = iota
	formatMCAP
	formatSQLite
	formatZstd
)

func formatOf(head []byte) format {
	switch s := string(head); {
	case strings.HasPrefix(s, mcap.Magic):
		return formatMCAP
	case strings.HasPrefix(s, sqliteMagic):
		return formatSQLite
	case strings.HasPrefix(s, zstdMagic):
		return formatZstd
	}
	return formatUnknown
}

func beginning(ctx context.Context, path string) (format, error) {
	f, err := infile.Open(ctx, path, limit.BagBytes)
	if err != nil {
		return formatUnknown, err
	}
	defer f.Close()
	if _, err := f.Size(); err != nil {
		return formatUnknown, err
	}
	var head [len(sqliteMagic)]byte
	n, err := f.ReadAt(head[:], 0)
	if n == 0 {
		return formatUnknown, err
	}
	return formatOf(head[:n]), nil
}

// Load reads the motions of a recording: of a file, or of a folder. Their ids are
// FILE:TOPIC, and FILE:TOPIC#N for the Nth message of a topic of trajectories.
//
// A recording that was cut short, as by a recorder that was killed, is read as far as it
// goes: its joint states leave a gap (premise.RecordingGap) at their end, its trajectories
// have a warning. Wrong checksums, messages that do not fit their definition and encodings
// other than CDR are errors, which name the file and the topic.
func Load(ctx context.Context, path string, opts Options) ([]motionfile.Loaded, error) {
	r, err := open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer r.close()
	chosen, err := r.choose(ctx, opts.Topics)
	if err != nil {
		return nil, err
	}
	out, err := r.load(ctx, chosen, opts)
	if err != nil && ctx.Err() != nil {
		return nil, fmt.Errorf("%s: %w", path, ctx.Err())
	}
	return out, err
}

// recording is a recording on disk.
type recording struct {
	path     string
	files    []file
	metadata *metadata // nil: there is none
	missing  string    // why it may lack its end although its files do not; may be empty
}

// file is one file of a recording.
type file interface {
	name() string
	// topics says what the file holds. Its times may be missing.
	topics(ctx context.Context) ([]topic, error)
	// times is like topics, and looks at every message for the times.
	times(ctx context.Context) ([]topic, error)
	// read calls each for the messages of wanted topics, in the order of the file. It
	// returns how the file is cut short, or "".
	read(ctx context.Context, want func(*topic) bool, each func(*topic, entry) error) (cut string, err error)
	close() error
}

// entry is a recorded message.
type entry struct {
	at   int64  // when it was recorded (ns)
	data []byte // valid until the next one
}

// topic is what a file says of a topic.
type topic struct {
	name, typ          string
	encoding           string // of its messages, such as cdr
	definition         string
	definitionEncoding string // such as ros2msg
	count              uint64
	first, last        int64 // ns; both zero: not known
}

func open(ctx context.Context, path string) (*recording, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	r := &recording{path: path}
	paths := []string{path}
	if info.IsDir() {
		if paths, err = r.openFolder(ctx); err != nil {
			return nil, err
		}
	}
	for _, p := range paths {
		f, err := openFile(ctx, p)
		if err != nil {
			return nil, err
		}
		r.files = append(r.files, f)
	}
	return r, nil
}

func openFile(ctx context.Context, path string) (file, error) {
	begin, err := beginning(ctx, path)
	if err != nil {
		return nil, err
	}
	switch begin {
	case formatMCAP:
		return &mcapFile{path: path}, nil
	case formatSQLite:
		return &db3File{path: path}, nil
	case formatZstd:
		return openCompressed(ctx, path)
	}
	return nil, fmt.Errorf("%s: is no recording: it begins neither as an MCAP file nor as an SQLite database", path)
}

// close ends the use of all files. There is nothing to do about an error: nothing was written
// that is to be kept.
func (r *recording) close() {
	for _, f := range r.files {
		_ = f.close()
	}
}

// topics joins what the files say, by topic.
func (r *recording) topics(ctx context.Context, list func(file) ([]topic, error)) ([]*topic, error) {
	var out []*topic
	for _, f := range r.files {
		topics, err := list(f)
		if err != nil {
			return nil, inFile(f, err)
		}
		for i := range topics {
			t := &topics[i]
			t.typ = fullType(t.typ)
			at := slices.IndexFunc(out, func(o *topic) bool { return o.name == t.name && o.typ == t.typ })
			if at < 0 {
				out = append(out, t)
				continue
			}
			out[at].join(t)
		}
	}
	slices.SortStableFunc(out, func(a, b *topic) int { return strings.Compare(a.name, b.name) })
	return out, ctx.Err()
}

// join adds the messages of another part of the topic.
func (t *topic) join(o *topic) {
	switch known := o.first != 0 || o.last != 0; {
	case t.count == 0:
		t.first, t.last = o.first, o.last
	case o.count > 0 && known && (t.first != 0 || t.last != 0):
		t.first, t.last = min(t.first, o.first), max(t.last, o.last)
	case o.count > 0:
		t.first, t.last = 0, 0
	}
	t.count += o.count
	if t.definition == "" {
		t.definition, t.definitionEncoding = o.definition, o.definitionEncoding
	}
}

// fullType writes sensor_msgs/JointState as sensor_msgs/msg/JointState.
func fullType(name string) string {
	if pkg, base, ok := strings.Cut(name, "/"); ok && !strings.Contains(base, "/") {
		return pkg + "/msg/" + base
	}
	return name
}

// inFile adds the file's name to an error that lacks it.
func inFile(f file, err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || strings.HasPrefix(err.Error(), f.name()) {
		return err
	}
	return fmt.Errorf("%s: %w", f.name(), err)
}
