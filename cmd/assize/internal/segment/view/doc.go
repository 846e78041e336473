// Package view writes the groups of a run, for people and for spreadsheets.
package view
