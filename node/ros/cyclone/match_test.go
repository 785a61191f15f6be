//go:build cyclone && cgo

package cyclone_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/node/ros/cyclone"
)

// TestMatchedReadersReceive asks that a best-effort reader gets what is written
// once both sides have reported their match, often enough to hit the moment
// between the library's announcement of a match and its end.
func TestMatchedReadersReceive(t *testing.T) {
	const rounds = 500
	sending, receiving := overNetwork(7).Open(t), overNetwork(8).Open(t)
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	for round := range rounds {
		e := ros.Endpoint{
			Topic: fmt.Sprintf("rt/round%d", round), Type: "test::msg::dds_::Opaque_",
			QoS: ros.QoS{Reliability: ros.Reliability(round % 2)},
		}
		w, err := sending.NewWriter(e)
		if err != nil {
			t.Fatal(err)
		}
		e.QoS.Reliability = ros.BestEffort
		arrived := make(chan struct{}, 1)
		r, err := receiving.NewReader(e, func(ros.Sample) { arrived <- struct{}{} })
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range []ros.Peer{w, r} {
			if err := ros.WaitForMatch(ctx, p, 1); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Write([]byte{0, 1, 0, 0}); err != nil {
			t.Fatal(err)
		}
		select {
		case <-arrived:
		case <-time.After(10 * time.Second):
			t.Fatalf("round %d: the sample after the match does not arrive", round)
		}
		w.Close()
		r.Close()
	}
}

// TestBestEffortReaderMissesNothingLater asks that the loss of what is written
// before the match costs a best-effort reader nothing afterwards: the first
// sample that arrives is followed by all later ones.
func TestBestEffortReaderMissesNothingLater(t *testing.T) {
	const rounds, count = 20, 30
	sending, receiving := overNetwork(7).Open(t), overNetwork(8).Open(t)
	for round := range rounds {
		e := ros.Endpoint{
			Topic: fmt.Sprintf("rt/later%d", round), Type: "test::msg::dds_::Opaque_",
			QoS: ros.QoS{Reliability: ros.Reliability(round % 2), Depth: ros.KeepAll},
		}
		w, err := sending.NewWriter(e)
		if err != nil {
			t.Fatal(err)
		}
		e.QoS.Reliability = ros.BestEffort
		arrived := make(chan uint64, 100000)
		r, err := receiving.NewReader(e, func(s ros.Sample) { arrived <- s.Sequence })
		if err != nil {
			t.Fatal(err)
		}
		deadline := time.Now().Add(20 * time.Second)
		for last, after := uint64(0), 0; after < count; {
			if err := w.Write([]byte{0, 1, 0, 0}); err != nil {
				t.Fatal(err)
			}
			time.Sleep(100 * time.Microsecond)
			for len(arrived) > 0 {
				number := <-arrived
				if last != 0 && number != last+1 {
					t.Fatalf("round %d: number %d follows number %d", round, number, last)
				}
				last, after = number, after+1
			}
			if time.Now().After(deadline) {
				t.Fatalf("round %d: %d samples arrive, the last is number %d", round, after, last)
			}
		}
		w.Close()
		r.Close()
	}
}

// TestUserDataOfPeersIsBounded: what a peer announces is cut short.
func TestUserDataOfPeersIsBounded(t *testing.T) {
	e := ros.Endpoint{Topic: "rt/announced", Type: "test::msg::dds_::Opaque_", UserData: strings.Repeat("x", 60000)}
	open := func(number int) ros.Participant {
		side := overNetwork(number)
		p, err := cyclone.Transport{}.Open(ros.ParticipantOptions{Domain: side.Env.Domain, Network: side.Env.Network})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { p.Close() })
		return p
	}
	if _, err := open(0).NewWriter(e); err != nil {
		t.Fatal(err)
	}
	e.UserData = ""
	r, err := open(1).NewReader(e, func(ros.Sample) {})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if err := ros.WaitForMatch(ctx, r, 1); err != nil {
		t.Fatal(err)
	}
	if got := len(r.Matches()[0].UserData); got != limit.UserDataBytes {
		t.Errorf("%d bytes of user data", got)
	}
}
