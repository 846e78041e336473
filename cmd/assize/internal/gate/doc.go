// Package gate answers whether a run's dialogues are good enough: none of them, or only so many, may be below a score
// of the OverallExperience or of a criterion. An unscored dialogue is below nothing.
package gate
