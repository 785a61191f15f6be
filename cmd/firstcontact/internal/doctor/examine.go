package doctor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/answer"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/input"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/rosnode"
	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/node/ros/cyclone"
	"github.com/firstcontact-ros/firstcontact/node/ros/fastdds"
	"github.com/firstcontact-ros/firstcontact/node/selftest"
	"github.com/firstcontact-ros/firstcontact/plausible"
	"github.com/firstcontact-ros/firstcontact/premise"
)

type flags struct {
	input.MotionFlags
	json bool
}

// Report is what doctor prints with --json.
type Report struct {
	answer.Head
	// ok; warning: there are warnings alone; gap: no verdict would be free; wrong: an answer of the
	// self-test is wrong.
	Status string `json:"status"`
	// Version of Cyclone DDS that the program was built with; absent without it.
	Cyclone string `json:"cyclone_dds,omitempty"`
	// Version of Fast DDS that the program was built with; absent without it.
	Fast string `json:"fast_dds,omitempty"`
	// Graphics processor that swept=gpu would use, or why there is none; absent in a program
	// built without graphics.
	Graphics string `json:"graphics,omitempty"`
	// Transport of a node in this environment: cyclone or fastdds.
	Transport string `json:"transport"`
	// ROS variables that are set.
	Environment map[string]string `json:"environment"`
	// Domain of a node in this environment.
	Domain int `json:"domain"`
	// What a user should know of the environment.
	Notes []string `json:"notes,omitempty"`
	// The questions of the self-test.
	SelfTest []selftest.Answer `json:"self_test"`
	// What was found, by file: the model is that of robot and scene.
	Findings []findings `json:"findings"`

	accept premise.Accept
}

// findings is what was found about robot and scene, or about a motion.
type findings struct {
	// "robot and scene", or the name of a motion.
	Of string `json:"of"`
	// What is implausible.
	Warnings []answer.Warning `json:"warnings"`
	// All other gaps.
	Gaps []premise.Premise `json:"gaps"`
}

// rosVariables are those of the environment that a node or the search for packages reads.
var rosVariables = []string{
	"ROS_DISTRO", "ROS_DOMAIN_ID", "RMW_IMPLEMENTATION", "CYCLONEDDS_URI", "ROS_AUTOMATIC_DISCOVERY_RANGE", "ROS_LOCALHOST_ONLY", "ROS_STATIC_PEERS",
	"ROS_DISCOVERY_SERVER", "ROS_SECURITY_ENABLE", "ROS_SECURITY_STRATEGY", "ROS_SECURITY_KEYSTORE", "ROS_SECURITY_ENCLAVE_OVERRIDE", "AMENT_PREFIX_PATH", "ROS_PACKAGE_PATH",
}

// knownAnswers are the questions of the self-test. Tests replace them.
var knownAnswers = selftest.Questions

// examine prints the environment, the self-test and the findings.
func (f *flags) examine(ctx context.Context, s cli.Streams, motions []string) error {
	e := Report{Head: answer.HeadOf("doctor"), Status: "ok", Cyclone: cyclone.Version, Fast: fastdds.Version, Graphics: graphicsDevice(), Environment: map[string]string{}, Findings: []findings{}}
	if err := e.surroundings(); err != nil {
		return err
	}
	var err error
	if e.SelfTest, err = selftest.Run(ctx, knownAnswers()); err != nil {
		return err
	}
	switch {
	case len(f.Robots) > 0:
		if err := f.find(ctx, s, motions, &e); err != nil {
			return err
		}
	case len(motions) > 0 || f.Scene != "" || len(f.SRDFs) > 0:
		return cli.UsageError{Err: errors.New("--robot is needed to look at an SRDF, a scene or motions: the robot's URDF file")}
	}
	status := e.judge()
	if f.json {
		err = answer.Encode(s.Out, &e)
	} else {
		err = e.write(s.Out)
	}
	switch {
	case err != nil:
		return cli.InternalError{Err: err}
	case status == cli.ExitInternal:
		return cli.InternalError{Err: selftest.ErrWrong}
	case status != cli.ExitFree:
		return cli.Outcome(status)
	}
	return nil
}

// surroundings reads the ROS variables.
func (e *Report) surroundings() error {
	for _, name := range rosVariables {
		if value, ok := os.LookupEnv(name); ok {
			e.Environment[name] = value
		}
	}
	env, err := ros.ReadEnvironment(nil)
	if err != nil {
		return err
	}
	rosnode.Transport(&env)
	e.Domain, e.Transport = env.Domain, env.Transport
	for _, n := range env.Notes() {
		e.Notes = append(e.Notes, n.Text)
	}
	return nil
}

// find looks at the robot, the scene and each motion.
func (f *flags) find(ctx context.Context, s cli.Streams, motions []string, e *Report) error {
	robot, err := f.Load(ctx)
	if err != nil {
		return err
	}
	given, _, err := f.Setting(ctx, s, robot)
	if err != nil {
		return err
	}
	base := given.Checker
	e.accept = f.Accept
	e.add("robot and scene", slices.Concat(base.Plausible().Findings(), base.Plausible().State(base.State())), base.Premises())
	jobs, err := f.Tasks(ctx, s, robot, motions)
	if err != nil {
		return err
	}
	for i := range jobs {
		j := &jobs[i]
		c, _, err := j.Checker()
		if err != nil {
			return fmt.Errorf("%s: %w", j.ID, err)
		}
		found, gaps := c.Plausible().Motion(j.Motion), j.Motion.Gaps
		if c != base { // it has its own obstacles or its own start
			found = append(found, slices.Concat(c.Plausible().Findings(), c.Plausible().State(c.State()))...)
		}
		e.add(j.ID, found, gaps)
	}
	return nil
}

// add adds what was found, and of the premises the other gaps.
func (e *Report) add(of string, found []plausible.Finding, premises []premise.Premise) {
	x := findings{Of: of, Warnings: answer.Warnings(found), Gaps: []premise.Premise{}}
	for i := range found {
		p := found[i].Premise()
		x.Warnings[i].Gap = x.Warnings[i].Gap && !e.accept.Covers(&p)
	}
	for i := range premises {
		if p := &premises[i]; p.IsGap() && p.Kind != premise.Implausible && !e.accept.Covers(p) {
			x.Gaps = append(x.Gaps, *p)
		}
	}
	e.Findings = append(e.Findings, x)
}

// judge sets the status, and returns the exit status.
func (e *Report) judge() int {
	status := cli.ExitFree
	for i := range e.Findings {
		x := &e.Findings[i]
		for k := range x.Warnings {
			if e.Status == "ok" {
				e.Status, status = "warning", cli.ExitContact
			}
			if x.Warnings[k].Gap {
				e.Status, status = "gap", cli.ExitUndecided
			}
		}
		if len(x.Gaps) > 0 {
			e.Status, status = "gap", cli.ExitUndecided
		}
	}
	if slices.ContainsFunc(e.SelfTest, func(a selftest.Answer) bool { return !a.Right }) {
		e.Status, status = "wrong", cli.ExitInternal
	}
	return status
}

// write prints a line for each thing.
func (e *Report) write(w io.Writer) error {
	var err error
	line := func(word, format string, args ...any) {
		if err == nil {
			_, err = fmt.Fprintf(w, "%-6s %s\n", word, fmt.Sprintf(format, args...))
		}
	}
	line("ok", "%s", e.Program)
	if e.Cyclone != "" {
		line("ok", "built with Cyclone DDS %s", e.Cyclone)
	}
	if e.Fast != "" {
		line("ok", "built with Fast DDS %s", e.Fast)
	}
	if e.Cyclone == "" && e.Fast == "" {
		line("ok", "built without Cyclone DDS and Fast DDS: check works, node does not")
	}
	if e.Graphics != "" {
		line("ok", "built with graphics: %s", e.Graphics)
	} else {
		line("ok", "built without graphics: no swept=gpu")
	}
	e.writeEnvironment(line)
	e.writeSelfTest(line)
	for i := range e.Findings {
		e.Findings[i].write(line)
	}
	return err
}

func (e *Report) writeEnvironment(line func(word, format string, args ...any)) {
	for _, name := range rosVariables {
		if value, ok := e.Environment[name]; ok {
			line("ok", "%s=%s", name, value)
		}
	}
	line("ok", "a node would join domain %d", e.Domain)
	for _, note := range e.Notes {
		line("note", "%s", note)
	}
}

func (e *Report) writeSelfTest(line func(word, format string, args ...any)) {
	right := 0
	for i := range e.SelfTest {
		a := &e.SelfTest[i]
		if a.Right {
			right++
			continue
		}
		line("wrong", "self-test, %s: %s: %s instead of %s", a.Method, a.Question, a.Answer, a.Known)
	}
	if right == len(e.SelfTest) {
		line("ok", "self-test: all %d answers are those of the formulas", right)
	}
}

func (x *findings) write(line func(word, format string, args ...any)) {
	if len(x.Warnings)+len(x.Gaps) == 0 {
		line("ok", "%s: nothing is implausible, and there is no gap", x.Of)
	}
	for i := range x.Warnings {
		v := &x.Warnings[i]
		word, accept := "warn", ""
		if v.Gap {
			word, accept = "gap", "; to accept it as it is, --accept implausible:"+v.Name
		}
		file := ""
		if v.File != "" {
			file = ", " + v.File
		}
		line(word, "%s: %s: %s (measured %.4g, threshold %.4g%s); %s%s", x.Of, v.Name, v.Message, *v.Value, *v.Limit, file, v.Remedy, accept)
	}
	for i := range x.Gaps {
		line("gap", "%s: %s", x.Of, x.Gaps[i].Why())
	}
}
