//go:build cyclone && cgo

package node

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/stdmsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/node/ros/cyclone"
)

func init() {
	roles["stranger"] = playStranger
	roles["robot"] = playRobot
}

// playRobot is an honest driver in the enclave /robot. Cyclone DDS gives all
// participants of a process the permissions of the first, so it is a process of
// its own.
func playRobot([]string) error {
	n, err := ros.NewNode(cyclone.Transport{}, ros.Options{Name: "robot", Args: ros.Args{Enclave: "/robot"}, Env: environmentOf(os.Environ()), Logger: quiet()})
	if err != nil {
		return err
	}
	defer n.Close()
	joints, err1 := ros.Advertise[sensormsgs.JointState](n, "joint_states", ros.QoS{})
	urdf, err2 := ros.Advertise[stdmsgs.String](n, "robot_description", ros.LatchedQoS)
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	if err := urdf.Publish(&stdmsgs.String{Data: railURDF}); err != nil {
		return err
	}
	return stream(context.Background(), joints, func() *sensormsgs.JointState { return carts2(0, 0) })
}

// playStranger does what a process without keys can try: it says where the robot
// is, what it is and what the node found, asks, and listens. Each second it tells
// how far it came.
func playStranger([]string) error {
	n, err := ros.NewNode(cyclone.Transport{}, ros.Options{Name: "stranger", Env: environmentOf(os.Environ()), Logger: quiet()})
	if err != nil {
		return err
	}
	defer n.Close()
	var heard, answered atomic.Int64
	latched := ros.QoS{Durability: ros.TransientLocal, Depth: 1}
	joints, err1 := ros.Advertise[sensormsgs.JointState](n, "joint_states", ros.QoS{})
	urdf, err2 := ros.Advertise[stdmsgs.String](n, "robot_description", latched)
	state, err3 := ros.Advertise[fcmsgs.CollisionState](n, "firstcontact/state", latched)
	pair, err4 := ros.Advertise[fcmsgs.JointStatePair](n, "firstcontact/joint_state_pair", ros.QoS{})
	hear := func(m ros.MessageInfo) {
		if !m.Writer.SameParticipant(n.Participant().GUID()) {
			heard.Add(1)
		}
	}
	_, err5 := ros.Subscribe(n, "firstcontact/state", latched, func(_ *fcmsgs.CollisionState, m ros.MessageInfo) { hear(m) })
	_, err6 := ros.Subscribe(n, "joint_states", ros.QoS{}, func(_ *sensormsgs.JointState, m ros.MessageInfo) { hear(m) })
	client, err7 := ros.NewClient[request, response](n, "firstcontact/check_trajectory", ros.ServiceQoS)
	if err := errors.Join(err1, err2, err3, err4, err5, err6, err7); err != nil {
		return err
	}
	go func() {
		for {
			ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
			if _, err := client.Call(ctx, &request{ID: "stranger", Trajectory: *path(bothCarts, []float64{0, 0, 0}, []float64{1, 0, 0})}); err == nil {
				answered.Add(1)
			}
			cancel()
		}
	}()
	touching := strings.Replace(railURDF, `xyz="1 0 0"/><axis`, `xyz="0.1 0 0"/><axis`, 1)
	for i := 0; ; i++ {
		time.Sleep(20 * time.Millisecond)
		err := errors.Join(
			joints.Publish(carts2(0, -0.9)),
			state.Publish(&fcmsgs.CollisionState{Level: fcmsgs.CollisionStateFree, Reason: "forged"}),
			pair.Publish(&fcmsgs.JointStatePair{ID: "stranger", JointNames: []string{"left_x", "right_x"}, Start: []float64{0, 0}, Goal: []float64{0, 0}}),
		)
		if i == 0 {
			err = errors.Join(err, urdf.Publish(&stdmsgs.String{Data: touching}))
		}
		if err != nil {
			return err
		}
		if i%50 == 49 {
			const own = 2
			matched := joints.Subscribers() + urdf.Subscribers() + state.Subscribers() + pair.Subscribers()
			fmt.Fprintf(os.Stderr, "heard %t answered %t matched %t\n", heard.Load() > 0, answered.Load() > 0, matched > own)
		}
	}
}

// needSecurity skips the test where Cyclone DDS came without its plugins, or where
// there is no openssl to make keys with.
func needSecurity(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	if _, err := exec.LookPath("openssl"); err != nil {
		t.Skip("openssl is not installed")
	}
	for _, pattern := range []string{"/usr/lib/*/libddsc0debian", "/opt/ros/*/lib", "/opt/ros/*/lib/*"} {
		if found, _ := filepath.Glob(filepath.Join(pattern, "libdds_security_auth.so")); len(found) > 0 {
			return
		}
	}
	t.Skip("the security plugins of Cyclone DDS are not installed")
}

// newKeystore makes a keystore as the documentation says.
func newKeystore(t *testing.T, domain int) (keystore string) {
	t.Helper()
	keystore = filepath.Join(t.TempDir(), "keystore")
	cmd := exec.Command("../config/sros2/keystore.sh", keystore, fmt.Sprint(domain))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return keystore
}

// secure makes the participants and processes that are started from now on use a
// keystore.
func (g *graph) secure(t *testing.T) {
	t.Helper()
	keystore := newKeystore(t, g.env.Domain)
	g.env.Security = ros.Security{Enabled: true, Enforce: true, Keystore: keystore}
	g.variables = append(g.variables, "ROS_SECURITY_ENABLE=true", "ROS_SECURITY_STRATEGY=Enforce", "ROS_SECURITY_KEYSTORE="+keystore)
}

// TestStrangers starts the node beside a robot, a gate and a stranger: with keys
// nothing that the stranger says is heard, and it hears nothing; without keys it
// gets through with everything, which is why a gate needs Enforce.
func TestStrangers(t *testing.T) {
	needSecurity(t)
	t.Parallel()
	t.Run("enforced", func(t *testing.T) {
		t.Parallel()
		r, stranger := besideStranger(t, true)
		// The stranger's description comes first, and is not heard.
		time.Sleep(2 * time.Second)
		if s, _ := r.waitLevel(r.states.count()-1, levelUnknown, "no robot description has arrived yet"); !s.Secured {
			t.Error("the state does not tell that the node is secured")
		}
		r.graph.startAndKill(t, "robot")
		r.waitLevel(0, fcmsgs.CollisionStateFree, "")
		r.pair = advertise[fcmsgs.JointStatePair](r, "firstcontact/joint_state_pair")
		r.publish(r.pair.Publish(&fcmsgs.JointStatePair{ID: "gate", JointNames: []string{"left_x", "right_x"}, Start: []float64{0, 0}, Goal: []float64{0, -0.5}}))
		if v := r.waitVerdict("gate"); v.Status != fcmsgs.VerdictFree {
			t.Errorf("status %d: %s", v.Status, v.Message)
		}
		time.Sleep(2 * time.Second)
		r.each(func(s *fcmsgs.CollisionState) {
			if s.Reason == "forged" || s.Level == fcmsgs.CollisionStateCollision || !s.Secured || s.Impostors > 0 {
				t.Errorf("level %d, secured %v: %s", s.Level, s.Secured, s.Reason)
			}
		})
		if n := r.verdicts.count(); n != 1 {
			t.Errorf("%d verdicts, of which one was asked for by the gate", n)
		}
		said := strings.TrimSpace(stranger.log.String())
		if last := said[strings.LastIndex(said, "\n")+1:]; last != "heard false answered false matched false" {
			t.Errorf("the stranger: %s", last)
		}
	})
	t.Run("without keys", func(t *testing.T) {
		t.Parallel()
		r, stranger := besideStranger(t, false)
		r.graph.startAndKill(t, "robot")
		r.states.wait(0, "forged", func(s *fcmsgs.CollisionState) bool { return s.Reason == "forged" })
		r.states.wait(0, "that tells of the stranger", func(s *fcmsgs.CollisionState) bool { return s.Impostors == 1 })
		if s, _ := r.states.wait(0, "of the node", func(s *fcmsgs.CollisionState) bool { return s.Reason != "forged" }); s.Secured {
			t.Error("the state tells that the node is secured")
		}
		r.waitVerdict("stranger")
		for deadline := time.Now().Add(patience); !strings.Contains(stranger.log.String(), "heard true answered true matched true"); time.Sleep(100 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("the stranger:\n%s", stranger.log)
			}
		}
	})
}

// each calls do with every state so far.
func (r *robot) each(do func(*fcmsgs.CollisionState)) {
	r.states.mu.Lock()
	defer r.states.mu.Unlock()
	for _, s := range r.states.items {
		do(s)
	}
}

// besideStranger starts a stranger, then the node and a gate that listens, which
// have keys if they are secured.
func besideStranger(t *testing.T, secured bool) (gate *robot, stranger *process) {
	t.Helper()
	g := overDDS()
	stranger = g.startAndKill(t, "stranger")
	if secured {
		g.secure(t)
	}
	g.startNode(t, g, []string{"--enclave", "/firstcontact", "-p", fmt.Sprintf("security.required:=%t", secured)})
	n, err := ros.NewNode(g.transport, ros.Options{Name: "gate", Args: ros.Args{Enclave: "/gate"}, Env: g.env, Logger: quiet()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { n.Close() })
	gate = &robot{T: t, graph: g, node: n}
	latched := ros.QoS{Durability: ros.TransientLocal, Depth: 1000}
	gate.states = collect[fcmsgs.CollisionState](gate, "firstcontact/state", latched)
	gate.verdicts = collect[fcmsgs.Verdict](gate, "firstcontact/verdict", latched)
	gate.waitLevel(0, levelUnknown, "")
	return gate, stranger
}

// startAndKill starts this test binary in a role until the test ends.
func (g *graph) startAndKill(t *testing.T, role string) *process {
	t.Helper()
	p := g.start(t, role)
	t.Cleanup(func() {
		p.cmd.Process.Kill()
		p.cmd.Wait()
	})
	return p
}

// TestKeysThatDoNotFit: the node ends with an error that names what is wrong and
// what to do, instead of running without what it may not have.
func TestKeysThatDoNotFit(t *testing.T) {
	needSecurity(t)
	env := overDDS().env
	keystore := newKeystore(t, env.Domain)
	start := func(s ros.Security, enclave string, domain int) error {
		e := env
		e.Security, e.Domain = s, domain
		n, err := New(cyclone.Transport{}, Options{Args: ros.Args{Enclave: enclave}, Env: e, Logger: quiet()})
		if err == nil {
			n.Close()
		}
		return err
	}
	damaged := newKeystore(t, env.Domain)
	if err := os.Remove(filepath.Join(damaged, "enclaves", "firstcontact", "permissions.p7s")); err != nil {
		t.Fatal(err)
	}
	garbled := newKeystore(t, env.Domain)
	if err := os.WriteFile(filepath.Join(garbled, "enclaves", "firstcontact", "key.pem"), []byte("no key"), 0o600); err != nil {
		t.Fatal(err)
	}
	on := func(keystore string) ros.Security {
		return ros.Security{Enabled: true, Enforce: true, Keystore: keystore}
	}
	permissive := on(damaged)
	permissive.Enforce = false
	for _, c := range []struct {
		what     string
		security ros.Security
		enclave  string
		domain   int
		wants    []string
	}{
		{"the enclave of another process", on(keystore), "/gate", env.Domain, []string{"rt/firstcontact/state", "to publish", "permissions"}},
		{"another domain", on(keystore), "/firstcontact", 101 + env.Domain, []string{fmt.Sprint(101 + env.Domain), "governance"}},
		{"no enclave", on(keystore), "", env.Domain, []string{"identity_ca.cert.pem", "--enclave"}},
		{"a file is missing", on(damaged), "/firstcontact", env.Domain, []string{"permissions.p7s"}},
		{"a file is missing, Permissive", permissive, "/firstcontact", env.Domain, []string{"permissions.p7s"}},
		{"a key that is none", on(garbled), "/firstcontact", env.Domain, []string{"keys"}},
	} {
		err := start(c.security, c.enclave, c.domain)
		for _, want := range c.wants {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: the error does not hold %q: %v", c.what, want, err)
			}
		}
	}
}
