package view

import (
	"testing"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/clitest"
)

func TestMain(m *testing.M) { clitest.Main(m) }
