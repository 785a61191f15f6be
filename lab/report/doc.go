// Package report tests the page that `firstcontact check --report` writes as people use it: in a
// browser without network, from a file, with the keyboard, on a phone, and held against what
// --json prints and where the checker says that the links are.
package report
