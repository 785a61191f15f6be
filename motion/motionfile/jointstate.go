package motionfile

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"

	"github.com/firstcontact-ros/firstcontact/internal/base/document"
	"github.com/firstcontact-ros/firstcontact/internal/base/progress"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/motion/recording"
	"github.com/firstcontact-ros/firstcontact/premise"
)

// recorder returns what makes a motion of measured positions.
func (r *reader) recorder(joints []string) *recording.Builder {
	return recording.New(recording.Options{Joints: joints, MaxGap: r.opts.MaxGap, Continuous: r.opts.Continuous})
}

// recorded returns the motion of a recording. If it is cut short, cut says where.
func (r *reader) recorded(b *recording.Builder, cut string, notes ...string) ([]Loaded, error) {
	rec, err := b.Motion()
	if err != nil && cut != "" {
		return nil, fmt.Errorf("%s: %w (%s)", r.name, err, cut)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.name, err)
	}
	if cut != "" {
		rec.Motion.Gaps = append(rec.Motion.Gaps, premise.Premise{
			Kind: premise.RecordingGap, Names: []string{filepath.Base(r.name)}, Value: rec.Motion.Duration(),
			Detail: "the recording is cut short: " + cut + ", and what follows is not known",
			Remedy: "copy or record it again, or end the file as its program does",
		})
	}
	out := []Loaded{{
		Motion: rec.Motion, Interpolation: motion.StraightLines, Measured: true,
		Warnings: append(append(rec.Notes, "time 0 is the stamp "+recording.Seconds(rec.Start)+" s"), notes...),
	}}
	r.number(out)
	return out, nil
}

// isJointState tells a sensor_msgs/JointState from other messages.
func isJointState(f document.Fields) bool {
	return f.Has("name") && f.HasAny("position", "velocity", "effort") && !f.Has("joint_names")
}

// lost begins what ros2 topic echo prints among the messages where one was lost.
const lost = "A message was lost!!!"

// dropLost blanks the lines that tell of lost messages, and counts them.
func dropLost(data []byte) ([]byte, int) {
	if !bytes.Contains(data, []byte(lost)) {
		return data, 0
	}
	out := make([]byte, 0, len(data))
	n, within := 0, false
	for line := range bytes.Lines(data) {
		switch {
		case bytes.HasPrefix(line, []byte(lost)):
			n++
			within = true
		case within && bytes.HasPrefix(line, []byte("\t")):
			within = !bytes.HasSuffix(bytes.TrimSpace(line), []byte("---"))
		case within && bytes.Equal(bytes.TrimSpace(line), []byte("---")):
			within = false
		default:
			within = false
			out = append(out, line...)
			continue
		}
		out = append(out, '\n')
	}
	return out, n
}

// lostNote tells of lost messages. What they measured is missing: the intervals show it.
func lostNote(n int) []string {
	if n == 0 {
		return nil
	}
	return []string{fmt.Sprintf("ros2 topic echo reports lost messages %d times", n)}
}

// yamlRecording reads JointState messages as ros2 topic echo prints them, one after the
// other, so that a long recording is never held as a whole.
func (r *reader) yamlRecording(ctx context.Context, data []byte) ([]Loaded, error) {
	data, missing := dropLost(data)
	b := r.recorder(r.opts.Joints)
	whole, last := endOf(data)
	cut := ""
	if last > 0 {
		cut = fmt.Sprintf("its last message, from line %d on, does not end with ---", last)
	}
	step := progress.Step{What: "reading " + r.name, Total: int64(len(whole)), Unit: progress.Bytes}
	defer progress.Tell(ctx, progress.Step{})
	for lines, part := range documentsOf(whole) {
		step.Done += int64(len(part))
		progress.Tell(ctx, step)
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("%s: %w", r.name, err)
		}
		docs, err := document.ParseAt(r.name, lines, part)
		if err != nil {
			return nil, err
		}
		for _, doc := range docs {
			if err := addJointState(b, doc); err != nil {
				return nil, err
			}
		}
	}
	return r.recorded(b, cut, lostNote(missing)...)
}

// endOf returns the text up to the last line --- and, if something follows that, the line at
// which it begins: ros2 topic echo ends every message with that line.
func endOf(data []byte) (whole []byte, last int) {
	end, lines, at := 0, 0, 0
	for line := range bytes.Lines(data) {
		at += len(line)
		lines++
		if string(bytes.TrimRight(line, " \t\r\n")) == "---" {
			end, last = at, lines+1
		}
	}
	if len(bytes.TrimSpace(data[end:])) == 0 {
		return data, 0
	}
	return data[:end], max(last, 1)
}

// unended begins what is said of a last line that does not end.
const unended = "its last line does not end"

// wholeRows returns the lines that end, and says if another one follows.
func wholeRows(data []byte) (whole []byte, cut string) {
	end := bytes.LastIndexByte(data, '\n') + 1
	if len(bytes.TrimSpace(data[end:])) == 0 {
		return data, ""
	}
	return data[:end], unended + " and is left out"
}

// documentsOf yields the documents of a YAML stream, each with the number of lines
// before it.
func documentsOf(data []byte) func(yield func(int, []byte) bool) {
	return func(yield func(int, []byte) bool) {
		begin, first, at, lines := 0, 0, 0, 0
		for line := range bytes.Lines(data) {
			if string(bytes.TrimRight(line, " \t\r\n")) == "---" {
				if !yield(first, data[begin:at]) {
					return
				}
				begin, first = at+len(line), lines+1
			}
			at += len(line)
			lines++
		}
		yield(first, data[begin:])
	}
}

// messages reads JointState messages that are parsed already, as JSON.
func (r *reader) messages(docs []document.Value) ([]Loaded, error) {
	b := r.recorder(r.opts.Joints)
	for _, doc := range docs {
		if err := addJointState(b, doc); err != nil {
			return nil, err
		}
	}
	return r.recorded(b, "")
}

func addJointState(b *recording.Builder, v document.Value) error {
	f, err := v.Fields("JointState", "header", "name", "position", "velocity", "effort")
	if err != nil {
		return err
	}
	header, err := f.Need("JointState", "header")
	if err != nil {
		return err
	}
	at, err := stamp(header)
	if err != nil {
		return err
	}
	names, err := document.Optional(f, "name", document.Value.Strs)
	if err != nil {
		return err
	}
	positions, err := document.Optional(f, "position", document.Value.Measured)
	if err != nil {
		return err
	}
	if err := b.Add(at, names, positions); err != nil {
		return v.Errorf("JointState %w", err)
	}
	return nil
}

// stamp reads the time of a std_msgs/Header in nanoseconds.
func stamp(v document.Value) (int64, error) {
	f, err := v.Fields("header", "stamp", "frame_id", "seq")
	if err != nil {
		return 0, err
	}
	s, err := f.Need("header", "stamp")
	if err != nil {
		return 0, err
	}
	f, err = s.Fields("stamp", "sec", "nanosec", "secs", "nsecs")
	if err != nil {
		return 0, err
	}
	return nanoseconds(f, "stamp")
}

// isEcho tells a recording as ros2 topic echo prints it: its first document has a
// JointState's keys, each at the beginning of a line.
func isEcho(data []byte) bool {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	keys := map[string]bool{}
	for line := range bytes.Lines(data) {
		line = bytes.TrimRight(line, " \t\r\n")
		switch {
		case string(line) == "---" && len(keys) > 0:
			return isEchoed(keys)
		case bytes.HasPrefix(line, []byte("{")), bytes.HasPrefix(line, []byte("[")):
			return false
		}
		if key, _, ok := bytes.Cut(line, []byte(":")); ok && len(key) > 0 && len(key) < 20 && key[0] >= 'a' && key[0] <= 'z' {
			keys[string(key)] = true
		}
	}
	return isEchoed(keys)
}

func isEchoed(keys map[string]bool) bool {
	return keys["header"] && keys["name"] && (keys["position"] || keys["velocity"] || keys["effort"])
}
