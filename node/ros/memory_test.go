package ros_test

import (
	"testing"

	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/node/ros/internal/transporttest"
)

func TestMemoryTransport(t *testing.T) {
	side := transporttest.Side{Transport: ros.NewMemory()}
	transporttest.Run(t, side, side)
}

func TestRelatingMemoryTransport(t *testing.T) {
	side := transporttest.Side{Transport: ros.NewRelatingMemory()}
	transporttest.Run(t, side, side)
}
