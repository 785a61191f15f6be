//go:build !js

package batch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
)

const aboutWorker = `Check chunks of batches that a NATS server hands out, until an interrupt.

Start as many as there are processors, on as many machines as there are. A worker takes
only chunks of batches that the same program has made, to the byte: others stay in the
queue. Robot, scene and motions come through the server; what it has fetched stays in
--store.

If a worker dies, another one gets its chunk. A chunk at which workers died 5 times is set
aside: its motions have no verdict, and their rows say so. A worker that has trouble of its
own with 5 chunks in a row, such as a full disk, ends; that counts against no chunk.

The address may also be in NATS_URL, where other users do not see a password.

Exit status: 130 after an interrupt, 4 if the server refuses.`

// queueFlags say how to reach a NATS server.
type queueFlags struct {
	nats, creds            string
	tlsCA, tlsCert, tlsKey string
}

func (f *queueFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.nats, "nats", "", "`URL` of a NATS server with JetStream, such as tls://host:4222")
	fs.StringVar(&f.creds, "nats-creds", "", "`file` with the credentials of a NATS user, as nsc makes it")
	fs.StringVar(&f.tlsCA, "nats-ca", "", "`file` with the certificate authority of the NATS server")
	fs.StringVar(&f.tlsCert, "nats-cert", "", "`file` with the certificate that the NATS server asks for (with --nats-key)")
	fs.StringVar(&f.tlsKey, "nats-key", "", "`file` with the key of --nats-cert")
}

func (f *queueFlags) validate() error {
	if (f.tlsCert == "") != (f.tlsKey == "") {
		return errors.New("--nats-cert and --nats-key belong together: give both")
	}
	if f.nats != "" {
		return errNoQueue
	}
	return nil
}

type workerFlags struct {
	queueFlags
	store string
	leash bool
}

// leashFlag is the flag of workers that another process has started, which holds their standard input open.
const leashFlag = "until-input-ends"

// WorkerCommand returns the command worker.
func WorkerCommand(s cli.Streams) *cobra.Command {
	var f workerFlags
	cmd := &cobra.Command{
		Use:   "worker --nats URL [flags]",
		Short: "Check chunks of batches from a NATS server",
		Long:  aboutWorker,
		Example: `  firstcontact worker --nats nats://server:4222
  firstcontact worker --nats tls://server:4222 --nats-creds robot.creds --nats-ca ca.pem`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return cli.UsageError{Err: fmt.Errorf("worker takes no arguments (%q): batches come from the server", args[0])}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd.Context(), s) },
	}
	cli.Group(cmd, "Server", func(fs *pflag.FlagSet) {
		f.queueFlags.add(fs)
		fs.StringVar(&f.store, "store", "", "`folder` for what is fetched (default: a temporary one)")
		fs.BoolVar(&f.leash, leashFlag, false, "end when standard input does")
		_ = fs.MarkHidden(leashFlag) // it exists
	})
	return cmd
}

func (f *workerFlags) run(ctx context.Context, s cli.Streams) error {
	if f.nats == "" {
		f.nats = os.Getenv("NATS_URL")
	}
	if err := f.validate(); err != nil {
		return cli.UsageError{Err: err}
	}
	if f.nats == "" {
		return cli.UsageError{Err: errors.New("--nats is missing: name the server")}
	}
	if f.store == "" {
		dir, err := os.MkdirTemp("", "firstcontact-worker-")
		if err != nil {
			return cli.OutputError{Err: err}
		}
		defer os.RemoveAll(dir)
		f.store = dir
	}
	leashed, stop := context.WithCancel(ctx)
	defer stop()
	if f.leash {
		go func() {
			_, _ = io.Copy(io.Discard, s.In)
			stop()
		}()
	}
	err := work(leashed, &f.queueFlags, f.store, func(line string) { fmt.Fprintf(s.Err, "note: %s\n", line) })
	if leashed.Err() != nil && ctx.Err() == nil { // whoever started it has ended
		return nil
	}
	return err
}
