// Package playground tests the playground in a browser.
package playground
