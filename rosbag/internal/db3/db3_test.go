//go:build !js

package db3

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// folder holds files that Python's sqlite3 has written (lab/rosbags).
const folder = "../../testdata"

func stored(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// read reads all of a database.
func read(ctx context.Context, data []byte) (topics []Topic, messages []Message, err error) {
	d, err := Open(ctx, bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	if topics, err = d.Topics(ctx); err != nil {
		return nil, nil, err
	}
	var ids []int64
	for _, t := range topics {
		ids = append(ids, t.ID)
	}
	err = d.Messages(ctx, ids, func(m Message) error {
		m.Data = bytes.Clone(m.Data)
		messages = append(messages, m)
		return nil
	})
	return topics, messages, err
}

func TestFilesOfPython(t *testing.T) {
	counts := map[string]uint64{"/joint_states": 101, "/arm_controller/joint_trajectory": 3, "/display_planned_path": 1, "/chatter": 200}
	for name, defined := range map[string]bool{"humble.db3": false, "jazzy.db3": true, "wal.db3": true} {
		topics, messages, err := read(context.Background(), stored(t, name))
		if err != nil || len(topics) != 4 || len(messages) != 305 {
			t.Fatalf("%s: %d topics, %d messages, %v", name, len(topics), len(messages), err)
		}
		for _, topic := range topics {
			if topic.Count != counts[topic.Name] || topic.Encoding != "cdr" || (topic.Definition != "") != defined || (topic.DefinitionEncoding == "ros2msg") != defined {
				t.Errorf("%s: %+v", name, topic)
			}
		}
		for _, m := range messages {
			if len(m.Data) < 8 || m.Data[1] != 1 || m.Time < 1_700_000_000_000_000_000 {
				t.Errorf("%s: %+v", name, m)
			}
		}
	}
}

// What is cut off is missed: a database that is not whole is refused.
func TestCutShort(t *testing.T) {
	data := stored(t, "jazzy.db3")
	for n := 0; n < len(data); n += 1 + n/20 {
		if _, _, err := read(context.Background(), data[:n]); err == nil {
			t.Errorf("%d of %d bytes are read", n, len(data))
		}
	}
}

// write makes a database by statements.
func write(t testing.TB, statements ...string) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.db3")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range append([]string{"PRAGMA page_size=512"}, statements...) {
		if _, err := db.Exec(s); err != nil {
			t.Fatal(s, err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

const (
	topicsTable   = "CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT, type TEXT, serialization_format TEXT)"
	messagesTable = "CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER, timestamp INTEGER, data BLOB)"
	oneTopic      = "INSERT INTO topics VALUES (1, '/t', 'p/msg/T', 'cdr')"
)

func TestRefused(t *testing.T) {
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"another file":      {[]byte(strings.Repeat("x", 200)), "is no SQLite database"},
		"no tables":         {write(t, "CREATE TABLE a(b)"), "without the table topics"},
		"no messages":       {write(t, topicsTable), "without the table messages"},
		"a view":            {write(t, topicsTable, "CREATE VIEW messages AS WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i+1 FROM n) SELECT 1 AS topic_id, i AS timestamp, i AS data FROM n"), "messages is not a plain table"},
		"computed columns":  {write(t, "CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT AS (hex(id)))", messagesTable), "topics is not a plain table"},
		"other columns":     {write(t, "CREATE TABLE topics(x)", messagesTable), "is no recording of ROS 2"},
		"words for numbers": {write(t, topicsTable, messagesTable, oneTopic, "INSERT INTO messages VALUES (1, 1, 'noon', x'00')"), "noon"},
		"a large message":   {write(t, topicsTable, messagesTable, oneTopic, "INSERT INTO messages VALUES (1, 1, 1, zeroblob(70000000))"), "a message has more than"},
	} {
		if _, _, err := read(context.Background(), c.data); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestContext(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, _, err := read(ctx, stored(t, "jazzy.db3")); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// FuzzOpen: whatever a database says, reading it ends with messages of its topics or with an
// error.
func FuzzOpen(f *testing.F) {
	small := write(f, topicsTable, messagesTable, oneTopic, "INSERT INTO messages VALUES (1, 1, 5, x'0001000009000000'), (2, 1, 6, zeroblob(1000))")
	f.Add(small, uint16(0), uint32(0))
	f.Add(small, uint16(600), uint32(0xffffffff))
	f.Add(write(f, topicsTable, messagesTable), uint16(100), uint32(1))
	f.Fuzz(func(t *testing.T, data []byte, at uint16, word uint32) {
		if len(data) > 1<<13 {
			return
		}
		data = bytes.Clone(data)
		if len(data) >= headerBytes+4 { // so that mutants get beyond the header
			copy(data, Magic)
			binary.BigEndian.PutUint32(data[int(at)%(len(data)-3):], word)
		}
		topics, messages, err := read(context.Background(), data)
		if err != nil {
			return
		}
		known := map[int64]bool{}
		for _, topic := range topics {
			known[topic.ID] = true
		}
		for _, m := range messages {
			if !known[m.Topic] {
				t.Fatalf("a message of topic %d, which nobody asked for", m.Topic)
			}
		}
	})
}
