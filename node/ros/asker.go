package ros

import (
	"errors"
	"fmt"
	"strings"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/msgs/cdr"
)

// A request and its reply tell what they belong to in one of two forms. rmw_cyclonedds puts a
// cdr.RequestID before the body of both; its clients announce a clientid in the user data of
// their endpoints and its services a serviceid. rmw_fastrtps sends the body alone, and beside
// it the identity of another sample: with a request the client's reader of replies, with a
// reply that reader and the request's sequence number. A transport without RelatedWriter
// cannot answer the latter.

// asker is where a request comes from, and the form in which it is answered.
type asker struct {
	client  string        // the id that it announces, or the reader of its replies
	id      cdr.RequestID // before the bodies of request and reply, unless related is set
	related SampleID      // that goes beside the reply
}

// asker tells the form of a request. It is an error if that is unknown.
func (s *Service) asker(sample Sample) (asker, error) {
	if sample.Related.IsZero() {
		client, err := s.clients.of(sample.Writer, s.reader)
		return asker{client: client}, err
	}
	if _, can := s.writer.(RelatedWriter); !can {
		return asker{}, errors.New("it is in the form of rmw_fastrtps, in which this node cannot answer: its own transport is another; run it with RMW_IMPLEMENTATION=rmw_fastrtps_cpp, or the caller with rmw_cyclonedds_cpp")
	}
	if sample.Sequence == 0 {
		return asker{}, errors.New("it has no sequence number")
	}
	return asker{client: "reader " + sample.Related.Writer.String(), related: SampleID{Writer: sample.Related.Writer, Sequence: sample.Sequence}}, nil
}

// decode reads a request. If it exceeds the bounds or is incomplete, decode returns the reason
// as broken, and m is of no use. Other errors are returned as err.
func (c *asker) decode(b Bounds, s Sample, m cdr.Message) (broken, err error) {
	if !c.related.IsZero() {
		return b.decode(s, m)
	}
	c.id, broken, err = b.decodeRequest(s, m)
	return broken, err
}

// decodeHead reads what is there of a request that decode found broken.
func (c *asker) decodeHead(b Bounds, s Sample, m cdr.Message) (err error) {
	if !c.related.IsZero() {
		b.Fields.Head(s.Data, m)
		return nil
	}
	c.id, err = b.Fields.HeadService(s.Data, m)
	return err
}

// encode returns a reply.
func (c *asker) encode(m cdr.Message) ([]byte, error) {
	if !c.related.IsZero() {
		return cdr.AppendMarshal(nil, m)
	}
	return cdr.AppendService(nil, c.id, m)
}

// hears reports whether the client's reader of replies is among these.
func (c *asker) hears(readers []Match) bool {
	if c.related.IsZero() {
		return announces(readers, "clientid", c.client)
	}
	return isAmong(readers, c.related.Writer)
}

func isAmong(endpoints []Match, guid GUID) bool {
	for _, m := range endpoints {
		if m.GUID == guid {
			return true
		}
	}
	return false
}

// writeRelated writes a message, with an identity beside it if that is not zero.
func writeRelated(w Writer, data []byte, related SampleID) error {
	if related.IsZero() {
		return w.Write(data)
	}
	_, err := w.(RelatedWriter).WriteRelated(data, related)
	return err
}

// known caches the clients that writers of requests belong to: to query all matches of the
// reader takes long if there are many.
type known map[GUID]string

func (k *known) of(writer GUID, reader Reader) (client string, err error) {
	if client = (*k)[writer]; client != "" {
		return client, nil
	}
	if client, err = clientOf(writer, reader.Matches()); err != nil {
		return "", err
	}
	if *k == nil || len(*k) >= limit.GraphPeers {
		*k = known{}
	}
	(*k)[writer] = client
	return client, nil
}

// clientOf returns the id of the client that a writer of requests belongs to. It is an error
// if the writer does not announce one, so that it is not known to put a request id before the
// body.
func clientOf(writer GUID, writers []Match) (string, error) {
	const remedy = "call from a node with RMW_IMPLEMENTATION=rmw_cyclonedds_cpp"
	for _, m := range writers {
		if m.GUID != writer {
			continue
		}
		if id := userDataValue(m.UserData, "clientid"); id != "" {
			return id, nil
		}
		if v, known := writer.Vendor(); known && v != cycloneVendor {
			return "", fmt.Errorf("its writer is of DDS vendor %s, and this node cannot tell the form of its requests; %s", v, remedy)
		}
		return "", errors.New("its writer announces no clientid, so the form of its requests is unknown; " + remedy)
	}
	return "", errors.New("its writer is gone, so the form of its requests is unknown; keep the client until the reply arrives")
}

// requestID reads the header of a request or reply and nothing else.
func requestID(data []byte) (cdr.RequestID, error) {
	var r cdr.Reader
	if err := r.Reset(data); err != nil {
		return cdr.RequestID{}, err
	}
	id := cdr.RequestID{Client: r.Uint64(), Sequence: r.Int64()}
	return id, r.Err()
}

// userDataValue finds a key in user data of the form "key=value;key=value;".
func userDataValue(data, key string) string {
	for _, entry := range strings.Split(data, ";") {
		if k, v, ok := strings.Cut(entry, "="); ok && k == key {
			return v
		}
	}
	return ""
}

// announces reports whether one of the endpoints has the value under the key in
// its user data.
func announces(endpoints []Match, key, value string) bool {
	for _, m := range endpoints {
		if userDataValue(m.UserData, key) == value {
			return true
		}
	}
	return false
}
