package live

import (
	"bufio"
	"crypto/sha1" //nolint:gosec // RFC 6455 asks for it; nothing rests on it
	"encoding/base64"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"sync"
	"time"
)

// socket is the server's end of a WebSocket (RFC 6455) that only sends: texts in one frame each.
// What a client sends besides control frames ends the connection.
type socket struct {
	conn     net.Conn
	in       *bufio.Reader
	received chan uint64 // the number of the newest view that has come to the client

	mu sync.Mutex // of writing
}

// Opcodes of frames.
const (
	opText  = 0x1
	opClose = 0x8
	opPing  = 0x9
	opPong  = 0xA
)

// Statuses of a close frame.
const (
	closeGoing  = 1001 // the server ends
	closePolicy = 1008 // the client sent what it may not
	closeFull   = 1013 // try again later
)

// upgrade makes a socket of a connection on which a request came, or answers that it cannot. The
// caller closes it.
func upgrade(conn net.Conn, in *bufio.Reader, r *request) *socket {
	key := r.get("sec-websocket-key")
	raw, err := base64.StdEncoding.DecodeString(key)
	if err != nil || len(raw) != 16 || !r.lists("connection", "upgrade") || !r.lists("upgrade", "websocket") || r.get("sec-websocket-version") != "13" {
		refused(426, "this address answers WebSockets of version 13 alone", "Sec-WebSocket-Version: 13").write(conn, r.method)
		return nil
	}
	s := &socket{conn: conn, in: in, received: make(chan uint64, 1)}
	sum := sha1.Sum([]byte(key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11")) //nolint:gosec
	accepted := "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: " +
		base64.StdEncoding.EncodeToString(sum[:]) + "\r\n\r\n"
	if conn.SetDeadline(time.Time{}) != nil || s.write([]byte(accepted)) != nil {
		return nil
	}
	return s
}

// patience is how long a client may take to receive a view, until it has said so. Who is slower is
// dropped.
const patience = 2 * time.Second

func (s *socket) write(parts ...[]byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.conn.SetWriteDeadline(time.Now().Add(patience)); err != nil {
		return err
	}
	buffers := net.Buffers(parts)
	_, err := buffers.WriteTo(s.conn)
	return err
}

// frame sends a whole message.
func (s *socket) frame(op byte, payload []byte) error {
	head := []byte{0x80 | op} // the last frame of the message, which is not masked
	switch n := len(payload); {
	case n < 126:
		head = append(head, byte(n))
	case n < 1<<16:
		head = binary.BigEndian.AppendUint16(append(head, 126), uint16(n))
	default:
		head = binary.BigEndian.AppendUint64(append(head, 127), uint64(n))
	}
	return s.write(head, payload)
}

// view sends a view, and a ping with its number, which the client answers once both have come.
func (s *socket) view(text []byte, number uint64) error {
	if err := s.frame(opText, text); err != nil {
		return err
	}
	return s.frame(opPing, binary.BigEndian.AppendUint64(nil, number))
}

// end says goodbye, with a reason of at most 123 bytes, and closes the connection.
func (s *socket) end(status uint16, reason string) error {
	return errors.Join(s.frame(opClose, append(binary.BigEndian.AppendUint16(nil, status), reason...)), s.conn.Close())
}

var errClosed = errors.New("the client has closed the connection")

// listen answers and takes control frames until the connection ends, or the client sends anything else.
func (s *socket) listen() error {
	for {
		op, payload, err := s.control()
		switch {
		case err != nil:
			return err
		case op == opClose:
			return errClosed
		case op == opPing:
			if err := s.frame(opPong, payload); err != nil {
				return err
			}
		case op == opPong && len(payload) == 8:
			select {
			case <-s.received: // of an older view
			default:
			}
			s.received <- binary.BigEndian.Uint64(payload)
		}
	}
}

// errData is the error of a client that sends more than control frames.
var errData = errors.New("the client sends data, and this view is read only")

// control reads a control frame, whose payload has at most 125 bytes.
func (s *socket) control() (op byte, payload []byte, err error) {
	var head [2]byte
	if _, err := io.ReadFull(s.in, head[:]); err != nil {
		return 0, nil, err
	}
	op = head[0] & 0xF
	size := int(head[1] & 0x7F)
	if head[0]&0xF0 != 0x80 || op != opClose && op != opPing && op != opPong || head[1]&0x80 == 0 || size > 125 {
		return 0, nil, errData // fragments, extensions, data, frames without a mask
	}
	var rest [4 + 125]byte
	if _, err := io.ReadFull(s.in, rest[:4+size]); err != nil {
		return 0, nil, err
	}
	payload = rest[4 : 4+size]
	for i := range payload {
		payload[i] ^= rest[i%4]
	}
	return op, payload, nil
}
