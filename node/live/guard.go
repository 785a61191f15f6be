package live

import (
	"net"
	"net/netip"
	"strconv"
)

// stranger returns the answer to what no page of this server asks for: other methods, requests by
// a name that somebody else's DNS has for this machine, and pages of other origins. It is nil
// for the rest.
func (s *Server) stranger(r *request) *answer {
	switch {
	case !s.known(r.host):
		return refused(421, "this view does not go by that name: use its address, or localhost")
	case !r.sameOrigin():
		return refused(403, "this view answers its own page alone")
	case r.method != "GET" && r.method != "HEAD":
		return refused(405, "this view is read only", "Allow: GET, HEAD")
	}
	return nil
}

// known reports whether a request names this server by an address, which no DNS can forge, or by a
// name that it has.
func (s *Server) known(hostport string) bool {
	host, port, err := net.SplitHostPort(hostport)
	if err != nil {
		host, port = hostport, "80"
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return false
	}
	if address, err := netip.ParseAddr(host); err == nil {
		return address.Zone() == ""
	}
	return s.hosts[host]
}

// sameOrigin reports whether a request comes from the server's own page, or from no page.
func (r *request) sameOrigin() bool {
	if site := r.get("sec-fetch-site"); site == "cross-site" || site == "same-site" {
		return r.get("sec-fetch-mode") == "navigate" && r.method == "GET" && len(r.header["origin"]) == 0
	}
	origin := r.header["origin"]
	return len(origin) == 0 || len(origin) == 1 && origin[0] == "http://"+r.host
}
