package spacetime_test

import (
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/engine/spacetime"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/enginetest"
)

func TestEngine(t *testing.T) {
	enginetest.Run(t, enginetest.Suite{Engine: spacetime.Engine{}})
}
