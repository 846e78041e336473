// Package localllm lets a local Ollama model play the agents.
package localllm
