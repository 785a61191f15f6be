package ros

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/firstcontact-ros/firstcontact/internal/base/infile"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
)

// Security holds the settings of a secured graph (SROS2) from the environment.
type Security struct {
	// Enabled is ROS_SECURITY_ENABLE=true.
	Enabled bool
	// Enforce is ROS_SECURITY_STRATEGY=Enforce: without keys the node does not start, rather
	// than start unsecured.
	Enforce bool
	// Keystore is the directory ROS_SECURITY_KEYSTORE.
	Keystore string
	// Enclave is ROS_SECURITY_ENCLAVE_OVERRIDE, which takes precedence over the enclave of the
	// command line.
	Enclave string
}

// readSecurity reads the ROS_SECURITY_ variables. rcl takes an unknown value for "off" or
// "Permissive"; here it is an error, because a typing error must not open the graph. While
// security is off, the other variables have no effect.
func readSecurity(get func(string) string) (Security, error) {
	strategy := get("ROS_SECURITY_STRATEGY")
	s := Security{
		Enforce:  strategy == "Enforce",
		Keystore: get("ROS_SECURITY_KEYSTORE"),
		Enclave:  get("ROS_SECURITY_ENCLAVE_OVERRIDE"),
	}
	switch v := get("ROS_SECURITY_ENABLE"); v {
	case "", "false":
		return s, nil
	case "true":
		s.Enabled = true
	default:
		return Security{}, fmt.Errorf("ROS_SECURITY_ENABLE=%q is neither true nor false", v)
	}
	if !s.Enforce && strategy != "" && strategy != "Permissive" {
		return Security{}, fmt.Errorf("ROS_SECURITY_STRATEGY=%q is neither Enforce nor Permissive", strategy)
	}
	if s.Enclave != "" {
		if err := CheckNamespace(s.Enclave); err != nil {
			return Security{}, fmt.Errorf("ROS_SECURITY_ENCLAVE_OVERRIDE: %w", err)
		}
	}
	if s.Enforce && s.Keystore == "" {
		return Security{}, errors.New("ROS_SECURITY_STRATEGY=Enforce needs ROS_SECURITY_KEYSTORE")
	}
	return s, nil
}

// The files that an enclave must have, with the DDS security property of each.
var enclaveFiles = []struct{ name, property string }{
	{"identity_ca.cert.pem", "dds.sec.auth.identity_ca"},
	{"cert.pem", "dds.sec.auth.identity_certificate"},
	{"key.pem", "dds.sec.auth.private_key"},
	{"permissions_ca.cert.pem", "dds.sec.access.permissions_ca"},
	{"governance.p7s", "dds.sec.access.governance"},
	{"permissions.p7s", "dds.sec.access.permissions"},
}

// The file of revoked certificates, which is optional, and its property.
const (
	revokedFile     = "crl.pem"
	revokedProperty = "org.eclipse.cyclonedds.sec.auth.crl"
)

// enclave returns the effective enclave: the override, or the one given.
func (s Security) enclave(told string) string {
	switch {
	case s.Enclave != "":
		return s.Enclave
	case told != "":
		return told
	}
	return "/"
}

// folder returns the folder of the enclave's files.
func (s Security) folder(enclave string) string {
	return filepath.Join(s.Keystore, "enclaves", filepath.FromSlash(strings.TrimPrefix(s.enclave(enclave), "/")))
}

// Properties maps the keystore's files for an enclave ("/", "/cell/arm") to properties of a
// DDS participant. They are empty if security is off. An enclave without a folder is an error
// with Enforce, and gives empty properties otherwise, as in rcl. A folder with a missing or
// unreadable file is always an error: it was meant to secure the node.
func (s Security) Properties(enclave string) (map[string]string, error) {
	if !s.Enabled {
		return nil, nil
	}
	dir := s.folder(enclave)
	if err := s.checkFolder(dir); err != nil {
		if !s.Enforce && errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		return nil, fmt.Errorf("enclave %q: %w; create it with ros2 security create_enclave, or name another with --enclave", s.enclave(enclave), err)
	}
	properties := make(map[string]string, len(enclaveFiles)+1)
	for _, file := range enclaveFiles {
		path := filepath.Join(dir, file.name)
		if err := checkKeyFile(path); err != nil {
			return nil, fmt.Errorf("enclave %q is damaged: %w; create its keys with ros2 security create_enclave, or name another with --enclave", s.enclave(enclave), err)
		}
		properties[file.property] = "file:" + path
	}
	revoked := filepath.Join(dir, revokedFile)
	switch err := checkKeyFile(revoked); {
	case err == nil:
		properties[revokedProperty] = "file:" + revoked
	case !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("enclave %q is damaged: %w", s.enclave(enclave), err)
	}
	return properties, nil
}

// checkFolder returns why the folder of an enclave cannot be used, fs.ErrNotExist if there is
// none.
func (s Security) checkFolder(dir string) error {
	if s.Keystore == "" {
		return fmt.Errorf("ROS_SECURITY_KEYSTORE is not set: %w", fs.ErrNotExist)
	}
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is not a folder", dir)
	}
	return err
}

// checkKeyFile returns why a file of an enclave cannot be used. The middleware checks its
// contents. Links are followed, because keystores contain many.
func checkKeyFile(path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		if _, link := os.Lstat(path); link == nil && errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s is a dangling link", path) // which is not a file that was left out
		}
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a regular file", path)
	case info.Size() == 0:
		return fmt.Errorf("%s is empty", path)
	}
	f, err := infile.Open(context.Background(), path, limit.KeystoreFileBytes)
	if err != nil {
		return err
	}
	return f.Close()
}

// readByOthers reports whether other users than the private key's owner and group can read it.
func readByOthers(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().Perm()&0o004 != 0
}

// tell logs whether a node with these properties is secured, and why. It returns the answer.
func (s Security) tell(log *Logger, enclave string, properties map[string]string) (secured bool) {
	switch {
	case properties != nil:
		open, err := s.openings(enclave)
		if err != nil {
			open = []string{err.Error()}
		}
		for _, opening := range open {
			log.Warnf("not secured: the enclave %q has keys, but its governance leaves the graph open: %s", s.enclave(enclave), opening)
		}
		if len(open) > 0 {
			return false
		}
		strategy := "Permissive"
		if s.Enforce {
			strategy = "Enforce"
		}
		log.Infof("secured by the enclave %q of the keystore %s (%s)", s.enclave(enclave), s.Keystore, strategy)
		if key := filepath.Join(s.folder(enclave), "key.pem"); readByOthers(key) {
			log.Warnf("the private key %s can be read by every user of this machine; set its mode to 600", key)
		}
		if !s.Enforce {
			log.Warnf("ROS_SECURITY_STRATEGY is Permissive: without its keys this node would start unsecured; set it to Enforce")
		}
		return true
	case s.Enabled && s.Keystore == "":
		log.Warnf("not secured: ROS_SECURITY_ENABLE is true, but ROS_SECURITY_KEYSTORE is not set. Everyone who reaches this domain can read, publish and forge")
	case s.Enabled:
		log.Warnf("not secured: ROS_SECURITY_ENABLE is true, but the keystore %s has no enclave %q. Everyone who reaches this domain can read, publish and forge", s.Keystore, s.enclave(enclave))
	case s.Enforce || s.Keystore != "":
		log.Warnf("not secured: ROS_SECURITY_STRATEGY and ROS_SECURITY_KEYSTORE have no effect while ROS_SECURITY_ENABLE is not true. Everyone who reaches this domain can read, publish and forge")
	default:
		log.Infof("not secured (ROS_SECURITY_ENABLE is not true): everyone who reaches this domain can read, publish and forge")
	}
	return false
}
