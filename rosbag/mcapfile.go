package rosbag

import (
	"context"
	"fmt"
	"io"
	"math"

	"github.com/firstcontact-ros/firstcontact/internal/base/infile"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/rosbag/internal/mcap"
)

// mcapFile is an MCAP file, or one that is compressed as a whole.
type mcapFile struct {
	path       string
	compressed bool
}

func (m *mcapFile) name() string { return m.path }
func (m *mcapFile) close() error { return nil }

// open opens the file, which the caller closes, and returns its size.
func (m *mcapFile) open(ctx context.Context) (*infile.File, int64, error) {
	f, err := infile.Open(ctx, m.path, limit.BagBytes)
	if err != nil {
		return nil, 0, err
	}
	size, err := f.Size()
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, size, nil
}

// topics takes the word of the summary where there is one; read holds the file to it.
func (m *mcapFile) topics(ctx context.Context) ([]topic, error) {
	if !m.compressed {
		f, size, err := m.open(ctx)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		c, err := mcap.Summary(ctx, f, size)
		if err != nil {
			return nil, err
		}
		if c != nil {
			return topicsOf(c)
		}
	}
	return m.times(ctx)
}

func (m *mcapFile) times(ctx context.Context) ([]topic, error) {
	c, err := m.scan(ctx, mcap.Visitor{})
	if err != nil {
		return nil, err
	}
	return topicsOf(c)
}

func (m *mcapFile) scan(ctx context.Context, v mcap.Visitor) (*mcap.Contents, error) {
	f, size, err := m.open(ctx)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var r io.Reader = f
	if m.compressed {
		z, err := mcap.NewZstd()
		if err != nil {
			return nil, err
		}
		defer z.Close()
		if err := z.Reset(f); err != nil {
			return nil, err
		}
		r, size = z, -1
	}
	return mcap.Scan(ctx, r, size, v)
}

func topicsOf(c *mcap.Contents) ([]topic, error) {
	out := make([]topic, 0, len(c.Channels))
	for _, ch := range c.Channels {
		t := topicOf(ch)
		n := c.Counts[ch.ID]
		if n.Last > math.MaxInt64 {
			return nil, fmt.Errorf("topic %s was logged at %d ns, which is no time", t.name, n.Last)
		}
		t.count, t.first, t.last = n.Messages, int64(n.First), int64(n.Last)
		out = append(out, t)
	}
	return out, nil
}

func topicOf(ch *mcap.Channel) topic {
	return topic{
		name: ch.Topic, typ: fullType(ch.Schema.Name), encoding: ch.Encoding,
		definition: string(ch.Schema.Data), definitionEncoding: ch.Schema.Encoding,
	}
}

func (m *mcapFile) read(ctx context.Context, want func(*topic) bool, each func(*topic, entry) error) (cut string, err error) {
	channels := map[uint16]*topic{}
	of := func(ch *mcap.Channel) *topic {
		t := channels[ch.ID]
		if t == nil {
			made := topicOf(ch)
			t = &made
			channels[ch.ID] = t
		}
		return t
	}
	c, err := m.scan(ctx, mcap.Visitor{
		Want: func(ch *mcap.Channel) bool { return want(of(ch)) },
		Message: func(msg mcap.Message) error {
			if msg.LogTime > math.MaxInt64 {
				return fmt.Errorf("topic %s: a message was logged at %d ns, which is no time", msg.Channel.Topic, msg.LogTime)
			}
			return each(of(msg.Channel), entry{int64(msg.LogTime), msg.Data})
		},
	})
	if err != nil {
		return "", err
	}
	return c.CutShort, nil
}

// openCompressed tells what a file is that is compressed as a whole.
func openCompressed(ctx context.Context, path string) (file, error) {
	f, err := infile.Open(ctx, path, limit.BagBytes)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := mcap.NewZstd()
	if err != nil {
		return nil, err
	}
	defer z.Close()
	if err := z.Reset(f); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var head [len(sqliteMagic)]byte
	if n, err := io.ReadFull(z, head[:]); n < len(mcap.Magic) {
		return nil, fmt.Errorf("%s: is compressed by zstd and cannot be uncompressed: %w", path, err)
	}
	switch formatOf(head[:]) {
	case formatMCAP:
		return &mcapFile{path: path, compressed: true}, nil
	case formatSQLite:
		return &db3File{path: path, compressed: true}, nil
	}
	return nil, fmt.Errorf("%s: is compressed by zstd, and what is in it is no recording", path)
}
