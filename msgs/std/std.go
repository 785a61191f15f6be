// Package std holds the definitions of the standard messages as files.
package std

import "embed"

// Files are the definitions, as PACKAGE/msg/NAME.msg and PACKAGE/srv/NAME.srv.
//
//go:embed */msg/*.msg */srv/*.srv
var Files embed.FS
