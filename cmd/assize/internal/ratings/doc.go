// Package ratings reads what people said about dialogues and lays it beside the records of a run.
//
// Ratings stand in the records themselves, where the transcripts carried them ([FromTruth]), or in a file
// ([ReadFile]), which is one of:
//
//   - a table with the columns dialogue_id, rater and rating, and perhaps criterion and file, in any order, parted by
//     commas, semicolons or tabs. The rater may be left out where each dialogue has one rating.
//   - JSON lines with the same names.
//   - a transcript that carries ratings, in a format that [dialogue.Read] knows. Its raters have no names: the first
//     rating of a dialogue is the first rater's.
//
// A criterion that is empty or "overall" is the rating of the whole dialogue. A rating that is empty, NA, NaN or null
// is none. Nothing is dropped without a word: what finds no dialogue is told of in warnings, and what could be put in
// two places is an error.
package ratings
