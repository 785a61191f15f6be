package ros

import (
	"os"
	"slices"
	"strings"
	"testing"
)

func testGovernance(t testing.TB) string {
	t.Helper()
	text, err := os.ReadFile("../../config/sros2/governance.xml")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Every element of the governance that would open the graph is noticed, and a text
// that cannot be read is an error.
func TestOpeningsOfAGovernance(t *testing.T) {
	closed := testGovernance(t)
	for _, c := range []struct {
		what, from, to string
		want           []string
	}{
		{"as it is", "", "", nil},
		{"numbers", "<allow_unauthenticated_participants>false", "<allow_unauthenticated_participants> 0 ", nil},
		{"capitals", "<enable_read_access_control>true", "<enable_read_access_control>TRUE", nil},
		{"strangers", "<allow_unauthenticated_participants>false", "<allow_unauthenticated_participants>true", []string{"without keys"}},
		{"not said", "<allow_unauthenticated_participants>false</allow_unauthenticated_participants>", "", []string{"without keys"}},
		{"join", "<enable_join_access_control>true", "<enable_join_access_control>false", []string{"to join"}},
		{"read", "<enable_read_access_control>true", "<enable_read_access_control>false", []string{`"*" may be read`}},
		{"write", "<enable_write_access_control>true", "<enable_write_access_control>0", []string{`"*" may be published`}},
		{"no XML", "<topic_rule>", "<!--", nil},
		{"no rule for domains", "<domain_rule>", "<other>", nil},
		{"no text", "<dds", "<other", nil},
	} {
		text := strings.Replace(closed, c.from, c.to, 1)
		got, err := openingsOf([]byte("Content-Type: text/plain\r\n\r\n" + text + "\r\n-----"))
		if strings.HasPrefix(c.what, "no ") {
			if err == nil {
				t.Errorf("%s: %q", c.what, got)
			}
			continue
		}
		if err != nil || !slices.EqualFunc(got, c.want, strings.Contains) {
			t.Errorf("%s: %q, %v", c.what, got, err)
		}
	}
	before, after, _ := strings.Cut(closed, "<topic_rule>")
	_, after, _ = strings.Cut(after, "</topic_rule>")
	if got, err := openingsOf([]byte(before + after)); err != nil || !slices.Equal(got, []string{"it has no topic_rule"}) {
		t.Errorf("no rule for topics: %q, %v", got, err)
	}
	plain := strings.NewReplacer(">ENCRYPT<", ">NONE<").Replace(closed)
	if got, err := openingsOf([]byte(plain)); err != nil || len(got) != 1 || !strings.Contains(got[0], "neither signed nor encrypted") {
		t.Errorf("no protection: %q, %v", got, err)
	}
}

// FuzzGovernance: no text makes openingsOf panic, and none that says less than the
// closed one is taken for closed.
func FuzzGovernance(f *testing.F) {
	closed := testGovernance(f)
	f.Add([]byte(closed))
	f.Add([]byte(strings.Replace(closed, "false", "true", 1)))
	f.Add([]byte("<dds></dds>"))
	f.Fuzz(func(t *testing.T, text []byte) {
		found, err := openingsOf(text)
		if err != nil || len(found) > 0 {
			return
		}
		for _, word := range []string{"allow_unauthenticated_participants", "enable_join_access_control", "enable_read_access_control", "enable_write_access_control"} {
			if !strings.Contains(string(text), word) {
				t.Errorf("closed without %s: %q", word, text)
			}
		}
	})
}
