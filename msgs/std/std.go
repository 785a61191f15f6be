// Package std holds the definitions of the standard messages as files.
package std

import "embed"

// Files are the definitions, as PACKAGE/msg/NAME.msg, PACKAGE/srv/NAME.srv and
// PACKAGE/action/NAME.action.
//
//go:embed */msg/*.msg */srv/*.srv */action/*.action
var Files embed.FS
