// Package types stands in for rclgo's package of this name: the one interface that the adapter
// passes on.
package types

import "unsafe"

// Message is a message as rclgo-gen writes it. The adapter has none.
type Message interface {
	SetDefaults()
	GetTypeSupport() MessageTypeSupport
}

// MessageTypeSupport gives rcl the type of a topic.
type MessageTypeSupport interface {
	New() Message
	PrepareMemory() unsafe.Pointer
	ReleaseMemory(unsafe.Pointer)
	AsCStruct(unsafe.Pointer, Message)
	AsGoStruct(Message, unsafe.Pointer)
	TypeSupport() unsafe.Pointer
}
