//go:build fastdds && cgo

package fastdds_test

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/node/ros/fastdds"
)

// Where security is on a node on Fast DDS does not start: neither with the keys of its enclave,
// which this transport cannot use, nor, enforced, without them.
func TestSecuredGraphsAreRefused(t *testing.T) {
	keystore := t.TempDir()
	enclave := filepath.Join(keystore, "enclaves", "arm")
	if err := os.MkdirAll(enclave, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"identity_ca.cert.pem", "cert.pem", "key.pem", "permissions_ca.cert.pem", "governance.p7s", "permissions.p7s"} {
		if err := os.WriteFile(filepath.Join(enclave, name), []byte("key"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		name, enclave, says string
		security            ros.Security
	}{
		{"enforced", "/arm", "RMW_IMPLEMENTATION=rmw_cyclonedds_cpp", ros.Security{Enabled: true, Enforce: true, Keystore: keystore}},
		{"permissive", "/arm", "RMW_IMPLEMENTATION=rmw_cyclonedds_cpp", ros.Security{Enabled: true, Keystore: keystore}},
		{"enforced without keys", "/other", `enclave "/other"`, ros.Security{Enabled: true, Enforce: true, Keystore: keystore}},
		{"enforced without a keystore", "/arm", `enclave "/arm"`, ros.Security{Enabled: true, Enforce: true}},
	} {
		n, err := ros.NewNode(fastdds.Transport{}, ros.Options{
			Name: "secured", Args: ros.Args{Enclave: test.enclave},
			Env:    ros.Environment{Domain: testDomain(), Network: loopback(), Security: test.security},
			Logger: ros.NewLogger(io.Discard, "secured", ros.LevelInfo),
		})
		if err == nil {
			n.Close()
			t.Errorf("%s: the node starts", test.name)
		} else if !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: the error is %q, without %q", test.name, err, test.says)
		}
	}
}
