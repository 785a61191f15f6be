package ros

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Security says where the keys of a secured graph (SROS2) are.
type Security struct {
	// Enabled is ROS_SECURITY_ENABLE=true.
	Enabled bool
	// Enforce is ROS_SECURITY_STRATEGY=Enforce: without keys the node does
	// not start, rather than start unsecured.
	Enforce bool
	// Keystore is the directory ROS_SECURITY_KEYSTORE.
	Keystore string
	// Enclave is ROS_SECURITY_ENCLAVE_OVERRIDE, which goes before the
	// enclave of the command line.
	Enclave string
}

func readSecurity(get func(string) string) (Security, error) {
	s := Security{Keystore: get("ROS_SECURITY_KEYSTORE"), Enclave: get("ROS_SECURITY_ENCLAVE_OVERRIDE")}
	switch v := get("ROS_SECURITY_ENABLE"); v {
	case "", "false":
		return Security{}, nil
	case "true":
		s.Enabled = true
	default:
		return Security{}, fmt.Errorf("ROS_SECURITY_ENABLE=%q is neither true nor false", v)
	}
	switch v := get("ROS_SECURITY_STRATEGY"); v {
	case "", "Permissive":
	case "Enforce":
		s.Enforce = true
	default:
		return Security{}, fmt.Errorf("ROS_SECURITY_STRATEGY=%q is neither Enforce nor Permissive", v)
	}
	if s.Keystore == "" && s.Enforce {
		return Security{}, fmt.Errorf("ROS_SECURITY_STRATEGY=Enforce needs ROS_SECURITY_KEYSTORE")
	}
	return s, nil
}

// The files of an enclave, by the DDS security property that takes them.
var enclaveFiles = map[string]string{
	"dds.sec.auth.identity_ca":          "identity_ca.cert.pem",
	"dds.sec.auth.identity_certificate": "cert.pem",
	"dds.sec.auth.private_key":          "key.pem",
	"dds.sec.access.permissions_ca":     "permissions_ca.cert.pem",
	"dds.sec.access.governance":         "governance.p7s",
	"dds.sec.access.permissions":        "permissions.p7s",
}

// Properties maps the keystore's files for an enclave ("/", "/cell/arm") to
// properties of a DDS participant. They are empty where security is off, and
// where keys are missing unless that is an error by Enforce.
func (s Security) Properties(enclave string) (map[string]string, error) {
	if !s.Enabled {
		return nil, nil
	}
	if s.Enclave != "" {
		enclave = s.Enclave
	}
	dir := filepath.Join(s.Keystore, "enclaves", filepath.FromSlash(strings.TrimPrefix(enclave, "/")))
	properties := make(map[string]string, len(enclaveFiles))
	for property, file := range enclaveFiles {
		path := filepath.Join(dir, file)
		if _, err := os.Stat(path); err != nil {
			if s.Enforce {
				return nil, fmt.Errorf("ROS_SECURITY_STRATEGY=Enforce: enclave %q: %w; create its keys with ros2 security create_enclave", enclave, err)
			}
			return nil, nil
		}
		properties[property] = "file:" + path
	}
	return properties, nil
}
