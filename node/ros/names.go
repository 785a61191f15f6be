package ros

import (
	"fmt"
	"strings"
)

// Maximum lengths of names in the ROS middleware, in bytes.
const (
	maxNodeName  = 255
	maxTopicName = 247 // leaves room for a DDS prefix and suffix in 255
)

// CheckNodeName reports why s cannot name a node: a node name is a non-empty
// word of letters, digits and underscores that does not start with a digit.
func CheckNodeName(s string) error {
	if err := checkToken(s); err != nil {
		return fmt.Errorf("ros: node name %q %w", s, err)
	}
	if len(s) > maxNodeName {
		return fmt.Errorf("ros: node name %q… has %d bytes; at most %d are allowed", s[:32], len(s), maxNodeName)
	}
	return nil
}

// CheckNamespace reports why s cannot be a node's namespace: it is "/" or an
// absolute name such as "/cell/left".
func CheckNamespace(s string) error {
	if s == "/" {
		return nil
	}
	if err := checkFullName(s); err != nil {
		return fmt.Errorf("ros: namespace %w", err)
	}
	return nil
}

// checkFullName checks an absolute name without substitutions.
func checkFullName(s string) error {
	switch {
	case !strings.HasPrefix(s, "/"):
		return fmt.Errorf("%q must start with '/'", s)
	case len(s) > maxTopicName:
		return fmt.Errorf("%q… has %d bytes; at most %d are allowed", s[:32], len(s), maxTopicName)
	}
	for _, token := range strings.Split(s[1:], "/") {
		if err := checkToken(token); err != nil {
			return fmt.Errorf("%q: part %q %w", s, token, err)
		}
	}
	return nil
}

// checkToken checks one word between slashes.
func checkToken(s string) error {
	if s == "" {
		return fmt.Errorf("must not be empty")
	}
	if s[0] >= '0' && s[0] <= '9' {
		return fmt.Errorf("must not start with a digit")
	}
	for i := 0; i < len(s); i++ {
		if c := s[i]; !isAlnum(c) && c != '_' {
			return fmt.Errorf("has the character %q; letters, digits and '_' are allowed", c)
		}
	}
	return nil
}

func isAlnum(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// expandName makes a topic or service name absolute: "x" lies in the node's
// namespace, "~/x" under the node's own name, and {node}, {ns} and {namespace}
// stand for those names.
func expandName(name, node, namespace string) (string, error) {
	s := name
	for strings.Contains(s, "{") {
		open := strings.Index(s, "{")
		length := strings.Index(s[open:], "}")
		if length < 0 {
			return "", fmt.Errorf("ros: name %q has no closing brace", name)
		}
		key := s[open+1 : open+length]
		value, ok := map[string]string{"node": node, "ns": namespace, "namespace": namespace}[key]
		if !ok {
			return "", fmt.Errorf("ros: name %q: unknown substitution {%s}; use {node}, {ns} or {namespace}", name, key)
		}
		s = s[:open] + value + s[open+length+1:]
	}
	switch {
	case s == "":
		return "", fmt.Errorf("ros: a topic or service name must not be empty")
	case s == "~":
		s = join(namespace, node)
	case strings.HasPrefix(s, "~/"):
		s = join(join(namespace, node), s[2:])
	case s[0] == '~':
		return "", fmt.Errorf("ros: name %q: '~' must stand alone or be followed by '/'", name)
	case s[0] != '/':
		s = join(namespace, s)
	}
	if err := checkFullName(s); err != nil {
		return "", fmt.Errorf("ros: name %w", err)
	}
	return s, nil
}

// join appends a relative name to a namespace.
func join(namespace, name string) string {
	if namespace == "/" {
		return "/" + name
	}
	return namespace + "/" + name
}

// Prefixes and suffixes by which DDS topics show their roles.
const (
	topicPrefix   = "rt"
	requestPrefix = "rq"
	replyPrefix   = "rr"
	requestSuffix = "Request"
	replySuffix   = "Reply"
)

func topicToDDS(name string) string   { return topicPrefix + name }
func requestToDDS(name string) string { return requestPrefix + name + requestSuffix }
func replyToDDS(name string) string   { return replyPrefix + name + replySuffix }

// role is the purpose of a DDS topic in ROS.
type role uint8

const (
	roleOther role = iota // not a topic of ROS
	roleTopic
	roleRequest
	roleReply
)

// fromDDS splits a DDS topic name into its role and ROS name. Names outside ROS are returned
// unchanged.
func fromDDS(dds string) (role, string) {
	prefix, rest, found := strings.Cut(dds, "/")
	if !found {
		return roleOther, dds
	}
	name := "/" + rest
	switch prefix {
	case topicPrefix:
		return roleTopic, name
	case requestPrefix:
		if s, ok := strings.CutSuffix(name, requestSuffix); ok && s != "/" {
			return roleRequest, s
		}
	case replyPrefix:
		if s, ok := strings.CutSuffix(name, replySuffix); ok && s != "/" {
			return roleReply, s
		}
	}
	return roleOther, dds
}

// typeFromDDS turns "sensor_msgs::msg::dds_::JointState_" into "sensor_msgs/msg/JointState".
// Names of another form are returned unchanged.
func typeFromDDS(dds string) string {
	parts := strings.Split(dds, "::")
	if len(parts) != 4 || parts[2] != "dds_" || !strings.HasSuffix(parts[3], "_") {
		return dds
	}
	return parts[0] + "/" + parts[1] + "/" + strings.TrimSuffix(parts[3], "_")
}
