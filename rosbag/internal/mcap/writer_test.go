package mcap

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
)

// written is a random file, and what must be read from it.
type written struct {
	file    bytes.Buffer
	flushed int // bytes of the file after the last Flush in the middle
	before  int // messages until then
	data    [][]byte
	times   []uint64
	topics  []string
}

func write(t *testing.T, seed uint64, messages int) *written {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 5))
	out := &written{}
	w, err := NewWriter(&out.file, "ros2", "test")
	if err != nil {
		t.Fatal(err)
	}
	channels := map[string]uint16{}
	for i := range messages {
		topic := fmt.Sprintf("/topic%d", r.IntN(4))
		id, ok := channels[topic]
		if !ok {
			schema := Schema{Name: "pkg/msg/" + topic[len(topic)-1:], Encoding: "ros2msg", Data: []byte("int32 x\n")}
			if id, err = w.AddChannel(Channel{Topic: topic, Encoding: "cdr", Schema: schema, Metadata: map[string]string{"b": "2", "a": "1"}}); err != nil {
				t.Fatal(err)
			}
			channels[topic] = id
		}
		data := make([]byte, r.IntN(4000))
		for k := range data {
			data[k] = byte(r.IntN(4))
		}
		at := uint64(1e18) + uint64(r.IntN(1e9))
		if err := w.Write(id, at, at-1, data); err != nil {
			t.Fatal(err)
		}
		out.data, out.times, out.topics = append(out.data, data), append(out.times, at), append(out.topics, topic)
		if i == messages/2 {
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
			out.flushed, out.before = out.file.Len(), i+1
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if w.Write(0, 0, 0, nil) == nil {
		t.Error("a closed file was written to")
	}
	return out
}

// What was written is read again, in order and by the summary, and from a file without its end
// what was flushed.
func TestWhatIsWrittenIsRead(t *testing.T) {
	for seed := range uint64(20) {
		w := write(t, seed, int(seed*seed))
		whole := w.file.Bytes()
		g, err := scan(whole, int64(len(whole)))
		if err != nil || g.CutShort != "" {
			t.Fatalf("seed %d: %v, %s", seed, err, g.CutShort)
		}
		holds(t, g, w, len(w.data))
		s, err := Summary(t.Context(), bytes.NewReader(whole), int64(len(whole)))
		if err != nil || s == nil || len(s.Channels) != len(g.Channels) {
			t.Fatalf("seed %d: the summary: %v", seed, err)
		}
		for id, c := range g.Counts {
			if s.Counts[id].Messages != c.Messages {
				t.Errorf("seed %d: the summary counts %d messages, not %d", seed, s.Counts[id].Messages, c.Messages)
			}
		}
		if w.flushed == 0 {
			continue
		}
		g, err = scan(whole[:w.flushed], int64(w.flushed))
		if err != nil || g.CutShort == "" {
			t.Fatalf("seed %d: cut short: %v, %q", seed, err, g.CutShort)
		}
		holds(t, g, w, w.before)
	}
}

func holds(t *testing.T, g got, w *written, n int) {
	t.Helper()
	at := map[string]int{}
	for i := range n {
		topic := w.topics[i]
		k := at[topic]
		at[topic]++
		if k >= len(g.data[topic]) || !bytes.Equal(g.data[topic][k], w.data[i]) || g.times[topic][k] != w.times[i] {
			t.Fatalf("message %d, number %d of %s, is not there", i, k, topic)
		}
	}
	for topic, list := range g.data {
		if len(list) != at[topic] {
			t.Fatalf("%s has %d messages, not %d", topic, len(list), at[topic])
		}
	}
}

// A disk that is full is an error of every call after it, and of Close.
func TestWriteErrorsStay(t *testing.T) {
	full := errors.New("no space left")
	w, err := NewWriter(&limited{left: 3000, err: full}, "ros2", "test")
	if err != nil {
		t.Fatal(err)
	}
	id, err := w.AddChannel(Channel{Topic: "/x", Encoding: "cdr"})
	if err != nil {
		t.Fatal(err)
	}
	data := make([]byte, 8000)
	for i := range data {
		data[i] = byte(rand.Uint32())
	}
	if err := w.Write(id, 1, 1, data); err != nil {
		t.Fatal("a chunk is not full yet")
	}
	if err := w.Flush(); !errors.Is(err, full) {
		t.Errorf("flush: %v", err)
	}
	if err := w.Write(id, 2, 2, data); !errors.Is(err, full) {
		t.Errorf("write: %v", err)
	}
	if err := w.Close(); !errors.Is(err, full) {
		t.Errorf("close: %v", err)
	}
}

type limited struct {
	left int
	err  error
}

func (l *limited) Write(b []byte) (int, error) {
	if len(b) > l.left {
		n := l.left
		l.left = 0
		return n, l.err
	}
	l.left -= len(b)
	return len(b), nil
}
