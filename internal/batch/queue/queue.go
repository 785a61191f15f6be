// Package queue spreads a batch over processes and machines by NATS JetStream: chunks wait in a work queue, robot,
// scene and files are in an object store by their hash, and answers come back through a second queue. Only this
// package knows NATS.
//
// A chunk leaves the queue when its answer is stored, and an answer leaves its queue when the submitter has it on disk, so
// whatever dies, a chunk is checked again rather than lost. While an answer waits, a second one to the same chunk is dropped; one
// that reaches the submitter later must be the same to the byte, else that is an error (batch.Store). Workers take only chunks of
// their own program: its SHA-256 is part of the subject.
//
// Only a chunk at which workers died again and again is set aside. A worker that has trouble of its own, such as a full disk, gives
// the chunk back without a count: the submitter offers it anew.
package queue

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// The streams, and the first words of their subjects: fc.work.PROGRAM.KEY.CHUNK and fc.done.KEY.CHUNK.
const (
	workStream = "FIRSTCONTACT_WORK"
	doneStream = "FIRSTCONTACT_DONE"
	workWord   = "fc.work"
	doneWord   = "fc.done"
)

// How patient the queue is. A worker says every heartbeat that it is still at a chunk; without a word for ackWait
// another one gets it.
var (
	ackWait    = 20 * time.Second
	heartbeat  = 5 * time.Second
	offerAgain = 30 * time.Second
	stall      = 30 * time.Second // for an object beyond the time of its bytes
	ping       = 10 * time.Second // a connection through which two get no answer is made anew
)

const (
	deliveries = 6                  // of a chunk before it is set aside
	window     = 64                 // chunks that wait or are being checked: back-pressure
	kept       = 7 * 24 * time.Hour // of what nobody takes any more
	transfer   = 10 * time.Minute   // of one object to the server
	silence    = 2 * time.Minute    // without an answer, until objects are looked at again, which may take as long
	cleaning   = 30 * time.Second   // of the server, when a batch is done
	reaching   = 30 * time.Second   // of the server, when a batch begins
	patience   = 5                  // troubles of a worker in a row before it ends
)

// short is how many digits of a hash name things.
const short = 16

// Remote says how to reach a server.
type Remote struct {
	URL              string
	Credentials      string // file, as nsc makes it
	CA, Cert, KeyPEM string // files, of TLS
	Replicas         int    // of streams and objects on a cluster; 0 means 1
}

// connect reaches the server, and goes on trying where it is away for a time.
func (r *Remote) connect(name string, more ...nats.Option) (*nats.Conn, jetstream.JetStream, error) {
	opts := append([]nats.Option{nats.Name(name), nats.MaxReconnects(-1), nats.ReconnectWait(time.Second / 2), nats.PingInterval(ping)}, more...)
	if r.Credentials != "" {
		opts = append(opts, nats.UserCredentials(r.Credentials))
	}
	if r.CA != "" {
		opts = append(opts, nats.RootCAs(r.CA))
	}
	if r.Cert != "" {
		opts = append(opts, nats.ClientCert(r.Cert, r.KeyPEM))
	}
	nc, err := nats.Connect(r.URL, opts...)
	if err != nil {
		return nil, nil, fmt.Errorf("NATS at %s: %w", redacted(r.URL), err)
	}
	js, err := jetstream.New(nc)
	if err != nil {
		nc.Close()
		return nil, nil, err
	}
	return nc, js, nil
}

// await reaches the server as soon as it is there.
func (r *Remote) await(ctx context.Context, name string, more ...nats.Option) (nc *nats.Conn, js jetstream.JetStream, err error) {
	err = untilItPasses(ctx, func() error {
		nc, js, err = r.connect(name, more...)
		return err
	})
	return nc, js, err
}

// redacted is a URL without what may be a password.
func redacted(url string) string {
	scheme, rest, found := strings.Cut(url, "://")
	if !found {
		scheme, rest = "nats", url
	}
	if at := strings.LastIndex(rest, "@"); at >= 0 {
		rest = rest[at+1:]
	}
	return scheme + "://" + rest
}

// prepare makes the streams, if they are not there. Those that are there get as many replicas as are asked for, and never
// fewer: others may have asked for more.
func (r *Remote) prepare(ctx context.Context, js jetstream.JetStream) error {
	for stream, word := range map[string]string{workStream: workWord, doneStream: doneWord} {
		there, err := js.Stream(ctx, stream)
		if err == nil && there.CachedInfo().Config.Replicas >= r.Replicas {
			continue
		}
		if err == nil || errors.Is(err, jetstream.ErrStreamNotFound) {
			_, err = js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
				Name: stream, Subjects: []string{word + ".>"}, Retention: jetstream.WorkQueuePolicy, Storage: jetstream.FileStorage, MaxAge: kept,
				Replicas: max(1, r.Replicas), MaxMsgsPerSubject: 1, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true,
			})
		}
		if err != nil {
			return fmt.Errorf("stream %s: %w", stream, err)
		}
	}
	return nil
}

// publish stores a message on a subject. One that is there already is not replaced, which is no error.
func publish(ctx context.Context, js jetstream.JetStream, subject string, data []byte) error {
	_, err := js.Publish(ctx, subject, data)
	var api *jetstream.APIError
	if errors.As(err, &api) && isThere(api) {
		return nil
	}
	return err
}

// isThere reports whether a message was not stored because its subject has one. The server's code (JSStreamStoreFailedF) is that of
// a full disk, too: the text tells.
func isThere(e *jetstream.APIError) bool {
	return e.ErrorCode == 10077 && strings.Contains(e.Description, "maximum messages per subject exceeded")
}
