// Package scopes measures what it costs to ask for each scope and for all contacts
// (motion.Query's EachScope and MaxContacts), and holds lists of contacts against FCL.
package scopes
