package rosbag

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/firstcontact-ros/firstcontact/internal/base/infile"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/base/progress"
	"github.com/firstcontact-ros/firstcontact/rosbag/internal/db3"
	"github.com/firstcontact-ros/firstcontact/rosbag/internal/mcap"
)

// db3File is an SQLite database, or one that is compressed as a whole.
type db3File struct {
	path       string
	compressed bool
	plain      *os.File // uncompressed, without a name; nil until it is needed
}

func (d *db3File) name() string { return d.path }

func (d *db3File) close() error {
	if d.plain == nil {
		return nil
	}
	return d.plain.Close()
}

func (d *db3File) times(ctx context.Context) ([]topic, error) { return d.topics(ctx) }

func (d *db3File) topics(ctx context.Context) (out []topic, err error) {
	err = d.with(ctx, func(db *db3.DB) error {
		list, err := db.Topics(ctx)
		for _, t := range list {
			out = append(out, topicOfTable(t))
		}
		return err
	})
	return out, err
}

func topicOfTable(t db3.Topic) topic {
	return topic{
		name: t.Name, typ: fullType(t.Type), encoding: t.Encoding,
		definition: t.Definition, definitionEncoding: t.DefinitionEncoding,
		count: t.Count, first: t.First, last: t.Last,
	}
}

func (d *db3File) read(ctx context.Context, want func(*topic) bool, each func(*topic, entry) error) (cut string, err error) {
	return "", d.with(ctx, func(db *db3.DB) error {
		list, err := db.Topics(ctx)
		if err != nil {
			return err
		}
		wanted := map[int64]*topic{}
		var ids []int64
		step := progress.Step{What: "reading " + d.path, Unit: "messages"}
		for _, t := range list {
			if made := topicOfTable(t); t.Count > 0 && want(&made) {
				wanted[t.ID] = &made
				ids = append(ids, t.ID)
				step.Total += int64(min(t.Count, math.MaxInt32))
			}
		}
		defer progress.Tell(ctx, progress.Step{})
		return db.Messages(ctx, ids, func(m db3.Message) error {
			if step.Done++; step.Done%1000 == 0 {
				progress.Tell(ctx, step)
			}
			if m.Time < 0 {
				return fmt.Errorf("topic %s: a message was recorded at %d ns, which is no time", wanted[m.Topic].name, m.Time)
			}
			return each(wanted[m.Topic], entry{m.Time, m.Data})
		})
	})
}

// with opens the database for the time of a call.
func (d *db3File) with(ctx context.Context, use func(*db3.DB) error) error {
	for _, suffix := range []string{"-wal", "-journal"} {
		if info, err := os.Stat(d.path + suffix); err == nil && info.Size() > 0 {
			return fmt.Errorf("%s%s is beside it, with messages or repairs that are not in the file yet: end the recorder, then run sqlite3 %s 'PRAGMA journal_mode=DELETE'", d.path, suffix, d.path)
		}
	}
	r, size, done, err := d.open(ctx)
	if err != nil {
		return err
	}
	db, err := db3.Open(ctx, r, size)
	if err == nil {
		err = errors.Join(use(db), db.Close())
	}
	return errors.Join(err, done())
}

// open returns the bytes of the database.
func (d *db3File) open(ctx context.Context) (r io.ReaderAt, size int64, done func() error, err error) {
	if d.compressed {
		size, err = d.uncompress(ctx)
		return d.plain, size, func() error { return nil }, err
	}
	f, err := infile.Open(ctx, d.path, limit.BagBytes)
	if err != nil {
		return nil, 0, nil, err
	}
	if size, err = f.Size(); err != nil {
		return nil, 0, nil, errors.Join(err, f.Close())
	}
	return f, size, f.Close, nil
}

// uncompress writes the database into a temporary file, whose name is taken away at once:
// SQLite reads it at any place.
func (d *db3File) uncompress(ctx context.Context) (size int64, err error) {
	if d.plain != nil {
		info, err := d.plain.Stat()
		if err != nil {
			return 0, err
		}
		return info.Size(), nil
	}
	f, err := infile.Open(ctx, d.path, limit.BagBytes)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	z, err := mcap.NewZstd()
	if err != nil {
		return 0, err
	}
	defer z.Close()
	if err := z.Reset(f); err != nil {
		return 0, err
	}
	temporary, err := os.CreateTemp("", "firstcontact-*.db3")
	if err != nil {
		return 0, fmt.Errorf("is compressed as a whole and needs a temporary file: %w", err)
	}
	d.plain = temporary
	if err := os.Remove(temporary.Name()); err != nil {
		return 0, err
	}
	size, err = io.Copy(temporary, io.LimitReader(z, limit.BagPlainBytes+1))
	if err != nil {
		return 0, fmt.Errorf("cannot be uncompressed into %s: %w", os.TempDir(), err)
	}
	if size > limit.BagPlainBytes {
		return 0, fmt.Errorf("has more than %d bytes uncompressed, the limit: uncompress it by unzstd", int64(limit.BagPlainBytes))
	}
	return size, nil
}
