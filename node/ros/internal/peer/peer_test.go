package peer

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// entity is a stand-in for one of a library.
type entity struct {
	matches []ros.Match
	alive   int
	deleted int
	fails   error
}

func (e *entity) Matches() ([]ros.Match, bool, error) { return e.matches, false, nil }
func (e *entity) Count(stats *ros.EndpointStats)      { stats.Alive = e.alive }
func (e *entity) Delete() error                       { e.deleted++; return e.fails }

func TestLogGoesToTheNewestListener(t *testing.T) {
	var lines []string
	listener := func(name string) func(ros.Level, string) {
		return func(level ros.Level, text string) { lines = append(lines, name+" "+level.String()+" "+text) }
	}
	l := Log{Library: "DDS"}
	l.Line(true, false, "nobody listens")
	endA := l.Listen(listener("a"))
	endB := l.Listen(listener("b"))
	l.Line(false, true, " warned\n")
	endB()
	l.Line(true, true, "failed")
	l.Line(false, false, " \n")
	l.Line(false, false, strings.Repeat("x", 2*MaxLogged))
	endA()
	l.Line(true, false, "nobody listens")
	l.Listen(nil)()
	want := []string{
		"b " + ros.LevelWarn.String() + " DDS: warned",
		"a " + ros.LevelError.String() + " DDS: failed",
		"a " + ros.LevelInfo.String() + " DDS: " + strings.Repeat("x", MaxLogged),
	}
	if !slices.Equal(lines, want) {
		t.Errorf("%.200q, want %.200q", lines, want)
	}
}

func TestChecks(t *testing.T) {
	good := ros.Endpoint{Topic: "rt/a", Type: "A"}
	if err := Check(good); err != nil {
		t.Error(err)
	}
	for name, change := range map[string]func(*ros.Endpoint){
		"no topic":    func(o *ros.Endpoint) { o.Topic = "" },
		"no type":     func(o *ros.Endpoint) { o.Type = "" },
		"depth":       func(o *ros.Endpoint) { o.QoS.Depth = 1 << 40 },
		"lifespan":    func(o *ros.Endpoint) { o.QoS.Lifespan = -1 },
		"reliability": func(o *ros.Endpoint) { o.QoS.Reliability = 7 },
	} {
		o := good
		change(&o)
		if Check(o) == nil {
			t.Errorf("%s: no error", name)
		}
	}
	for size, ok := range map[int]bool{0: false, 3: false, 4: true, 1 << 20: true, 1 << 31: false} {
		if err := CheckMessage(size); (err == nil) != ok {
			t.Errorf("a message of %d bytes: %v", size, err)
		}
	}
}

// An endpoint that is closed twice is deleted once, wakes who waits, and answers with what it
// counted.
func TestCloseOfAnEndpoint(t *testing.T) {
	var all Endpoints[*Endpoint]
	var e Endpoint
	lib := &entity{alive: 2, fails: errors.New("in use")}
	guid := GUID([16]uint8{1, 2, 3})
	err := all.Add(&e, func(tag int64, leave func()) error {
		e.Open(lib, guid, leave)
		return nil
	})
	if err != nil || e.GUID() != guid {
		t.Fatal(err, e.GUID())
	}
	e.Wrote()
	if s := e.Stats(); s.Samples != 1 || s.Alive != 2 {
		t.Errorf("%+v", s)
	}
	waited := make(chan error)
	looked := make(chan bool, 2)
	go func() {
		waited <- e.WaitMatches(context.Background(), func(m []ros.Match) bool { looked <- true; return len(m) > 0 })
	}()
	<-looked
	if err := all.Close(); !errors.Is(err, lib.fails) {
		t.Errorf("close: %v", err)
	}
	if err := <-waited; !errors.Is(err, ros.ErrClosed) {
		t.Errorf("who waited got %v", err)
	}
	if err := e.Close(); !errors.Is(err, lib.fails) || lib.deleted != 1 {
		t.Errorf("closed again: %v, deleted %d times", err, lib.deleted)
	}
	if e.Acquire() {
		t.Error("the entity can be used after it was deleted")
	}
	if s := e.Stats(); s.Samples != 1 || s.Alive != 0 {
		t.Errorf("after closing: %+v", s)
	}
	if err := all.Close(); err != nil {
		t.Errorf("a participant closed again: %v", err)
	}
	if err := all.Add(&e, nil); !errors.Is(err, ros.ErrClosed) {
		t.Errorf("an endpoint of a closed participant: %v", err)
	}
}

func TestEndpointsByTag(t *testing.T) {
	var all Endpoints[*Endpoint]
	var tags []int64
	e := make([]Endpoint, 3)
	for i := range e {
		err := all.Add(&e[i], func(tag int64, leave func()) error {
			if tags = append(tags, tag); i == 1 {
				return errors.New("refused")
			}
			e[i].Open(&entity{}, ros.GUID{}, leave)
			return nil
		})
		if (err != nil) != (i == 1) {
			t.Errorf("endpoint %d: %v", i, err)
		}
	}
	e[0].Close()
	for i, want := range []*Endpoint{nil, nil, &e[2]} {
		if got, open := all.Find(tags[i]); got != want || open != (want != nil) {
			t.Errorf("endpoint %d is open: %v", i, open)
		}
	}
}

// A reader delivers what its history holds, without what is not admitted, and counts what is
// missing before a sample.
func TestDelivery(t *testing.T) {
	var e Endpoint
	a, b := ros.GUID{1}, ros.GUID{2}
	history := []ros.Sample{{Writer: a, Sequence: 1}, {Writer: b, Sequence: 7}, {Writer: a, Sequence: 4}, {}}
	got := make(chan ros.Sample, len(history))
	silences := make(chan ros.EndpointStats, 1)
	lib := &entity{}
	d := NewDelivery(&e, ros.Endpoint{
		Admit:   func(writer ros.GUID) bool { return writer != b },
		Silence: func(s ros.EndpointStats) { silences <- s },
	}, func(s ros.Sample) { got <- s })
	e.Open(lib, ros.GUID{}, func() {})
	d.Start(func() bool {
		if len(history) == 0 {
			return false
		}
		if s := history[0]; d.Admit(s) {
			d.Receive(s)
		}
		history = history[1:]
		return true
	})
	e.Notice(true, false, false)
	for _, want := range []uint64{1, 4, 0} {
		if s := <-got; s.Sequence != want {
			t.Errorf("sample %d came, not %d", s.Sequence, want)
		}
	}
	e.Notice(false, false, true)
	if s := <-silences; s.Samples != 3 || s.Missed != 2 || s.Refused != 1 {
		t.Errorf("%+v", s)
	}
	lib.alive = 1
	if e.Stats(); (<-silences).Alive != 1 {
		t.Error("what Stats saw first is not told")
	}
	if err := e.Close(); err != nil || lib.deleted != 1 {
		t.Error(err, lib.deleted)
	}
}
