package ros

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/cdr"
)

// Options of a node. Name is required; the zero value of the rest makes a node in the
// namespace "/" of domain 0 with the newest wire form.
type Options struct {
	// Name and Namespace are the node's names before the remapping rules of Args.
	Name, Namespace string
	// Args is the parsed command line.
	Args Args
	// Env is the ROS environment, as ReadEnvironment returns it.
	Env Environment
	// Logger replaces the default: standard error at the levels of Args.
	Logger *Logger
}

// Node is a member of the ROS graph: it has a name, and the readers, writers, services and
// clients that are made with it. Its methods, and the functions that take a node, are safe for
// concurrent use.
type Node struct {
	names       names
	args        Args
	enclave     string
	secured     bool
	wire        WireForm
	log         *Logger
	participant Participant
	graph       *graph
	rosout      *rosout // nil with --disable-rosout-logs

	tap atomic.Pointer[Tap] // nil if there is none

	mu        sync.Mutex
	open      map[closer]struct{}
	clients   uint32
	closed    bool
	overrides []*QoSOverride
}

// closer is something that a node closes when it is closed.
type closer interface{ Close() error }

// NewNode joins the domain of the environment and announces the node. Remapping rules of
// opts.Args apply to the node's names. The node's log goes to /rosout too, unless opts.Args
// disables that. The caller closes the node.
func NewNode(t Transport, opts Options) (_ *Node, err error) {
	names, err := newNames(opts.Name, opts.Namespace, opts.Args.Remaps)
	if err != nil {
		return nil, err
	}
	n := &Node{names: names, args: opts.Args, enclave: opts.Args.Enclave, open: map[closer]struct{}{}}
	if n.enclave == "" {
		n.enclave = "/"
	}
	n.log = n.logger(opts.Logger)
	defer func() {
		if err != nil {
			n.log.Flush(logPatience) // the log may contain more than the error
		}
	}()
	n.wire, _ = WireFormOf(opts.Env.Distro)
	if opts.Env.Transport == "" {
		opts.Env.Transport = t.Name()
	}
	for _, note := range slices.Concat(opts.Env.Notes(), opts.Args.Notes()) {
		n.log.Log(note)
	}
	properties, err := opts.Env.Security.Properties(n.enclave)
	if err != nil {
		return nil, fmt.Errorf("node %s: %w", n.FullName(), err)
	}
	n.participant, err = t.Open(ParticipantOptions{
		Domain:     opts.Env.Domain,
		UserData:   "enclave=" + n.enclave + ";",
		Network:    opts.Env.Network,
		Properties: properties,
		Log:        func(level Level, text string) { n.log.logf(level, "%s", text) },
	})
	if err != nil {
		return nil, fmt.Errorf("node %s: %w", n.FullName(), err)
	}
	n.secured = opts.Env.Security.tell(n.log, n.enclave, properties)
	if n.graph, err = newGraph(n.participant, n.names, n.wire, n.log); err != nil {
		n.participant.Close()
		return nil, fmt.Errorf("node %s: %w", n.FullName(), err)
	}
	if !n.args.NoRosout {
		if n.rosout, err = newRosout(n, n.log.Name()); err != nil {
			n.Close()
			return nil, fmt.Errorf("node %s: %w", n.FullName(), err)
		}
	}
	return n, nil
}

// LoggerName returns the name of the logger of a node of that name, before the remapping rules
// of its arguments: its full name with dots.
func LoggerName(node string, a Args) string {
	names, err := newNames(node, "", a.Remaps)
	if err != nil { // such a node does not start
		return node
	}
	return names.logger()
}

func (s names) logger() string {
	return strings.ReplaceAll(strings.TrimPrefix(s.fullName(), "/"), "/", ".")
}

// logger derives the node's logger.
func (n *Node) logger(given *Logger) *Logger {
	name := n.names.logger()
	switch {
	case given != nil:
		return given
	case n.args.NoStdout:
		return NewLogger(io.Discard, name, n.args.Log.Of(name))
	}
	return NewLogger(os.Stderr, name, n.args.Log.Of(name))
}

// Name returns the node's name after remapping.
func (n *Node) Name() string { return n.names.node }

// Namespace returns the node's namespace after remapping. It starts with '/'.
func (n *Node) Namespace() string { return n.names.namespace }

// FullName returns the fully qualified name, as in "/cell/firstcontact".
func (n *Node) FullName() string { return n.names.fullName() }

// Wire returns the wire form in use.
func (n *Node) Wire() WireForm { return n.wire }

// Secured reports whether the node's participant has keys, and a governance that admits nobody
// without keys and permission.
func (n *Node) Secured() bool { return n.secured }

// Logger returns the node's logger.
func (n *Node) Logger() *Logger { return n.log }

// Participant returns the node's participant, for endpoints outside ROS and for what the
// transport has discovered in the domain.
func (n *Node) Participant() Participant { return n.participant }

// ParameterOverrides returns what the command line and its parameter files set for this node,
// by name.
func (n *Node) ParameterOverrides() map[string]Parameter { return n.args.ParametersFor(n.FullName()) }

// ResolveTopic makes a topic name absolute and remaps it.
func (n *Node) ResolveTopic(name string) (string, error) { return n.names.resolve(name, topicScheme) }

// ResolveService makes a service name absolute and remaps it.
func (n *Node) ResolveService(name string) (string, error) {
	return n.names.resolve(name, serviceScheme)
}

// Graph returns the nodes discovered so far, with their endpoints.
func (n *Node) Graph() (Graph, error) { return n.graph.snapshot() }

// Close removes the node from the graph and closes everything made with it. It waits for
// running callbacks, so it must not be called from one. Closing twice is no error.
func (n *Node) Close() error {
	n.mu.Lock()
	if n.closed {
		n.mu.Unlock()
		return nil
	}
	n.closed = true
	open := make([]closer, 0, len(n.open))
	for c := range n.open {
		open = append(open, c)
	}
	n.mu.Unlock()
	if n.rosout != nil {
		n.rosout.close()
	}
	var errs []error
	for _, c := range open {
		errs = append(errs, c.Close())
	}
	errs = append(errs, n.graph.close(), n.participant.Close())
	n.log.Flush(logPatience)
	return errors.Join(errs...)
}

// logPatience bounds how long closing a node waits for its log to be written.
const logPatience = 300 * time.Millisecond

// add registers something to be closed with the node.
func (n *Node) add(c closer) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed {
		return ErrClosed
	}
	n.open[c] = struct{}{}
	return nil
}

func (n *Node) remove(c closer) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.open, c)
}

// userData is what an endpoint announces in addition to its topic and type.
func (n *Node) userData(extra string, info cdr.TypeInfo) string {
	if !n.wire.TypeHashes || info.Hash == "" {
		return extra
	}
	return extra + "typehash=" + info.Hash + ";"
}

// newWriter makes a writer and announces it as the node's.
func (n *Node) newWriter(topic string, info cdr.TypeInfo, qos QoS, extra string) (Writer, error) {
	w, err := n.participant.NewWriter(n.endpoint(topic, info, qos, extra))
	if err != nil {
		return nil, err
	}
	if err := n.graph.addWriter(w.GUID()); err != nil {
		w.Close()
		return nil, err
	}
	return w, nil
}

// newReader makes a reader and announces it as the node's.
func (n *Node) endpoint(topic string, info cdr.TypeInfo, qos QoS, extra string) Endpoint {
	return Endpoint{Topic: topic, Type: info.DDSName(), QoS: qos, UserData: n.userData(extra, info), MaxBytes: MessageBounds.Bytes}
}

// openReader makes the reader of an endpoint and announces it as the node's.
func (n *Node) openReader(e Endpoint, receive func(Sample)) (r Reader, err error) {
	err = n.openInto(&r, e, receive)
	return r, err
}

// openInto is openReader into a variable that receive uses: a sample may come before the
// transport has returned the reader.
func (n *Node) openInto(reader *Reader, e Endpoint, receive func(Sample)) error {
	opened := make(chan struct{})
	r, err := n.participant.NewReader(e, func(s Sample) {
		<-opened
		receive(s)
	})
	if err != nil {
		return err
	}
	*reader = r
	close(opened)
	if err := n.graph.addReader(r.GUID()); err != nil {
		r.Close()
		*reader = nil
		return err
	}
	return nil
}

func (n *Node) closeWriter(w Writer) error {
	return errors.Join(n.graph.removeWriter(w.GUID()), w.Close())
}

func (n *Node) closeReader(r Reader) error {
	return errors.Join(n.graph.removeReader(r.GUID()), r.Close())
}
