//go:build cyclone && cgo

package cyclone_test

import (
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/node/ros/cyclone"
)

func open(t *testing.T, domain int, n ros.Network) (ros.Participant, error) {
	t.Helper()
	p, err := cyclone.Transport{}.Open(ros.ParticipantOptions{Domain: domain, Network: n})
	if err == nil {
		t.Cleanup(func() { p.Close() })
	}
	return p, err
}

func TestParticipantsOfADomainShareItsSettings(t *testing.T) {
	const domain = 119
	first, err := open(t, domain, loopback())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := open(t, domain, loopback()); err != nil {
		t.Errorf("the same settings: %v", err)
	}
	other := ros.Network{LoopbackOnly: true}
	if _, err := open(t, domain, other); err == nil || !strings.Contains(err.Error(), "other network settings") {
		t.Errorf("other settings: %v", err)
	}
	if err := first.Close(); err != nil {
		t.Error(err)
	}
}

func TestADomainMayComeBackWithOtherSettings(t *testing.T) {
	const domain = 118
	for _, n := range []ros.Network{loopback(), {LoopbackOnly: true}} {
		p, err := open(t, domain, n)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// What the library has to say goes to who opened a participant, and not to standard
// error, where a pipe that nobody reads would stop the library's threads.
func TestTheLibraryLogsToWhoOpenedIt(t *testing.T) {
	n := loopback()
	n.VendorConfig = "<CycloneDDS><Domain><NoSuchSetting>1</NoSuchSetting></Domain></CycloneDDS>"
	var said []string
	_, err := cyclone.Transport{}.Open(ros.ParticipantOptions{Domain: 116, Network: n, Log: func(l ros.Level, text string) { said = append(said, l.String()+" "+text) }})
	if err == nil || len(said) == 0 || !strings.Contains(said[0], "Cyclone DDS: ") || !strings.Contains(said[0], "NoSuchSetting") {
		t.Errorf("error %v, told %q", err, said)
	}
}

func TestABrokenConfigurationIsAnError(t *testing.T) {
	n := loopback()
	n.VendorConfig = "<CycloneDDS><Domain><NoSuchSetting>1</NoSuchSetting></Domain></CycloneDDS>"
	if _, err := open(t, 117, n); err == nil || !strings.Contains(err.Error(), "NoSuchSetting") {
		t.Errorf("the error is %v", err)
	}
	if _, err := open(t, 117, loopback()); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

// TestSharedMemoryStaysOff asks for what the transport does not serve: without
// the last word on it the process would end for want of Iceoryx's daemon.
func TestSharedMemoryStaysOff(t *testing.T) {
	n := loopback()
	n.VendorConfig = "<CycloneDDS><Domain><SharedMemory><Enable>true</Enable></SharedMemory></Domain></CycloneDDS>"
	if _, err := open(t, 116, n); err != nil {
		t.Fatal(err)
	}
}
