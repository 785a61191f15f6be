//go:build !js && nats

package batch

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/internal/base/infile"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/batch"
	"github.com/firstcontact-ros/firstcontact/internal/batch/dataset"
	"github.com/firstcontact-ros/firstcontact/internal/batch/queue"
)

// errNoQueue is the error of a program without NATS, which this is not.
var errNoQueue error

func (f *queueFlags) remote() *queue.Remote {
	return &queue.Remote{URL: f.nats, Credentials: f.creds, CA: f.tlsCA, Cert: f.tlsCert, KeyPEM: f.tlsKey}
}

func work(ctx context.Context, f *queueFlags, store string, tell func(string)) error {
	program, err := batch.Program()
	if err != nil {
		return err
	}
	return queue.Work(ctx, f.remote(), program, store, tell)
}

// distribute has a store's chunks checked by workers: those of a server that is named, or processes of this
// program at a server in this process.
func (f *flags) distribute(ctx context.Context, s cli.Streams, subject *batch.Subject, reading dataset.Options, store *batch.Store, out string) error {
	spec, err := f.spec(ctx, subject, reading, store.Plan)
	if err != nil {
		return err
	}
	if f.nats != "" {
		r := f.remote()
		r.Replicas = f.replicas
		return queue.Submit(ctx, r, spec, store)
	}
	return f.distributeHere(ctx, s, spec, store, filepath.Join(out, "queue"))
}

// distributeHere has the chunks checked by processes of this program, at a server in this process whose
// queue is in a folder.
func (f *flags) distributeHere(ctx context.Context, s cli.Streams, spec *queue.Spec, store *batch.Store, dir string) error {
	token := rand.Text()
	server, err := queue.Embed(dir, token)
	if err != nil {
		return err
	}
	defer func() {
		server.Stop()
		if store.Left() == 0 {
			_ = os.RemoveAll(dir)
		}
	}()
	program, err := os.Executable()
	if err != nil {
		return err
	}
	ctx, fail := context.WithCancelCause(ctx)
	var workers sync.WaitGroup
	defer workers.Wait()
	defer fail(nil)
	for i := range f.processes {
		workers.Add(1)
		go func() {
			defer workers.Done()
			if err := employ(ctx, s, program, server.URL(token), filepath.Join(dir, fmt.Sprintf("worker-%d", i))); err != nil {
				fail(err)
			}
		}()
	}
	err = queue.Submit(ctx, &queue.Remote{URL: server.URL(token)}, spec, store, server.Inside())
	if cause := context.Cause(ctx); err != nil && cause != nil {
		return cause
	}
	return err
}

// employ keeps a worker at a server, with a folder of its own.
func employ(ctx context.Context, s cli.Streams, program, url, home string) error {
	defer os.RemoveAll(home)
	return queue.Keep(ctx, func(ctx context.Context) *exec.Cmd {
		cmd := exec.CommandContext(ctx, program, "worker", "--quiet", "--"+leashFlag, "--store", home)
		cmd.Env = append(os.Environ(), "NATS_URL="+url)
		cmd.Stderr = os.Stderr
		return cmd
	}, func(line string) { fmt.Fprintf(s.Err, "note: %s\n", line) })
}

// spec is what workers have to know.
func (f *flags) spec(ctx context.Context, subject *batch.Subject, reading dataset.Options, plan *batch.Plan) (*queue.Spec, error) {
	program, err := batch.Program()
	if err != nil {
		return nil, err
	}
	c := subject.Judge.Setting().Checker
	opts, err := f.Options(ctx, c.Robot())
	if err != nil {
		return nil, err
	}
	s := &queue.Spec{
		Program: program, Robot: c.Robot(), Options: opts, Query: f.Query(), Replace: f.Scene != "",
		Motion: reading.Motion, Topics: reading.Topics, Lengths: lengthsOf(c.Robot()), Plan: plan,
	}
	if f.Scene != "" {
		s.Scene = c.World()
	}
	if f.mapping != "" {
		s.MappingName = filepath.Base(f.mapping)
		if s.Mapping, err = infile.Read(ctx, f.mapping, limit.DocumentBytes); err != nil {
			return nil, err
		}
	}
	return s, s.Seal(subject.Judge)
}
