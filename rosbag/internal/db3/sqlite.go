//go:build !js

package db3

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"

	"modernc.org/sqlite"
	"modernc.org/sqlite/vfs"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
)

// DB is an open recording.
type DB struct {
	files *vfs.FS
	db    *sql.DB
	conn  *sql.Conn
	size  int64 // of the file
}

// Open opens the database in r, of the given size. Errors do not name the file.
func Open(ctx context.Context, r io.ReaderAt, size int64) (*DB, error) {
	if err := checkHeader(r, size); err != nil {
		return nil, err
	}
	name, files, err := vfs.New(oneFile{r, size})
	if err != nil {
		return nil, err
	}
	d := &DB{files: files, size: size}
	if d.db, err = sql.Open("sqlite", "file:"+fileName+"?mode=ro&immutable=1&vfs="+name); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	d.db.SetMaxOpenConns(1)
	if err := d.prepare(ctx); err != nil {
		return nil, errors.Join(readable(err), d.Close())
	}
	return d, nil
}

// prepare bounds what SQLite does, and holds the schema to that of a recording.
func (d *DB) prepare(ctx context.Context) (err error) {
	if d.conn, err = d.db.Conn(ctx); err != nil {
		return err
	}
	for limitID, most := range map[int]int{
		limitLength: limit.BagMessageBytes, limitSQL: 1 << 20, limitColumn: 100, limitExpression: 100, limitCompound: 10, limitAttached: 0,
	} {
		if _, err := sqlite.Limit(d.conn, limitID, most); err != nil {
			return err
		}
	}
	const pragmas = "PRAGMA trusted_schema=OFF; PRAGMA query_only=ON; PRAGMA cell_size_check=ON; PRAGMA cache_size=-16384; PRAGMA temp_store=MEMORY"
	if _, err := d.conn.ExecContext(ctx, pragmas); err != nil {
		return err
	}
	for _, table := range []string{"topics", "messages"} {
		if there, err := d.isTable(ctx, table); err != nil {
			return err
		} else if !there {
			return fmt.Errorf("is an SQLite database without the table %s: it is no recording", table)
		}
	}
	return nil
}

// What sqlite.Limit takes, from sqlite3.h.
const (
	limitLength     = 0
	limitSQL        = 1
	limitColumn     = 2
	limitExpression = 3
	limitCompound   = 4
	limitAttached   = 7
)

// isTable reports whether the database has a table of that name that is stored: a view or a
// virtual table computes its rows.
func (d *DB) isTable(ctx context.Context, name string) (bool, error) {
	var kind, text string
	err := d.conn.QueryRowContext(ctx, "SELECT type, sql FROM sqlite_schema WHERE name = ?", name).Scan(&kind, &text)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	upper := strings.ToUpper(text)
	if kind != "table" || !strings.HasPrefix(upper, "CREATE TABLE") || strings.Contains(upper, "GENERATED") || strings.Contains(upper, " AS ") {
		return false, fmt.Errorf("%s is not a plain table: it is no recording", name)
	}
	return true, nil
}

// Close closes the database, not the file.
func (d *DB) Close() error {
	var errs []error
	if d.conn != nil {
		errs = append(errs, d.conn.Close())
	}
	if d.db != nil {
		errs = append(errs, d.db.Close())
	}
	return errors.Join(append(errs, d.files.Close())...)
}

// Topics returns what is recorded, in the order of the ids.
func (d *DB) Topics(ctx context.Context) ([]Topic, error) {
	var out []Topic
	kept := 0
	err := d.rows(ctx, "SELECT id, name, type, serialization_format FROM topics ORDER BY rowid", func(scan scanner) error {
		var t Topic
		if err := scan(&t.ID, &t.Name, &t.Type, &t.Encoding); err != nil {
			return err
		}
		out = append(out, t)
		return keep(&kept, len(t.Name)+len(t.Type)+len(t.Encoding))
	})
	if err == nil {
		err = d.count(ctx, out)
	}
	if err == nil {
		err = d.define(ctx, out, &kept)
	}
	return out, err
}

// keep counts bytes that stay in memory.
func keep(kept *int, n int) error {
	if *kept += n + 100; *kept > limit.BagRecordBytes {
		return fmt.Errorf("topics and their definitions have more than %d bytes, the limit", limit.BagRecordBytes)
	}
	return nil
}

// count looks at the times of all messages.
func (d *DB) count(ctx context.Context, topics []Topic) error {
	byID := make(map[int64]*Topic, len(topics))
	for i := range topics {
		byID[topics[i].ID] = &topics[i]
	}
	return d.rows(ctx, "SELECT topic_id, timestamp FROM messages ORDER BY rowid", func(scan scanner) error {
		var id, at int64
		if err := scan(&id, &at); err != nil {
			return err
		}
		t := byID[id]
		if t == nil {
			return fmt.Errorf("a message is of topic %d, which the database does not have", id)
		}
		if t.Count++; t.Count == 1 {
			t.First, t.Last = at, at
		}
		t.First, t.Last = min(t.First, at), max(t.Last, at)
		return nil
	})
}

// define adds the definitions of the topics' types, where there are some.
func (d *DB) define(ctx context.Context, topics []Topic, kept *int) error {
	if there, err := d.isTable(ctx, "message_definitions"); err != nil || !there {
		return readable(err)
	}
	const query = "SELECT topic_type, encoding, encoded_message_definition FROM message_definitions ORDER BY rowid"
	return d.rows(ctx, query, func(scan scanner) error {
		var typ, encoding, text string
		if err := scan(&typ, &encoding, &text); err != nil {
			return err
		}
		for i := range topics {
			if t := &topics[i]; t.Type == typ && t.Definition == "" {
				t.Definition, t.DefinitionEncoding = text, encoding
			}
		}
		return keep(kept, len(text))
	})
}

// Messages calls each for every message of a topic that is wanted, in the order in which
// they were recorded.
func (d *DB) Messages(ctx context.Context, wanted []int64, each func(Message) error) error {
	list := strings.Trim(strings.ReplaceAll(fmt.Sprint(wanted), " ", ","), "[]")
	var data sql.RawBytes
	return d.rows(ctx, "SELECT topic_id, timestamp, data FROM messages WHERE topic_id IN ("+list+") ORDER BY rowid", func(scan scanner) error {
		var m Message
		if err := scan(&m.Topic, &m.Time, &data); err != nil {
			return err
		}
		m.Data = data
		return each(m)
	})
}

// scanner takes the values of a row.
type scanner func(into ...any) error

// rowBytes is less than any row takes in the file.
const rowBytes = 4

// rows calls each for the rows that a query gives: no more than the file has room for. The
// pages of a damaged database may name each other without end.
func (d *DB) rows(ctx context.Context, query string, each func(scanner) error) error {
	rows, err := d.conn.QueryContext(ctx, query)
	if err != nil {
		return readable(err)
	}
	defer rows.Close()
	for n := int64(0); rows.Next(); n++ {
		if n > d.size/rowBytes {
			return errors.New("the database is damaged: it gives more rows than it has room for; sqlite3 FILE .recover writes what is whole")
		}
		if err := each(rows.Scan); err != nil {
			return readable(err)
		}
	}
	return readable(rows.Err())
}

// readable says what an error of SQLite means for the file.
func readable(err error) error {
	var e *sqlite.Error
	switch {
	case err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded):
		return err
	case !errors.As(err, &e):
		return err
	case e.Code()&0xff == codeTooBig:
		return fmt.Errorf("a message has more than %d bytes, the limit", limit.BagMessageBytes)
	case e.Code()&0xff == codeCorrupt, e.Code()&0xff == codeNotDB, e.Code()&0xff == codeIO:
		return fmt.Errorf("the database is damaged (%w): sqlite3 FILE .recover writes what is whole", err)
	}
	return fmt.Errorf("is no recording of ROS 2: %w", err)
}

// Result codes of SQLite, from sqlite3.h.
const (
	codeIO      = 10
	codeCorrupt = 11
	codeTooBig  = 18
	codeNotDB   = 26
)

// headerBytes are what a database begins with.
const headerBytes = 100

// checkHeader refuses what SQLite would read as less than there is, or could not read.
func checkHeader(r io.ReaderAt, size int64) error {
	var h [headerBytes]byte
	if n, err := r.ReadAt(h[:], 0); n < headerBytes {
		if err == nil || errors.Is(err, io.EOF) {
			return errors.New("is no SQLite database: it ends in its first bytes")
		}
		return err
	}
	if string(h[:len(Magic)]) != Magic {
		return errors.New("is no SQLite database")
	}
	page := int64(binary.BigEndian.Uint16(h[16:]))
	if page == 1 {
		page = 65536
	}
	pages := int64(binary.BigEndian.Uint32(h[28:]))
	if known := binary.BigEndian.Uint32(h[24:]) == binary.BigEndian.Uint32(h[92:]); known && pages*page > size {
		return fmt.Errorf("the database has %d bytes where its header tells of %d: it was cut short, and what was cut off cannot be told; copy it again, or sqlite3 FILE .recover writes what is whole", size, pages*page)
	}
	return nil
}
