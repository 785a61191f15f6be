// Package verify is the command verify: it proves again what a certificate says.
package verify

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/firstcontact-ros/firstcontact/certificate"
	"github.com/firstcontact-ros/firstcontact/certificate/digest"
	"github.com/firstcontact-ros/firstcontact/certificate/verify"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/answer"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/input"
	"github.com/firstcontact-ros/firstcontact/internal/base/progress"
	"github.com/firstcontact-ros/firstcontact/motion/motionfile"
	"github.com/firstcontact-ros/firstcontact/premise"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

const aboutVerify = `Verify a certificate: does it prove the motion free of collision?

'firstcontact check --certificate FILE' writes one for a motion that is FREE: a
list of planes and balls that separate every pair of bodies at every time. This
command proves each of them again, in arithmetic rounded outward, and checks that they
cover every pair at every time. It shares no code with the search that found them, so
you need to trust only one of the two.

Give the same robot, SRDF, scene and motion as to check: the certificate holds their
SHA-256 sums, and the command names those that differ. Padding, tubes, clearance, held
joints and pairs left out are the certificate's, and are printed as part of what is
proved. All other premises are derived again and must match. Gaps that check accepted
must be accepted again.

Exit status: 0 verified, 3 refused (nothing is proved), 4 bad input, 64 usage.
docs/certificates.md describes the file.`

type flags struct {
	input.MotionFlags
	input.ScopeFlags
	certificate   string
	clearance     float64
	strict        bool
	details, json bool
}

// Command returns the command verify.
func Command(io cli.Streams) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "verify --robot R.urdf [--srdf S] [--scene F] --certificate FILE MOTION",
		Short: "Verify a proof that check has written",
		Long:  aboutVerify,
		Example: `  firstcontact check --robot arm.urdf --srdf arm.srdf --scene cell.yaml --certificate path.cert.gz path.yaml
  firstcontact verify --robot arm.urdf --srdf arm.srdf --scene cell.yaml --certificate path.cert.gz path.yaml
  firstcontact verify --robot arm.urdf --certificate path.cert --clearance 0.01 --strict --json path.yaml`,
		Args: cli.AtLeastOne("MOTION"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.Cmd = cmd
			return f.run(cmd.Context(), io, args)
		},
	}
	cli.Group(cmd, "What was checked", func(fs *pflag.FlagSet) {
		fs.StringVar(&f.certificate, "certificate", "", "the `file` to verify; .gz is read as well")
		f.FileFlags.Add(cmd)
		fs.StringVar(&f.Scene, "scene", "", "the obstacles, as for check: `FILE`")
		fs.StringArrayVar(&f.State, "state", nil, "start positions of a trajectory that begins later than time 0, as for check:\n`JOINT=VALUE[,...]` (repeat)")
	})
	cli.Group(cmd, "Motion", func(*pflag.FlagSet) { f.TableFlags.Add(cmd) })
	cli.Group(cmd, "What is accepted", func(fs *pflag.FlagSet) {
		fs.Float64Var(&f.clearance, "clearance", 0, "refuse a certificate that proves a clearance of fewer `metres`")
		f.ScopeFlags.Add(cmd, "accept a certificate without")
		fs.StringArrayVar(&f.Accept, "accept", nil, "accept a gap that the certificate rests on: `KIND or KIND:NAME` (repeat)")
		fs.StringArrayVar(&f.Allow, "allow", nil, "the pair `A:B` was left out by check --allow (repeat)")
		fs.BoolVar(&f.strict, "strict", false, "refuse a pair that is left out without a reason in the SRDF, the scene, the model or\n--allow")
	})
	cli.Group(cmd, "Output", func(fs *pflag.FlagSet) {
		fs.BoolVar(&f.details, "details", false, "print every pair that is not checked and every held joint")
		fs.BoolVar(&f.json, "json", false, "print one JSON object")
	})
	return cmd
}

func (f *flags) run(ctx context.Context, s cli.Streams, args []string) error {
	switch {
	case f.certificate == "":
		return cli.UsageError{Err: errors.New("--certificate is needed: the file that check has written")}
	case len(args) > 1:
		return cli.UsageError{Err: fmt.Errorf("%d motions are given: give the one that the certificate is about", len(args))}
	case !(f.clearance >= 0):
		return cli.UsageError{Err: fmt.Errorf("--clearance %g: give zero or more", f.clearance)}
	}
	robot, err := f.Load(ctx)
	if err != nil {
		return err
	}
	head, err := f.header(ctx)
	if err != nil {
		return err
	}
	loaded, err := f.ReadMotions(ctx, s.In, args[0], robot)
	if err != nil {
		return err
	}
	m := chosen(loaded, head)
	world, err := f.worldOf(ctx, robot, m)
	if err != nil {
		return err
	}
	return f.verify(ctx, s, robot, world, m, args[0])
}

// header reads only the header of the certificate.
func (f *flags) header(ctx context.Context) (*certificate.Header, error) {
	file, err := certificate.OpenContext(ctx, f.certificate)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	r, err := certificate.NewReader(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.certificate, err)
	}
	return &r.Header, nil
}

// chosen returns the motion of the file that the certificate is about, otherwise the first,
// which will be refused.
func chosen(loaded []motionfile.Loaded, head *certificate.Header) *motionfile.Loaded {
	for i := range loaded {
		if digest.Motion(loaded[i].Motion) == head.MotionSum {
			return &loaded[i]
		}
	}
	return &loaded[0]
}

// worldOf returns the scene that was named, otherwise the obstacles in the motion's file.
func (f *flags) worldOf(ctx context.Context, robot *urdf.Robot, m *motionfile.Loaded) (*scene.Snapshot, error) {
	if f.Scene == "" && m.Obstacles != nil {
		return m.Obstacles()
	}
	return f.LoadScene(ctx, robot)
}

func (f *flags) verify(ctx context.Context, s cli.Streams, robot *urdf.Robot, world *scene.Snapshot, m *motionfile.Loaded, from string) error {
	file, err := certificate.OpenContext(ctx, f.certificate)
	if err != nil {
		return err
	}
	defer file.Close()
	opts := verify.Options{Clearance: f.clearance, NoSelf: f.NoSelf, NoWorld: f.NoWorld, Strict: f.strict, Accept: f.Accept}
	if err := opts.Accept.Validate(); err != nil {
		return cli.UsageError{Err: fmt.Errorf("--accept: %w%s", err, input.GapHint(opts.Accept))}
	}
	for _, pair := range f.Allow {
		a, b, ok := strings.Cut(pair, ":")
		if !ok || a == "" || b == "" {
			return cli.UsageError{Err: fmt.Errorf("--allow %s: give two names as A:B", pair)}
		}
		opts.Allowed = append(opts.Allowed, [2]string{a, b})
	}
	opts.Progress = func(piece, pieces, items int) {
		progress.Tell(ctx, progress.Step{
			What: "verifying " + f.certificate, Done: int64(piece), Total: int64(pieces), Unit: "pieces", Note: fmt.Sprintf("%d items", items),
		})
	}
	begin := time.Now()
	report, err := verify.Verify(ctx, robot, world, m.Motion, file, opts)
	var refusal *verify.Refusal
	if err != nil && !errors.As(err, &refusal) {
		return fmt.Errorf("%s: %w", f.certificate, err)
	}
	r := newVerified(f.certificate, report, refusal, time.Since(begin))
	write := func(w io.Writer) error { return r.writeText(w, f.details) }
	if f.json {
		r.Inputs, r.Warnings = f.Inputs(robot, world, m.Motion, from), input.Warnings(robot, world)
		write = r.writeJSON
	}
	if err := write(s.Out); err != nil {
		return err
	}
	if !r.Verified {
		return cli.Outcome(cli.ExitUndecided)
	}
	return nil
}

// Result is the answer of verify.
type Result struct {
	answer.Head
	// The file of the certificate.
	Certificate string `json:"certificate"`
	// Whether the proof holds.
	Verified bool `json:"verified"`
	// Why it is refused.
	Reason string `json:"reason,omitempty"`
	// What the answer is about.
	Inputs input.Inputs `json:"inputs"`
	// What is probably not what was meant.
	Warnings []answer.Warning `json:"warnings"`
	// m: every pair is proved farther apart.
	Clearance float64 `json:"clearance"`
	// Pieces of the motion.
	Pieces int `json:"pieces"`
	// Number of pairs that are proved apart.
	Pairs int `json:"pairs"`
	// Number of planes and balls of the proof.
	Items int `json:"items"`
	// Whether the robot against itself is proved.
	Self bool `json:"self"`
	// Whether the robot against the world is proved.
	World bool `json:"world"`
	// m, by link: how much it is grown.
	Padding map[string]float64 `json:"padding,omitempty"`
	// rad or m, by joint: how far it may deviate from the motion.
	Tube map[string]float64 `json:"tube,omitempty"`
	// rad or m, by joint: where it is held, because the motion does not name it.
	Held map[string]float64 `json:"held_joints,omitempty"`
	// The pairs that the certificate leaves out.
	NotChecked []notChecked `json:"not_checked,omitempty"`
	// What the proof rests on.
	Premises []known `json:"premises"`
	// Bodies with a mesh that is not closed, which is a surface.
	Open []string `json:"open_meshes,omitempty"`
	// Floating joints, held at their origin.
	Floating []string `json:"floating_joints,omitempty"`
	// The program that wrote the certificate.
	Tool string `json:"tool,omitempty"`
	// s: time on the wall clock.
	Compute float64 `json:"compute_s"`
}

// notChecked is a pair that a certificate leaves out.
type notChecked struct {
	// The two bodies.
	Pair [2]string `json:"pair"`
	// Why it is left out.
	Reason string `json:"reason"`
	// Whether the model, the SRDF, the scene or --allow confirms the reason.
	Confirmed bool `json:"confirmed"`
}

// known is a premise and how it was confirmed.
type known struct {
	premise.Premise
	// recomputed, from a file, or on trust.
	Source string `json:"source"`
}

func newVerified(file string, r *verify.Report, refusal *verify.Refusal, took time.Duration) *Result {
	v := &Result{Head: answer.HeadOf("verify"), Certificate: file, Compute: took.Seconds(), Warnings: []answer.Warning{}, Premises: []known{}}
	if refusal != nil {
		v.Reason = refusal.Reason
		return v
	}
	h := &r.Header
	v.Verified, v.Clearance, v.Pieces, v.Pairs, v.Items = true, h.Clearance, r.Pieces, r.Pairs, r.Items
	v.Self, v.World, v.Open, v.Floating, v.Tool = h.Self, h.World, r.Open, r.Floating, h.Tool
	v.Padding, v.Tube, v.Held = byName(h.Padding), byName(h.Tube), byName(h.Hold)
	for _, n := range r.NotChecked {
		v.NotChecked = append(v.NotChecked, notChecked{[2]string{n.A, n.B}, n.Reason, n.Confirmed})
	}
	for _, p := range r.Premises {
		v.Premises = append(v.Premises, known{p.Premise, p.Source.String()})
	}
	return v
}

func byName(list []certificate.Named) map[string]float64 {
	m := map[string]float64{}
	for _, n := range list {
		m[n.Name] = n.Value
	}
	return m
}

func (v *Result) writeJSON(w io.Writer) error { return answer.Encode(w, v) }
