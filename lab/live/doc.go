// Package live tests the live view of a running node in a browser.
package live
