// Package account tells what came of fitting: on a page for people, as JSON for programs, and suggested points as a
// diff of the lexicon files.
package account
