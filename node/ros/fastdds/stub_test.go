//go:build !fastdds || !cgo

package fastdds

import (
	"errors"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/node/ros"
)

func TestWithoutTheTagOpenSaysHowToBuild(t *testing.T) {
	_, err := ros.NewNode(Transport{}, ros.Options{Name: "n"})
	if !errors.Is(err, ErrNotBuilt) || !strings.Contains(err.Error(), "-tags fastdds") {
		t.Errorf("the error is %v", err)
	}
	if Available {
		t.Error("the stub claims to be available")
	}
}
