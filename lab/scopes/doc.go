// Package scopes measures what it costs to ask for each scope and for all contacts
// (motion.Query's EachScope and MaxContacts), what distance ranges save, and holds lists of contacts against FCL.
package scopes
