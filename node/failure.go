package node

import (
	"errors"
	"strings"

	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// Logged is an error of New or Run that the node's log has already, as lines of level FATAL on
// standard error and /rosout. Of an internal fault the log has the first line only.
type Logged struct{ Err error }

// Error returns the text of the error.
func (l Logged) Error() string { return l.Err.Error() }

// Unwrap returns the error.
func (l Logged) Unwrap() error { return l.Err }

// failed logs why the node ends.
func failed(log *ros.Logger, err error) error {
	if err == nil {
		return nil
	}
	lines := strings.Split(err.Error(), "\n")
	if errors.Is(err, ErrInternal) { // stacks follow
		lines = lines[:1]
	}
	for _, line := range lines {
		log.Fatalf("%s", line)
	}
	return Logged{err}
}
