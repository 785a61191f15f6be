package oracle

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"sync"
)

// Oracle is a running fcl_oracle. It holds one robot among objects. Use it from
// one goroutine at a time; Close it when done.
//
// Lengths are metres and angles radians; poses of objects are in the frame of
// the robot's root link; configurations follow the order given to Joints.
type Oracle struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr *tail
	asked  int
	broken error
}

// AnswerError is what the program answers to a line it cannot obey. The line
// has changed nothing.
type AnswerError struct {
	Line string // what was sent
	Text string // what is wrong with it
}

// Error gives the program's words and the line.
func (e *AnswerError) Error() string {
	return fmt.Sprintf("fcl_oracle: %s (in answer to %q)", e.Text, shorten(e.Line))
}

// Start runs the binary that Build made.
func Start(binary string) (*Oracle, error) {
	cmd := exec.Command(binary)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("start fcl_oracle: %w", err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("start fcl_oracle: %w", err)
	}
	o := &Oracle{cmd: cmd, in: in, out: bufio.NewReader(out), stderr: &tail{}}
	cmd.Stderr = o.stderr
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start fcl_oracle: %w", err)
	}
	return o, nil
}

// Close ends the program. It returns the error that broke the conversation, if
// one did.
func (o *Oracle) Close() error {
	if o.cmd == nil {
		return o.broken
	}
	o.in.Close()
	err := o.cmd.Wait()
	o.cmd = nil
	if o.broken == nil {
		o.broken = errors.New("fcl_oracle is closed")
		return err
	}
	return o.broken
}

// ask sends one line of words, quoted where they must be, and returns the words
// of the answer after the expected first ones.
func (o *Oracle) ask(expect []string, words ...string) ([]string, error) {
	if o.broken != nil {
		return nil, o.broken
	}
	line := join(words)
	if strings.ContainsAny(line, "\n\r") {
		return nil, fmt.Errorf("fcl_oracle: a name holds a line break: %q", shorten(line))
	}
	if _, err := io.WriteString(o.in, line+"\n"); err != nil {
		return nil, o.fail(line, err)
	}
	text, err := o.out.ReadString('\n')
	if err != nil {
		return nil, o.fail(line, err)
	}
	text = strings.TrimSuffix(text, "\n")
	if reason, bad := strings.CutPrefix(text, "error "); bad {
		return nil, &AnswerError{Line: line, Text: reason}
	}
	answer, err := split(text)
	if err != nil {
		return nil, o.fail(line, err)
	}
	if len(answer) < len(expect) || join(answer[:len(expect)]) != join(expect) {
		return nil, o.fail(line, fmt.Errorf("answer %q does not begin with %q", shorten(text), join(expect)))
	}
	return answer[len(expect):], nil
}

// fail ends the conversation: after a lost answer no later one can be trusted.
func (o *Oracle) fail(line string, err error) error {
	o.broken = fmt.Errorf("fcl_oracle broke off at %q: %w%s", shorten(line), err, o.stderr.suffix())
	return o.broken
}

// garbled ends the conversation over an answer that cannot be read.
func (o *Oracle) garbled(what string, answer []string) error {
	return o.fail(what, fmt.Errorf("answer %q makes no sense", shorten(join(answer))))
}

// parse reads a number of an answer.
func (o *Oracle) parse(word string) (float64, error) {
	x, err := strconv.ParseFloat(word, 64)
	if err != nil {
		return 0, o.garbled("a number", []string{word})
	}
	return x, nil
}

// question asks one of the commands that carry an id and checks that the answer
// carries it too.
func (o *Oracle) question(command string, words ...string) ([]string, error) {
	o.asked++
	id := strconv.Itoa(o.asked)
	return o.ask([]string{command, id}, append([]string{command, id}, words...)...)
}

// command asks for something to be done.
func (o *Oracle) command(words ...string) ([]string, error) {
	return o.ask([]string{"ok", words[0]}, words...)
}

func shorten(line string) string {
	const most = 200
	if len(line) > most {
		return line[:most] + "..."
	}
	return line
}

// tail keeps the end of what the program says on standard error.
type tail struct {
	mu   sync.Mutex
	kept []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, p...)
	if extra := len(t.kept) - 4096; extra > 0 {
		t.kept = t.kept[extra:]
	}
	return len(p), nil
}

func (t *tail) suffix() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if said := bytes.TrimSpace(t.kept); len(said) > 0 {
		return "; it said: " + string(said)
	}
	return ""
}
