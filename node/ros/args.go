package ros

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/firstcontact-ros/firstcontact/internal/base/infile"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/base/spelling"
)

// Args is a parsed command line: the program's own arguments, and those between --ros-args and
// "--" (or the end).
type Args struct {
	// Own are the arguments outside --ros-args.
	Own []string
	// Remaps are the rules of -r and --remap, in order.
	Remaps []Remap
	// Parameters are the values of --params-file, in order, followed by those of -p and
	// --param, in order.
	Parameters []Parameter
	// Log are the levels of --log-level.
	Log LogLevels
	// Enclave is the value of -e or --enclave; empty means "/".
	Enclave string
	// NoRosout and NoStdout are set by --disable-rosout-logs and --disable-stdout-logs. A
	// later --enable-… resets them.
	NoRosout, NoStdout bool
	// Ineffective are the options that ROS has and that have no effect here, as given.
	Ineffective []string
}

// Notes warns of the options that have no effect.
func (a Args) Notes() []Note {
	var notes []Note
	for _, option := range a.Ineffective {
		notes = append(notes, Note{LevelWarn, option + " has no effect: the log goes to standard error and to /rosout, and nowhere else"})
	}
	return notes
}

// ArgumentError is a fault of the command line itself, not of a file that it names.
type ArgumentError struct{ error }

// Unwrap returns the fault.
func (e ArgumentError) Unwrap() error { return e.error }

// ParseArgs parses the arguments of a ROS node; args does not contain the program's name.
// --ros-args may occur several times, as launch writes it. An unknown argument after it, or
// one with a malformed value, is an ArgumentError that names it.
func ParseArgs(args []string) (Args, error) { return ParseArgsContext(context.Background(), args) }

// ParseArgsContext is like ParseArgs, but returns an error that wraps ctx's error once ctx is
// done: a parameter file may be a pipe.
func ParseArgsContext(ctx context.Context, args []string) (Args, error) {
	p := argParser{ctx: ctx, rest: args}
	for len(p.rest) > 0 {
		arg := p.next()
		switch {
		case arg == "--ros-args":
			p.inside = true
		case !p.inside:
			p.Own = append(p.Own, arg)
		case arg == "--":
			p.inside = false
		default:
			if err := p.option(arg); err != nil {
				return Args{}, fmt.Errorf("--ros-args: %w", err)
			}
		}
	}
	p.Parameters = append(p.fromFiles, p.fromLine...)
	return p.Args, nil
}

type argParser struct {
	ctx context.Context
	Args
	rest                []string
	inside              bool
	fromFiles, fromLine []Parameter
}

func (p *argParser) next() string {
	arg := p.rest[0]
	p.rest = p.rest[1:]
	return arg
}

// option reads one option inside --ros-args, and its value.
func (p *argParser) option(arg string) error {
	if known, err := p.flag(arg); known {
		return err
	}
	read, known := map[string]func(string) error{
		"-r": p.remap, "--remap": p.remap,
		"-p": p.param, "--param": p.param,
		"-e": p.enclave, "--enclave": p.enclave,
		"--params-file":     p.paramsFile,
		"--log-level":       p.logLevel,
		"--log-config-file": p.ignore(arg),
		"--log-file-name":   p.ignore(arg),
	}[arg]
	if !known {
		return unknownOption(arg)
	}
	if len(p.rest) == 0 {
		return ArgumentError{fmt.Errorf("%s needs a value", arg)}
	}
	err := read(p.next())
	switch {
	case err == nil:
		return nil
	case arg == "--params-file":
		return fmt.Errorf("%s: %w", arg, err)
	}
	return ArgumentError{fmt.Errorf("%s: %w", arg, err)}
}

// options are the options inside --ros-args.
var options = []string{
	"--remap", "--param", "--params-file", "--enclave", "--log-level", "--log-config-file", "--log-file-name",
	"--enable-rosout-logs", "--disable-rosout-logs", "--enable-stdout-logs", "--disable-stdout-logs",
	"--enable-external-lib-logs", "--disable-external-lib-logs",
}

func unknownOption(arg string) error {
	hint := spelling.Hint(arg, options)
	if name, value, joined := strings.Cut(arg, "="); joined && slices.Contains(options, name) {
		hint = fmt.Sprintf(" (write %s %s)", name, strings.TrimPrefix(value, "="))
	}
	if strings.Contains(arg, ":=") && !strings.HasPrefix(arg, "-") {
		hint = fmt.Sprintf(" (write -p %s for a parameter, -r %s for a name)", arg, arg)
	}
	return ArgumentError{fmt.Errorf("unknown argument %q%s; put the program's own arguments before --ros-args or after \"--\"", arg, hint)}
}

// flag reads --enable-X-logs and --disable-X-logs. There is no log to an external library.
func (p *argParser) flag(arg string) (known bool, err error) {
	what, disable := strings.CutPrefix(arg, "--disable-")
	if !disable {
		var enable bool
		if what, enable = strings.CutPrefix(arg, "--enable-"); !enable {
			return false, nil
		}
	}
	switch what {
	case "rosout-logs":
		p.NoRosout = disable
	case "stdout-logs":
		p.NoStdout = disable
	case "external-lib-logs":
		if !disable {
			p.Ineffective = append(p.Ineffective, arg)
		}
	default:
		return true, unknownOption(arg)
	}
	return true, nil
}

// ignore returns the reader of an option without effect.
func (p *argParser) ignore(option string) func(string) error {
	return func(value string) error {
		p.Ineffective = append(p.Ineffective, option+" "+value)
		return nil
	}
}

func (p *argParser) remap(s string) error {
	rule, err := ParseRemap(s)
	p.Remaps = append(p.Remaps, rule)
	return err
}

func (p *argParser) enclave(s string) error {
	if err := CheckNamespace(s); err != nil {
		return fmt.Errorf("enclave: %w", err)
	}
	p.Enclave = s
	return nil
}

func (p *argParser) logLevel(s string) error {
	name, text, named := strings.Cut(s, ":=")
	if !named {
		text = s
	} else if name == "" {
		return fmt.Errorf("%q lacks the logger's name; write logger:=level", s)
	}
	level, err := ParseLevel(text)
	if err != nil {
		return err
	}
	if !named {
		p.Log.Default = level
		return nil
	}
	if p.Log.ByName == nil {
		p.Log.ByName = map[string]Level{}
	}
	p.Log.ByName[name] = level
	return nil
}

// commandLine is the Source of parameters that stand on the command line.
const commandLine = "command line"

// param reads [node:]name:=value with a value in YAML.
func (p *argParser) param(s string) error {
	left, text, found := strings.Cut(s, ":=")
	if !found {
		return fmt.Errorf("%q lacks ':='; write name:=value", s)
	}
	param := Parameter{Node: "/**", Name: left, Source: commandLine}
	if node, name, ok := cutNode(left); ok {
		param.Node, param.Name = absolute(node), name
	}
	if param.Name == "" || param.Node == "/" {
		return fmt.Errorf("%q: a name is empty", s)
	}
	var err error
	if param.Value, err = parseParameterValue(text); err != nil {
		return fmt.Errorf("%q: %w", s, err)
	}
	p.fromLine = append(p.fromLine, param)
	return nil
}

func (p *argParser) paramsFile(path string) error {
	data, err := infile.Read(p.ctx, path, limit.ParameterBytes)
	if err != nil {
		return err
	}
	params, err := ParseParameters(data, path)
	p.fromFiles = append(p.fromFiles, params...)
	return err
}

// ParametersFor returns the parameters of a node, which is given by its fully qualified name.
// Later entries of Parameters override earlier ones.
func (a Args) ParametersFor(node string) map[string]Parameter {
	found := map[string]Parameter{}
	for _, p := range a.Parameters {
		if p.AppliesTo(node) {
			found[p.Name] = p
		}
	}
	return found
}
