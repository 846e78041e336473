// Package source finds the files that a command line names, and reads dialogues from them.
package source
