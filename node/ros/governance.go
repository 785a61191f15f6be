package ros

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/firstcontact-ros/firstcontact/internal/base/infile"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
)

// governance holds the parts of a DDS security governance document that say who is admitted.
type governance struct {
	Rules []struct {
		Unauthenticated string `xml:"allow_unauthenticated_participants"`
		Join            string `xml:"enable_join_access_control"`
		RTPS            string `xml:"rtps_protection_kind"`
		Topics          []struct {
			Expression string `xml:"topic_expression"`
			Read       string `xml:"enable_read_access_control"`
			Write      string `xml:"enable_write_access_control"`
			Metadata   string `xml:"metadata_protection_kind"`
			Data       string `xml:"data_protection_kind"`
		} `xml:"topic_access_rules>topic_rule"`
	} `xml:"domain_access_rules>domain_rule"`
}

// openings describes what the governance of an enclave leaves open: a node can have all its
// keys and still accept everyone as publisher and subscriber.
func (s Security) openings(enclave string) ([]string, error) {
	path := filepath.Join(s.folder(enclave), "governance.p7s")
	signed, err := infile.Read(context.Background(), path, limit.KeystoreFileBytes)
	if err != nil {
		return nil, err
	}
	found, err := openingsOf(signed)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return found, nil
}

// openingsOf reads a signed document with clear text, as ros2 security and openssl smime -text
// write it. It does not check the signature; the middleware does.
func openingsOf(signed []byte) ([]string, error) {
	begin, end := bytes.Index(signed, []byte("<dds")), bytes.LastIndex(signed, []byte("</dds>"))
	if begin < 0 || end < begin {
		return nil, errors.New("holds no governance in the clear; sign it with openssl smime -sign -text")
	}
	var g governance
	if err := xml.Unmarshal(signed[begin:end+len("</dds>")], &g); err != nil {
		return nil, err
	}
	if len(g.Rules) == 0 {
		return nil, errors.New("has no domain_rule")
	}
	var found []string
	leaves := func(open bool, format string, args ...any) {
		if open {
			found = append(found, fmt.Sprintf(format, args...))
		}
	}
	for _, r := range g.Rules {
		leaves(!isFalse(r.Unauthenticated), "participants without keys are admitted")
		leaves(!isTrue(r.Join), "no permission is needed to join")
		for _, t := range r.Topics {
			leaves(!isTrue(t.Read), "topics %q may be read without a permission", t.Expression)
			leaves(!isTrue(t.Write), "topics %q may be published without a permission", t.Expression)
			leaves(isNone(r.RTPS) && isNone(t.Metadata) && isNone(t.Data), "messages on topics %q are neither signed nor encrypted", t.Expression)
		}
		leaves(len(r.Topics) == 0, "it has no topic_rule")
	}
	return found, nil
}

func isTrue(s string) bool {
	s = strings.TrimSpace(s)
	return s == "1" || strings.EqualFold(s, "true")
}

func isFalse(s string) bool {
	s = strings.TrimSpace(s)
	return s == "0" || strings.EqualFold(s, "false")
}

func isNone(kind string) bool {
	kind = strings.TrimSpace(kind)
	return kind == "" || strings.EqualFold(kind, "NONE")
}
