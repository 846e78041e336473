// Package ui writes for people: text that is safe on a terminal, tables, counts and shares in words.
package ui
