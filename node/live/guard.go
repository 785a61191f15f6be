package live

import (
	"net"
	"net/http"
	"net/url"
)

// guarded refuses what no page of this server asks for: other methods, requests by a name that
// somebody else's DNS has for this machine, and pages of other origins.
func (s *Server) guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self' ws://"+r.Host+"; img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-store")
		switch {
		case !s.known(r.Host):
			h.Del("Content-Security-Policy")
			http.Error(w, "this view does not go by that name: use its address, or localhost", http.StatusMisdirectedRequest)
		case !sameOrigin(r):
			http.Error(w, "this view answers its own page alone", http.StatusForbidden)
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			h.Set("Allow", "GET, HEAD")
			http.Error(w, "this view is read only", http.StatusMethodNotAllowed)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// known reports whether a request names this server by an address, which no DNS can forge, or by a
// name that it has.
func (s *Server) known(hostport string) bool {
	host, _, err := net.SplitHostPort(hostport)
	if err != nil {
		host = hostport
	}
	return net.ParseIP(host) != nil || s.hosts[host]
}

// sameOrigin reports whether a request comes from the server's own page, or from no page.
func sameOrigin(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site == "cross-site" || site == "same-site" {
		return r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Method == http.MethodGet && r.Header.Get("Origin") == ""
	}
	origin := r.Header.Values("Origin")
	if len(origin) == 0 {
		return true
	}
	u, err := url.Parse(origin[0])
	return err == nil && len(origin) == 1 && u.Scheme == "http" && u.Host == r.Host
}
