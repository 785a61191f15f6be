package ros_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/rclinterfaces"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// hasty is a transport whose readers of services get a sample before NewReader returns, and
// some time to receive it.
type hasty struct{ *ros.Memory }

func (t hasty) Open(o ros.ParticipantOptions) (ros.Participant, error) {
	p, err := t.Memory.Open(o)
	return hastyParticipant{p}, err
}

type hastyParticipant struct{ ros.Participant }

func (p hastyParticipant) NewReader(e ros.Endpoint, receive func(ros.Sample)) (ros.Reader, error) {
	if strings.HasPrefix(e.Topic, "rq/") || strings.HasPrefix(e.Topic, "rr/") {
		received := make(chan struct{})
		go func() {
			defer close(received)
			receive(ros.Sample{Data: make([]byte, 64), Writer: ros.GUID{1}, Related: related(e.Topic)})
		}()
		select {
		case <-received:
		case <-time.After(20 * time.Millisecond):
		}
	}
	return p.Participant.NewReader(e, receive)
}

// related makes a reply one in the form of rmw_fastrtps, of which the client knows by its
// endpoints whether it is its own.
func related(topic string) (id ros.SampleID) {
	if strings.HasPrefix(topic, "rr/") {
		id = ros.SampleID{Writer: ros.GUID{2}, Sequence: 1}
	}
	return id
}

// Requests and replies of others may come while a service or a client is being made.
func TestSamplesBeforeAServiceIsOpen(t *testing.T) {
	type (
		request  = rclinterfaces.GetParametersRequest
		response = rclinterfaces.GetParametersResponse
	)
	n := newNode(t, hasty{ros.NewMemory()}, ros.Options{Name: "robot"})
	service, err := ros.Serve(n, "ask", ros.ServiceQoS, func(context.Context, *request) *response { return &response{} })
	if err != nil {
		t.Fatal(err)
	}
	for service.Foreign() == 0 {
		time.Sleep(time.Millisecond)
	}
	client, err := ros.NewClient[request, response](n, "ask", ros.ServiceQoS)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Call(shortly(t), &request{}); err != nil {
		t.Error(err)
	}
}
