// Package fakeollama is an Ollama server for tests: on loopback, without a model, and misbehaving where it is told to.
// It answers any JSON Schema with something that holds to it, different from transcript to transcript and the same
// whenever it is asked the same.
package fakeollama
