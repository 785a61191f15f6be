package rosbag

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/klauspost/compress/zstd"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/motion/motionfile"
	"github.com/firstcontact-ros/firstcontact/msgs/dynamic"
)

// consumer makes motions of the messages of a topic.
type consumer interface {
	add(m dynamic.Message, at int64) error
	// motions is called once, at the end.
	motions(missing loss) ([]motionfile.Loaded, error)
}

// loss says how messages of a recording are missing; the zero value says that none are.
type loss struct {
	why      string
	anywhere bool // not only at the end
}

// reading is a topic that is being read.
type reading struct {
	*topic
	typ    *dynamic.Type
	notes  []string
	into   consumer
	number uint64 // of messages
}

// load reads the chosen topics.
func (r *recording) load(ctx context.Context, chosen []*topic, opts Options) ([]motionfile.Loaded, error) {
	topics := make([]*reading, len(chosen))
	for i, t := range chosen {
		var err error
		if topics[i], err = r.begin(ctx, t, opts.Motion); err != nil {
			return nil, err
		}
	}
	find := func(t *topic) *reading {
		i := slices.IndexFunc(topics, func(c *reading) bool { return c.name == t.name && c.topic.typ == t.typ })
		if i < 0 {
			return nil
		}
		return topics[i]
	}
	u := &unpacker{}
	defer u.close()
	missing := loss{why: r.missing}
	for i, f := range r.files {
		short, err := f.read(ctx, func(t *topic) bool { return find(t) != nil }, func(t *topic, e entry) error {
			c := find(t)
			c.number++
			if err := c.take(t, e, u); err != nil {
				return fmt.Errorf("%s: message %d: %w", c.name, c.number, err)
			}
			return ctx.Err()
		})
		if err != nil {
			return nil, inFile(f, err)
		}
		if short != "" {
			missing.why = fmt.Sprintf("%s: %s", filepath.Base(f.name()), short)
			missing.anywhere = missing.anywhere || i < len(r.files)-1
		}
	}
	return r.finish(topics, missing)
}

// finish collects the motions.
func (r *recording) finish(topics []*reading, missing loss) ([]motionfile.Loaded, error) {
	var out []motionfile.Loaded
	for _, t := range topics {
		lost := missing
		if lost.why == r.missing { // no file says where messages are missing
			if few := r.tooFew(t); few != "" {
				lost = loss{few, true}
			}
		}
		loaded, err := t.into.motions(lost)
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", r.path, t.name, err)
		}
		for i := range loaded {
			loaded[i].Warnings = append(loaded[i].Warnings, t.notes...)
		}
		if out = append(out, loaded...); len(out) > limit.BagMotions {
			return nil, fmt.Errorf("%s: has more than %d motions, the limit: cut it into parts", r.path, limit.BagMotions)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s: has no motion in the topics that were chosen: their messages have no points", r.path)
	}
	return out, nil
}

// tooFew says that fewer messages of a topic were read than the recording tells of.
func (r *recording) tooFew(t *reading) string {
	said, by := t.count, "the summary"
	if r.metadata != nil && r.metadata.counts[t.name] > said {
		said, by = r.metadata.counts[t.name], metadataName
	}
	if t.number >= said {
		return ""
	}
	return fmt.Sprintf("%s tells of %d messages of %s, and %d are there", by, said, t.name, t.number)
}

// begin prepares the reading of a topic.
func (r *recording) begin(ctx context.Context, t *topic, opts motionfile.Options) (*reading, error) {
	c := &reading{topic: t}
	var err error
	if c.typ, c.notes, err = t.decoder(); err != nil {
		return nil, fmt.Errorf("%s: topic %s: %w", r.path, t.name, err)
	}
	id := filepath.Base(filepath.Clean(r.path)) + ":" + t.name
	switch kinds[t.typ] {
	case jointState:
		c.into = newStates(id, opts)
	case goals:
		c.into = &goalList{list: list{ctx: ctx, id: id, opts: opts}, seen: map[goalID]bool{}}
	default:
		c.into = &list{ctx: ctx, id: id, opts: opts}
	}
	return c, nil
}

// decoder returns what reads the messages of a topic.
func (t *topic) decoder() (*dynamic.Type, []string, error) {
	if t.encoding != "cdr" {
		return nil, nil, fmt.Errorf("its messages are encoded as %q: only cdr is read, which ros2 bag record writes; convert the recording with ros2 bag convert, or record the topic again", t.encoding)
	}
	if t.definitionEncoding == "ros2msg" && t.definition != "" {
		d, err := dynamic.Parse(t.typ, t.definition)
		return d, nil, err
	}
	d, ok := dynamic.Known(t.typ)
	if !ok {
		return nil, nil, fmt.Errorf("the definition of %s is not in the recording", t.typ)
	}
	return d, []string{"the recording does not define " + t.typ + ": its definition in ROS 2 Humble and later is used"}, nil
}

// take decodes a message.
func (c *reading) take(t *topic, e entry, u *unpacker) error {
	if t.encoding != c.encoding || t.definition != "" && t.definition != c.definition {
		return errors.New("the files of the recording define the topic differently: read them one by one")
	}
	data, err := u.unpack(e.data)
	if err != nil {
		return err
	}
	m, err := c.typ.Decode(data)
	if err != nil {
		return err
	}
	return c.into.add(m, e.at)
}

// unpacker uncompresses messages that are compressed one by one.
type unpacker struct {
	zstd *zstd.Decoder
	buf  []byte
}

// unpack returns data, uncompressed. CDR never begins as zstd does.
func (u *unpacker) unpack(data []byte) ([]byte, error) {
	if !bytes.HasPrefix(data, []byte(zstdMagic)) {
		return data, nil
	}
	if u.zstd == nil {
		var err error
		if u.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(limit.BagMessageBytes)); err != nil {
			return nil, err
		}
	}
	var err error
	if u.buf, err = u.zstd.DecodeAll(data, u.buf[:0]); err != nil {
		return nil, fmt.Errorf("is compressed and cannot be uncompressed: %w", err)
	}
	return u.buf, nil
}

func (u *unpacker) close() {
	if u.zstd != nil {
		u.zstd.Close()
	}
}
