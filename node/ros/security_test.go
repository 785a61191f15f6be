package ros

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// keystoreOf makes a keystore whose enclave /cell/arm has all files, and returns
// it with the enclave's folder.
func keystoreOf(t *testing.T) (Security, string) {
	t.Helper()
	keystore := t.TempDir()
	enclave := filepath.Join(keystore, "enclaves", "cell", "arm")
	if err := os.MkdirAll(enclave, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, file := range enclaveFiles {
		writeKey(t, filepath.Join(enclave, file.name))
	}
	if err := os.WriteFile(filepath.Join(enclave, "governance.p7s"), []byte(testGovernance(t)), 0o600); err != nil {
		t.Fatal(err)
	}
	return Security{Enabled: true, Keystore: keystore}, enclave
}

func writeKey(t *testing.T, path string) {
	t.Helper()
	if err := os.WriteFile(path, []byte("-----BEGIN"), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestSecurityProperties(t *testing.T) {
	on, enclave := keystoreOf(t)
	over, enforced := on, on
	over.Enclave, enforced.Enforce = "/cell/arm", true
	want := map[string]string{
		"dds.sec.auth.identity_ca":          "file:" + filepath.Join(enclave, "identity_ca.cert.pem"),
		"dds.sec.auth.identity_certificate": "file:" + filepath.Join(enclave, "cert.pem"),
		"dds.sec.auth.private_key":          "file:" + filepath.Join(enclave, "key.pem"),
		"dds.sec.access.permissions_ca":     "file:" + filepath.Join(enclave, "permissions_ca.cert.pem"),
		"dds.sec.access.governance":         "file:" + filepath.Join(enclave, "governance.p7s"),
		"dds.sec.access.permissions":        "file:" + filepath.Join(enclave, "permissions.p7s"),
	}
	for _, test := range []struct {
		what     string
		security Security
		enclave  string
		want     map[string]string
	}{
		{"permissive", on, "/cell/arm", want},
		{"enforced", enforced, "/cell/arm", want},
		{"with an override", over, "/other", want},
		{"off", Security{Keystore: on.Keystore}, "/cell/arm", nil},
		{"permissive, no such enclave", on, "/other", nil},
		{"permissive, no such keystore", Security{Enabled: true, Keystore: "/nonexistent"}, "/cell/arm", nil},
		{"permissive, no keystore", Security{Enabled: true}, "/cell/arm", nil},
	} {
		if got, err := test.security.Properties(test.enclave); err != nil || !maps.Equal(got, test.want) {
			t.Errorf("%s: %v, %v", test.what, got, err)
		}
	}
	writeKey(t, filepath.Join(enclave, "crl.pem"))
	if got, err := on.Properties("/cell/arm"); err != nil || got["org.eclipse.cyclonedds.sec.auth.crl"] != "file:"+filepath.Join(enclave, "crl.pem") {
		t.Errorf("with revoked certificates: %v, %v", got, err)
	}
	for _, s := range []Security{{Enabled: true, Enforce: true}, {Enabled: true, Enforce: true, Keystore: on.Keystore}} {
		if got, err := s.Properties("/other"); err == nil || !strings.Contains(err.Error(), `"/other"`) {
			t.Errorf("enforced, without an enclave: %v, %v", got, err)
		}
	}
}

// A damaged enclave is an error that names the file, whatever the strategy: a file
// that is missing, empty, a link to nothing, a folder, or a pipe, at which the
// middleware would wait for ever.
func TestDamagedEnclaveIsAnError(t *testing.T) {
	damages := map[string]func(path string) error{
		"missing":      func(string) error { return nil },
		"empty":        func(path string) error { return os.WriteFile(path, nil, 0o600) },
		"a link":       func(path string) error { return os.Symlink("/nonexistent", path) },
		"a folder":     func(path string) error { return os.Mkdir(path, 0o700) },
		"a named pipe": func(path string) error { return syscall.Mkfifo(path, 0o600) },
	}
	names := []string{"crl.pem"}
	for _, file := range enclaveFiles {
		names = append(names, file.name)
	}
	for what, damage := range damages {
		for _, name := range names {
			for _, enforce := range []bool{false, true} {
				s, enclave := keystoreOf(t)
				s.Enforce = enforce
				path := filepath.Join(enclave, name)
				os.Remove(path)
				if err := damage(path); err != nil {
					t.Fatal(err)
				}
				got, err := s.Properties("/cell/arm")
				if what == "missing" && name == "crl.pem" {
					if err != nil {
						t.Errorf("no revoked certificates: %v", err)
					}
					continue
				}
				if err == nil || !strings.Contains(err.Error(), path) {
					t.Errorf("%s is %s, Enforce %v: %v, %v", name, what, enforce, got, err)
				}
			}
		}
	}
	// The folder of the enclave "/" holds those of all others: a node that was told
	// no enclave finds it without keys.
	s, _ := keystoreOf(t)
	if got, err := s.Properties(""); err == nil || !strings.Contains(err.Error(), "--enclave") {
		t.Errorf("no enclave was named: %v, %v", got, err)
	}
}

func TestSecurityVariables(t *testing.T) {
	for _, test := range []struct {
		variables string
		want      Security
		wrong     string // what the error names, if there is one
	}{
		{"", Security{}, ""},
		{"ENABLE=false STRATEGY=Enforce KEYSTORE=/k", Security{Enforce: true, Keystore: "/k"}, ""},
		{"STRATEGY=enforce", Security{}, ""},
		{"ENABLE=true STRATEGY=Enforce KEYSTORE=/k ENCLAVE_OVERRIDE=/a/b", Security{Enabled: true, Enforce: true, Keystore: "/k", Enclave: "/a/b"}, ""},
		{"ENABLE=true STRATEGY=Permissive", Security{Enabled: true}, ""},
		{"ENABLE=True", Security{}, "ROS_SECURITY_ENABLE"},
		{"ENABLE=1", Security{}, "ROS_SECURITY_ENABLE"},
		{"ENABLE=true STRATEGY=enforce", Security{}, "ROS_SECURITY_STRATEGY"},
		{"ENABLE=true STRATEGY=Enforce", Security{}, "ROS_SECURITY_KEYSTORE"},
		{"ENABLE=true KEYSTORE=/k ENCLAVE_OVERRIDE=a", Security{}, "ROS_SECURITY_ENCLAVE_OVERRIDE"},
		{"ENABLE=true KEYSTORE=/k ENCLAVE_OVERRIDE=/../../b", Security{}, "ROS_SECURITY_ENCLAVE_OVERRIDE"},
	} {
		got, err := readSecurity(func(name string) string {
			for _, v := range strings.Fields(test.variables) {
				if value, ok := strings.CutPrefix("ROS_SECURITY_"+v, name+"="); ok {
					return value
				}
			}
			return ""
		})
		if got != test.want || (err != nil) != (test.wrong != "") || err != nil && !strings.Contains(err.Error(), test.wrong) {
			t.Errorf("%s: %+v, %v", test.variables, got, err)
		}
	}
}

// TestLogTellsWhetherSecured: with the level of the line, as a user who looks for
// warnings must find what left the node open.
func TestLogTellsWhetherSecured(t *testing.T) {
	on, enclave := keystoreOf(t)
	enforced, open := on, on
	enforced.Enforce, open.Enabled = true, false
	other := on
	other.Enclave = "/other"
	for _, test := range []struct {
		what     string
		security Security
		secured  bool
		want     []string
	}{
		{"off", Security{}, false, []string{"INFO not secured"}},
		{"enforced", enforced, true, []string{"INFO secured"}},
		{"permissive", on, true, []string{"INFO secured", "WARN ROS_SECURITY_STRATEGY is Permissive"}},
		{"no enclave", other, false, []string{"WARN not secured"}},
		{"no keystore", Security{Enabled: true}, false, []string{"WARN not secured"}},
		{"keys, but not enabled", open, false, []string{"WARN not secured"}},
	} {
		secured, told := startSecured(t, test.security)
		if secured != test.secured || !slices.Equal(told, test.want) {
			t.Errorf("%s: secured %v, told %q", test.what, secured, told)
		}
	}
	if err := os.Chmod(filepath.Join(enclave, "key.pem"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, told := startSecured(t, enforced); !slices.Equal(told, []string{"INFO secured", "WARN the private key"}) {
		t.Errorf("a key that everybody can read: %q", told)
	}
}

// A governance that admits everybody secures nothing, however good the keys are.
func TestOpenGovernanceIsTold(t *testing.T) {
	s, enclave := keystoreOf(t)
	s.Enforce = true
	for _, text := range []string{strings.Replace(testGovernance(t), "participants>false", "participants>true", 1), "signed, but not in the clear"} {
		if err := os.WriteFile(filepath.Join(enclave, "governance.p7s"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if secured, told := startSecured(t, s); secured || !slices.Equal(told, []string{"WARN not secured"}) {
			t.Errorf("secured %v, told %q", secured, told)
		}
	}
}

// startSecured starts a node in the enclave /cell/arm, and returns whether it is
// secured and how the lines begin that tell of it.
func startSecured(t *testing.T, s Security) (secured bool, told []string) {
	t.Helper()
	var log bytes.Buffer
	logger := NewLogger(&log, "n", LevelInfo)
	n, err := NewNode(NewMemory(), Options{
		Name: "n", Args: Args{Enclave: "/cell/arm", NoRosout: true}, Env: Environment{Distro: "jazzy", Security: s},
		Logger: logger,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	n.Logger().Flush(time.Minute)
	for _, line := range strings.Split(log.String(), "\n") {
		level, text, _ := strings.Cut(line, "] ")
		for _, begin := range []string{"secured", "not secured", "ROS_SECURITY_STRATEGY is Permissive", "the private key"} {
			if _, said, ok := strings.Cut(text, "]: "); ok && strings.HasPrefix(said, begin) {
				told = append(told, strings.Trim(level, "[")+" "+begin)
			}
		}
	}
	return n.Secured(), told
}

func TestNodeWithoutKeysDoesNotStartUnsecured(t *testing.T) {
	env := Environment{Security: Security{Enabled: true, Enforce: true, Keystore: t.TempDir()}}
	if _, err := NewNode(NewMemory(), Options{Name: "n", Env: env}); err == nil || !strings.Contains(err.Error(), `enclave "/"`) {
		t.Errorf("the error is %v", err)
	}
}
