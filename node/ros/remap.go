package ros

import (
	"fmt"
	"strings"
)

// Remap is one rule of the form [node:]from:=to. The special names __node (or
// __name) and __ns as from change the node's name and namespace; every other
// from is a topic or service name, which the prefixes rostopic:// and
// rosservice:// restrict to one of the two.
type Remap struct {
	// Node restricts the rule to nodes of that name; empty means all.
	Node string
	From string
	To   string
}

// Schemes that restrict a rule to topics or to services.
const (
	topicScheme   = "rostopic://"
	serviceScheme = "rosservice://"
)

// ParseRemap parses a rule of a command line.
func ParseRemap(s string) (Remap, error) {
	left, to, found := strings.Cut(s, ":=")
	if !found {
		return Remap{}, fmt.Errorf("remapping %q has no ':='; write from:=to", s)
	}
	rule := Remap{From: left, To: to}
	if node, from, ok := cutNode(left); ok {
		rule.Node, rule.From = node, from
	}
	return rule, rule.check(s)
}

// cutNode splits "node:rest" but leaves "rostopic://rest" alone.
func cutNode(s string) (node, rest string, found bool) {
	node, rest, found = strings.Cut(s, ":")
	if !found || strings.HasPrefix(rest, "//") {
		return "", s, false
	}
	return node, rest, true
}

func (r Remap) check(text string) error {
	var err error
	if r.Node != "" {
		err = CheckNodeName(r.Node)
	} else if strings.HasPrefix(text, ":") {
		err = fmt.Errorf("the node name before ':' is empty")
	}
	if err == nil {
		switch r.From {
		case "__node", "__name":
			err = CheckNodeName(r.To)
		case "__ns":
			err = CheckNamespace(r.To)
		default:
			err = r.checkNames()
		}
	}
	if err != nil {
		return fmt.Errorf("remapping %q: %w", text, err)
	}
	return nil
}

// checkNames checks both sides as far as they can be without a node.
func (r Remap) checkNames() error {
	if _, err := expandName(trimScheme(r.From), "node", "/"); err != nil {
		return err
	}
	_, err := expandName(trimScheme(r.To), "node", "/")
	return err
}

func trimScheme(s string) string {
	return strings.TrimPrefix(strings.TrimPrefix(s, topicScheme), serviceScheme)
}

// names are a node's names and the remapping rules that apply to it.
type names struct {
	node, namespace string
	rules           []Remap
}

// newNames applies the first matching __node rule and the first matching __ns rule. As in rcl,
// a rule that is restricted to a node compares the original name when it renames the node, and
// the new name otherwise.
func newNames(node, namespace string, rules []Remap) (names, error) {
	n := names{node: node, namespace: namespace, rules: rules}
	if n.namespace == "" {
		n.namespace = "/"
	} else if !strings.HasPrefix(n.namespace, "/") {
		n.namespace = "/" + n.namespace
	}
	for _, r := range rules {
		if (r.From == "__node" || r.From == "__name") && r.appliesTo(node) {
			n.node = r.To
			break
		}
	}
	for _, r := range rules {
		if r.From == "__ns" && r.appliesTo(n.node) {
			n.namespace = r.To
			break
		}
	}
	if err := CheckNodeName(n.node); err != nil {
		return n, err
	}
	return n, CheckNamespace(n.namespace)
}

func (r Remap) appliesTo(node string) bool { return r.Node == "" || r.Node == node }

// fullName is the node's fully qualified name.
func (n names) fullName() string { return join(n.namespace, n.node) }

// resolve makes a name absolute and applies the first matching rule. scheme is that of topics
// or of services.
func (n names) resolve(name, scheme string) (string, error) {
	full, err := expandName(name, n.node, n.namespace)
	if err != nil {
		return "", err
	}
	for _, r := range n.rules {
		if strings.HasPrefix(r.From, "__") || !r.appliesTo(n.node) {
			continue
		}
		from := strings.TrimPrefix(r.From, scheme)
		if strings.Contains(from, "://") {
			continue
		}
		if match, err := expandName(from, n.node, n.namespace); err != nil || match != full {
			continue
		}
		return expandName(trimScheme(r.To), n.node, n.namespace)
	}
	return full, nil
}
