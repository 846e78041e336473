// Package dialogue holds conversations between a SYSTEM (assistant, agent) and a USER (customer), and
// reads them from files: exports of help desks and contact centres, chat logs, training data and rated research sets.
//
// A [Dialogue] is all that an agent ever sees: an id and the turns. What people said about the dialogue
// afterwards, their ratings and labels, is the [Truth]; it is kept beside the Dialogue in a [Sample], so
// that no agent can see it.
//
// [Read] detects the format of a stream and yields one Sample after the other. Only what must be put in order, such
// as a table, is held until its end, by Options.Shelf. What had to be guessed is told to Options.Note. A broken dialogue
// yields one [*SyntaxError] in its place, and reading continues.
//
// # How the dialogues of a file are separated
//
//   - [USS]: by a blank line.
//   - [Plain] and [Chat]: by a line of three or more "="; by a line of three or more "-", "*", "_", "#" or "~" if the
//     next line begins a turn; by a title such as "=== 25 ===" or "## Conversation 25", which gives the id.
//     Blank lines do not count, since people put them between turns and inside them.
//   - [Table] and [ConvoKit]: by the conversation's id. Its rows may lie apart and in any order: they are put together
//     in the order of their numbers or, without numbers, of their times. A table may also have one row per dialogue,
//     with the whole transcript in a cell.
//   - JSON: one object, or one list of messages, is one dialogue. Objects may come one per line, one after the
//     other, in an array, or in the array of a wrapper such as {"tickets":[…]}.
//
// # Metadata
//
// What the source says of a dialogue besides its words is kept as [Meta]: the agent, the queue, the channel, the
// version of a bot. It takes no part in judging; it tells groups of dialogues apart.
//
//   - [Table], [ConvoKit] and single messages: a column or member that the reader does not use itself, if all rows of
//     the dialogue that have a value agree.
//   - Other JSON: plain members (a string, a number, true or false) beside the messages, and those of the place that
//     the format has for them.
//
// Ratings, labels and other judgements are never metadata, even where the reader has no use for them, and neither are
// texts; aside.txt has the words that tell them by their names. A dialogue has at most [MaxFields] fields; longer
// names and values are cut.
//
// # Roles
//
// Names and roles are compared without regard to case. Agent, assistant, bot, support and many more are the
// SYSTEM; customer, user, caller and many more the USER (names.txt has them all); a number ("Agent 2") or a
// name beside the role ("Priya (agent)") makes no difference. Options tell the rest: Roles first, then SystemNames. A
// speaker of unknown role is an error of the dialogue, because a guess would judge the wrong side.
package dialogue
