//go:build cyclone && cgo

package cyclone_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"net"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/node/ros/cyclone"
)

// forgedPacket is an RTPS packet that says to be from a writer: a sample with a
// sequence number, without a source time or, by an INFO_TS submessage, with one in
// seconds since 1970.
func forgedPacket(writer ros.GUID, sequence uint64, seconds uint32, sample []byte) []byte {
	p := append([]byte("RTPS\x02\x01\x01\x10"), writer[:12]...)
	if seconds != 0 {
		p = append(p, 0x09, 0x01, 8, 0)
		p = binary.LittleEndian.AppendUint32(p, seconds)
		p = append(p, 0, 0, 0, 0)
	}
	p = append(p, 0x15, 0x05) // DATA, little endian, with data
	p = binary.LittleEndian.AppendUint16(p, uint16(20+len(sample)))
	p = append(p, 0, 0, 16, 0, 0, 0, 0, 0) // no inline QoS, any reader
	p = append(p, writer[12:]...)
	p = binary.LittleEndian.AppendUint32(p, uint32(sequence>>32))
	p = binary.LittleEndian.AppendUint32(p, uint32(sequence))
	return append(p, sample...)
}

// forgery is a writer and a reader over the network, and what the reader gets.
type forgery struct {
	*testing.T
	writer  ros.Writer
	reader  ros.Reader
	samples chan ros.Sample
}

func newForgery(t *testing.T, properties map[string]string) *forgery {
	t.Helper()
	f := &forgery{T: t, samples: make(chan ros.Sample, 100)}
	open := func(number int) ros.Participant {
		side := overNetwork(number)
		p, err := cyclone.Transport{}.Open(ros.ParticipantOptions{Domain: side.Env.Domain, Network: side.Env.Network, Properties: properties})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { p.Close() })
		return p
	}
	e := ros.Endpoint{Topic: "rt/forged", Type: "test::msg::dds_::Opaque_", QoS: ros.QoS{Reliability: ros.BestEffort, Depth: 100}}
	var err error
	if f.reader, err = open(2).NewReader(e, func(s ros.Sample) { f.samples <- s }); err != nil {
		t.Fatal(err)
	}
	if f.writer, err = open(3).NewWriter(e); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	for _, p := range []ros.Peer{f.writer, f.reader} {
		if err := ros.WaitForMatch(ctx, p, 1); err != nil {
			t.Fatal(err)
		}
	}
	return f
}

// opaque is a message that holds a number.
func opaque(n byte) []byte { return []byte{0, 1, 0, 0, n, 0, 0, 0} }

// forge sends a packet to the ports on which the participants of this machine listen.
func (f *forgery) forge(packet []byte) {
	f.Helper()
	for index := range 10 {
		to := fmt.Sprintf("127.0.0.1:%d", 7400+250*testDomain+11+2*index)
		c, err := net.Dial("udp", to)
		if err != nil {
			f.Fatal(err)
		}
		c.Write(packet) // where nobody listens this fails
		c.Close()
	}
}

// get waits for the sample that holds a number.
func (f *forgery) get(n byte) ros.Sample {
	f.Helper()
	select {
	case s := <-f.samples:
		if !bytes.Equal(s.Data, opaque(n)) {
			f.Fatalf("% x has come, not the sample %d", s.Data, n)
		}
		return s
	case <-time.After(30 * time.Second):
		f.Fatalf("the sample %d has not come", n)
	}
	return ros.Sample{}
}

// TestForgedPackets: without keys, anybody who can send a packet speaks for a writer
// that is there. A packet need not tell when it was written; it may tell any time, and
// with a number far ahead it silences the writer, whose own samples are then old.
func TestForgedPackets(t *testing.T) {
	f := newForgery(t, nil)
	if err := f.writer.Write(opaque(1)); err != nil {
		t.Fatal(err)
	}
	f.get(1)
	f.forge(forgedPacket(f.writer.GUID(), 2, 0, opaque(2)))
	if s := f.get(2); !s.SourceTime.IsZero() || s.Writer != f.writer.GUID() || s.Sequence != 2 {
		t.Errorf("a sample that does not tell when it was written: %+v", s)
	}
	f.forge(forgedPacket(f.writer.GUID(), 3, 0x7fffffff, opaque(3)))
	if s := f.get(3); s.SourceTime.Unix() != 0x7fffffff {
		t.Errorf("a sample from the future: %+v", s)
	}
	f.forge(forgedPacket(f.writer.GUID(), 1<<40, 0, opaque(4)))
	f.get(4)
	if err := f.writer.Write(opaque(5)); err != nil {
		t.Fatal(err)
	}
	select {
	case s := <-f.samples:
		t.Errorf("the writer is heard after a sample with a number far ahead: %+v", s)
	case <-time.After(300 * time.Millisecond):
	}
}

// TestForgedPacketsAgainstKeys: with keys, none of that arrives.
func TestForgedPacketsAgainstKeys(t *testing.T) {
	needPlugins(t)
	properties, err := newKeystore(t).Properties("/guard")
	if err != nil {
		t.Fatal(err)
	}
	f := newForgery(t, properties)
	for n := range byte(10) {
		if err := f.writer.Write(opaque(n)); err != nil {
			t.Fatal(err)
		}
		f.get(n)
		f.forge(forgedPacket(f.writer.GUID(), uint64(n)+2, 0, opaque(100)))
		f.forge(forgedPacket(f.writer.GUID(), 1<<40, 0, opaque(101)))
	}
}
