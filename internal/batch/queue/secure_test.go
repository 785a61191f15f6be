package queue

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// identity is a certificate with its key, and the files that have them.
type identity struct {
	cert      *x509.Certificate
	key       *ecdsa.PrivateKey
	pem, keys string
}

// newIdentity makes a certificate that an authority signs; nil: it signs itself.
func newIdentity(t *testing.T, by *identity) *identity {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	like := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: "test"}, NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA: by == nil, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	id := &identity{key: key}
	if by == nil {
		by = &identity{cert: like, key: key}
	}
	der, err := x509.CreateCertificate(rand.Reader, like, by.cert, &key.PublicKey, by.key)
	if err != nil {
		t.Fatal(err)
	}
	if id.cert, err = x509.ParseCertificate(der); err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	id.pem, id.keys = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for path, block := range map[string]*pem.Block{id.pem: {Type: "CERTIFICATE", Bytes: der}, id.keys: {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return id
}

// A server that asks for certificates is reached with them, and whoever it or who refuses it is told so at once.
func TestSecuredServer(t *testing.T) {
	t.Parallel()
	authority, stranger := newIdentity(t, nil), newIdentity(t, nil)
	here, client := newIdentity(t, authority), newIdentity(t, authority)
	pool := x509.NewCertPool()
	pool.AddCert(authority.cert)
	o := options(t.TempDir(), token)
	o.TLS, o.TLSVerify, o.TLSTimeout = true, true, 10
	o.TLSConfig = &tls.Config{
		MinVersion: tls.VersionTLS12, ClientCAs: pool, ClientAuth: tls.RequireAndVerifyClientCert,
		Certificates: []tls.Certificate{{Certificate: [][]byte{here.cert.Raw}, PrivateKey: here.key}},
	}
	server, err := embedded(o)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Stop()
	url := strings.Replace(server.URL(token), "nats://", "tls://", 1)
	good := Remote{URL: url, CA: authority.pem, Cert: client.pem, KeyPEM: client.keys}
	j := newJob(t, 60, 10)
	for what, change := range map[string]func(*Remote){
		"unknown authority": func(r *Remote) { r.CA = stranger.pem },
		"certificate":       func(r *Remote) { r.Cert, r.KeyPEM = "", "" },
		"Authorization":     func(r *Remote) { r.URL = strings.Replace(r.URL, token, "guess", 1) },
		"no such file":      func(r *Remote) { r.CA = filepath.Join(t.TempDir(), "none.pem") },
		"none.creds":        func(r *Remote) { r.Credentials = filepath.Join(t.TempDir(), "none.creds") },
	} {
		r, begun := good, time.Now()
		change(&r)
		store := j.open(t, t.TempDir())
		if err := Submit(context.Background(), &r, j.spec, store); err == nil || !strings.Contains(err.Error(), what) || strings.Contains(err.Error(), token) || time.Since(begun) > 20*time.Second {
			t.Errorf("%s: after %v: %v", what, time.Since(begun), err)
		}
		ctx, stop := context.WithTimeout(context.Background(), 20*time.Second)
		if err := Work(ctx, &r, j.spec.Program, t.TempDir(), func(string) {}); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("a worker, %s: %v", what, err)
		}
		stop()
	}
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	go func() { _ = Work(ctx, &good, j.spec.Program, t.TempDir(), func(string) {}) }()
	out := t.TempDir()
	store := j.open(t, out)
	if err := Submit(ctx, &good, j.spec, store); err != nil {
		t.Fatal(err)
	}
	if got := table(t, store, out); !bytes.Equal(got, j.want) {
		t.Error("the table differs from that of one process")
	}
}
