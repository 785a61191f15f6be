package premises

import (
	"bufio"
	"fmt"
	"io"
	"os/exec"
	"strings"
)

// judge is a running premise_judge.
type judge struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func startJudge(binary string) (*judge, error) {
	cmd := exec.Command(binary)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start premise_judge: %w", err)
	}
	return &judge{cmd, in, bufio.NewReaderSize(out, 1<<16)}, nil
}

func (j *judge) close() error {
	j.in.Close()
	return j.cmd.Wait()
}

// ask sends lines and returns one answer for each.
func (j *judge) ask(lines []string) ([]string, error) {
	if _, err := io.WriteString(j.in, strings.Join(lines, "\n")+"\n"); err != nil {
		return nil, fmt.Errorf("premise_judge broke off: %w", err)
	}
	answers := make([]string, len(lines))
	for i := range answers {
		text, err := j.out.ReadString('\n')
		if err != nil {
			return nil, fmt.Errorf("premise_judge broke off at %q: %w", lines[i], err)
		}
		answers[i] = strings.TrimSuffix(text, "\n")
	}
	return answers, nil
}
