// Package firstcontactmsgs holds the definitions of the project's messages as files.
package firstcontactmsgs

import "embed"

// Files are the definitions, as msg/NAME.msg and srv/NAME.srv.
//
//go:embed msg/*.msg srv/*.srv
var Files embed.FS
