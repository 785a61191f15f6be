//go:build cyclone && cgo

package cyclone_test

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/node/ros/cyclone"
	"github.com/firstcontact-ros/firstcontact/node/ros/internal/transporttest"
)

func writePEM(t *testing.T, path, kind string, der []byte, err error) {
	t.Helper()
	if err == nil {
		err = os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// newKeystore makes keys for one enclave, laid out as SROS2 does.
func newKeystore(t *testing.T) ros.Security {
	t.Helper()
	openssl, err := exec.LookPath("openssl")
	if err != nil {
		t.Skip("openssl is not installed")
	}
	keystore := t.TempDir()
	dir := filepath.Join(keystore, "enclaves", "guard")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	file := func(name string) string { return filepath.Join(dir, name) }
	certificate := func(name string, serial int64, isCA bool) *x509.Certificate {
		return &x509.Certificate{
			SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: name},
			NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
			IsCA: isCA, BasicConstraintsValid: true,
		}
	}
	caKey, _ := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	key, _ := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	ca, own := certificate("ca", 1, true), certificate("guard", 2, false)
	der, err := x509.CreateCertificate(rand.Reader, ca, ca, &caKey.PublicKey, caKey)
	writePEM(t, file("identity_ca.cert.pem"), "CERTIFICATE", der, err)
	writePEM(t, file("permissions_ca.cert.pem"), "CERTIFICATE", der, err)
	der, err = x509.CreateCertificate(rand.Reader, own, ca, &key.PublicKey, caKey)
	writePEM(t, file("cert.pem"), "CERTIFICATE", der, err)
	der, err = x509.MarshalPKCS8PrivateKey(key)
	writePEM(t, file("key.pem"), "PRIVATE KEY", der, err)
	caKeyFile := filepath.Join(keystore, "ca.key.pem")
	der, err = x509.MarshalPKCS8PrivateKey(caKey)
	writePEM(t, caKeyFile, "PRIVATE KEY", der, err)
	for _, document := range []string{"governance", "permissions"} {
		cmd := exec.Command(openssl, "smime", "-sign", "-text", "-in", filepath.Join("testdata", document+".xml"),
			"-out", file(document+".p7s"), "-signer", file("permissions_ca.cert.pem"), "-inkey", caKeyFile)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", cmd, err, out)
		}
	}
	return ros.Security{Enabled: true, Enforce: true, Keystore: keystore}
}

// needPlugins skips the test where the library came without its security part.
func needPlugins(t *testing.T) {
	t.Helper()
	for _, pattern := range []string{"/usr/lib/*/libddsc0debian", "/opt/ros/*/lib", "/opt/ros/*/lib/*"} {
		if found, _ := filepath.Glob(filepath.Join(pattern, "libdds_security_auth.so")); len(found) > 0 {
			return
		}
	}
	t.Skip("the security plugins of Cyclone DDS are not installed")
}

// TestSecuredParticipantsKeepToThemselves encrypts all there is to encrypt.
func TestSecuredParticipantsKeepToThemselves(t *testing.T) {
	needPlugins(t)
	properties, err := newKeystore(t).Properties("/guard")
	if err != nil {
		t.Fatal(err)
	}
	join := func(side transporttest.Side, properties map[string]string) ros.Participant {
		return joinWith(t, side, properties)
	}
	e := ros.Endpoint{Topic: "rt/secret", Type: "test::msg::dds_::Opaque_"}
	w, err := join(overNetwork(2), properties).NewWriter(e)
	if err != nil {
		t.Fatal(err)
	}
	samples := make(chan ros.Sample, 10)
	r, err := join(overNetwork(3), properties).NewReader(e, func(s ros.Sample) { samples <- s })
	if err != nil {
		t.Fatal(err)
	}
	stranger, err := join(overNetwork(4), nil).NewReader(e, func(ros.Sample) { t.Error("a stranger reads what is encrypted") })
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	for _, p := range []ros.Peer{w, r} {
		if err := ros.WaitForMatch(ctx, p, 1); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 5 {
		data := append([]byte{0, 1, 0, 0}, bytes.Repeat([]byte{byte(i)}, 1<<(4*i))...) // the last ones in fragments
		if err := w.Write(data); err != nil {
			t.Fatal(err)
		}
		select {
		case s := <-samples:
			if !bytes.Equal(s.Data, data) || s.Writer != w.GUID() || s.Sequence != uint64(i+1) {
				t.Errorf("sample %d arrives with %d bytes as number %d", i, len(s.Data), s.Sequence)
			}
		case <-ctx.Done():
			t.Fatalf("sample %d does not arrive", i)
		}
	}
	brief, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
	defer cancel()
	if err := ros.WaitForMatch(brief, stranger, 1); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a participant without keys matches: %v", err)
	}
}

func joinWith(t *testing.T, side transporttest.Side, properties map[string]string) ros.Participant {
	t.Helper()
	p, err := cyclone.Transport{}.Open(ros.ParticipantOptions{Domain: side.Env.Domain, Network: side.Env.Network, Properties: properties})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// TestLivelinessOfSecuredParticipants asks that signs of life pass where all is
// encrypted, and that their end is noticed.
func TestLivelinessOfSecuredParticipants(t *testing.T) {
	needPlugins(t)
	properties, err := newKeystore(t).Properties("/guard")
	if err != nil {
		t.Fatal(err)
	}
	const lease = 500 * time.Millisecond
	e := ros.Endpoint{Topic: "rt/secret", Type: "test::msg::dds_::Opaque_", QoS: ros.QoS{Lease: lease}}
	writing := joinWith(t, overNetwork(2), properties)
	if _, err := writing.NewWriter(e); err != nil {
		t.Fatal(err)
	}
	events := make(chan ros.EndpointStats, 100)
	e.Silence = func(s ros.EndpointStats) { events <- s }
	if _, err := joinWith(t, overNetwork(3), properties).NewReader(e, func(ros.Sample) {}); err != nil {
		t.Fatal(err)
	}
	next := func() ros.EndpointStats {
		select {
		case s := <-events:
			return s
		case <-time.After(30 * time.Second):
			t.Fatal("nothing is told")
		}
		return ros.EndpointStats{}
	}
	if s := next(); s.Alive != 1 {
		t.Errorf("at first %+v is told", s)
	}
	select {
	case s := <-events:
		t.Errorf("a writer that is idle is told as %+v", s)
	case <-time.After(4 * lease):
	}
	if err := writing.Close(); err != nil {
		t.Error(err)
	}
	if s := next(); s.Alive != 0 {
		t.Errorf("in the end %+v is told", s)
	}
}

// TestKeysThatCannotBeReadAreAnError: no participant rather than an open one.
func TestKeysThatCannotBeReadAreAnError(t *testing.T) {
	needPlugins(t)
	properties, err := newKeystore(t).Properties("/guard")
	if err != nil {
		t.Fatal(err)
	}
	properties["dds.sec.auth.private_key"] = "file:/nonexistent"
	side := inProcess()
	p, err := cyclone.Transport{}.Open(ros.ParticipantOptions{Domain: side.Env.Domain, Network: side.Env.Network, Properties: properties})
	if err == nil {
		p.Close()
		t.Error("a participant without its key is open")
	}
}
