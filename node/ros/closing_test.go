package ros_test

import (
	"context"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/rclinterfaces"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// A reply may come while the service closes, and after that: its client, which was never answered before and is gone, is
// not waited for. The race detector sees what Close would not wait for.
func TestReplyToAClosingService(t *testing.T) {
	type (
		request  = rclinterfaces.GetParametersRequest
		response = rclinterfaces.GetParametersResponse
	)
	for range 10 {
		transport := ros.NewMemory()
		n, user := newNode(t, transport, ros.Options{Name: "robot"}), newNode(t, transport, ros.Options{Name: "user"})
		replies := make(chan func(*response), 2)
		service, err := ros.ServeEach(n, "ask", ros.ServiceQoS, func(_ *request, _ ros.RequestInfo, reply func(*response)) { replies <- reply })
		if err != nil {
			t.Fatal(err)
		}
		var ask [2]func(*response)
		for i := range ask {
			client, err := ros.NewClient[request, response](user, "ask", ros.ServiceQoS)
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(shortly(t))
			called := make(chan error, 1)
			go func() {
				_, err := client.Call(ctx, &request{})
				called <- err
			}()
			ask[i] = <-replies
			cancel()
			if <-called == nil {
				t.Fatal("there is an answer")
			}
			client.Close()
		}
		replied := make(chan struct{})
		go func() {
			defer close(replied)
			ask[0](&response{})
		}()
		if err := service.Close(); err != nil {
			t.Fatal(err)
		}
		<-replied
		dropped := service.Unheard()
		ask[1](&response{})
		time.Sleep(2 * time.Millisecond) // what waited for a client would see at once that the service has ended
		if service.Unheard() != dropped {
			t.Error("a reply began to wait for its client after the service had closed")
		}
	}
}
