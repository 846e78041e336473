// Package dialogue holds conversations between a SYSTEM (assistant, agent) and a USER (customer), and
// reads them from the files that people have: exports of help desks and contact centres, chat logs,
// training data and rated research sets.
//
// A [Dialogue] is all that an agent ever sees: an id and the turns. What people said about the dialogue
// afterwards, their ratings and labels, is the [Truth]; it travels beside the Dialogue in a [Sample], so
// that an agent cannot look at it even by mistake.
//
// [Read] detects the format of a stream and yields one Sample after the other without holding the stream
// in memory. A broken dialogue yields one [*SyntaxError] in its place, and reading goes on.
//
// # What parts two dialogues of one file
//
//   - [USS]: a blank line.
//   - [Plain] and [Chat]: a line of three or more "="; a line of three or more "-", "*", "_", "#" or "~" if the
//     next line begins a turn; a title such as "=== 25 ===" or "## Conversation 25", which gives the id.
//     Blank lines do not, since people put them between turns and inside them.
//   - [Table] and [ConvoKit]: another conversation id. The rows of a conversation stand together.
//   - JSON: one object, or one list of messages, is one dialogue. Objects may stand one a line, one after the
//     other, in an array, or in the array of a wrapper such as {"tickets":[…]}.
//
// # What else is known
//
// What the source says of a dialogue besides its words is carried as [Meta]: the agent, the queue, the channel, the
// version of a bot. Nobody judges by it; it tells groups of dialogues apart.
//
//   - [Table], [ConvoKit] and messages a line: a column or member that the reader does not use itself, if the rows of
//     the dialogue that have one agree on it; of ConvoKit the members of meta, too.
//   - Other JSON: plain members (a string, a number, true or false) beside the messages, and those of the place that
//     the format has for them: metadata of [OpenAI] and [ShareGPT], CustomerMetadata and Attributes of [Connect],
//     custom_fields, the channel and the names of assignee, group, brand and organization of [Zendesk],
//     custom_attributes and the type of the source of [Intercom].
//
// Ratings, labels and other judgements are never metadata, even where the reader has no use for them, and neither are
// texts; aside.txt has the words that tell them by their names. A dialogue has at most [MaxFields] fields; longer
// names and values are cut.
//
// # Who speaks
//
// Names and roles are compared without regard to case. Agent, assistant, bot, support and many more are the
// SYSTEM; customer, user, caller and many more the USER (names.txt has them all); a number ("Agent 2") or a
// name beside the role ("Priya (agent)") does no harm. Options tell the rest: Roles first, then SystemNames. A
// speaker whom nothing tells spoils the dialogue, because a guess would judge the wrong side.
package dialogue
