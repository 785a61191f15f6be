package queue

import (
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// Server is a NATS server in this process.
type Server struct{ s *server.Server }

// Embed starts a server that keeps its streams in a folder. It listens on the loopback interface, for whoever has the token.
func Embed(dir, token string) (*Server, error) { return embedded(options(dir, token)) }

func options(dir, token string) *server.Options {
	return &server.Options{
		ServerName: "firstcontact", JetStream: true, StoreDir: dir, Host: "127.0.0.1", Port: server.RANDOM_PORT, Authorization: token,
		NoSigs: true, NoLog: true, MaxPayload: 8 << 20,
	}
}

func embedded(o *server.Options) (*Server, error) {
	s, err := server.NewServer(o)
	if err != nil {
		return nil, err
	}
	s.Start()
	if !s.ReadyForConnections(20 * time.Second) {
		s.Shutdown()
		return nil, errors.New("the server does not start")
	}
	return &Server{s}, nil
}

// URL is where workers on this machine find it.
func (s *Server) URL(token string) string {
	return fmt.Sprintf("nats://%s@%s", token, s.s.Addr())
}

// Inside is the option of a connection from this process.
func (s *Server) Inside() nats.Option { return nats.InProcessServer(s.s) }

// Stop ends the server; its streams stay on disk.
func (s *Server) Stop() {
	s.s.Shutdown()
	s.s.WaitForShutdown()
}
