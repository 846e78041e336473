-- The index, which is made again from the runs.
DROP TABLE IF EXISTS runs;
DROP TABLE IF EXISTS headers;
DROP TABLE IF EXISTS dialogues;
DROP TABLE IF EXISTS records;
DROP TABLE IF EXISTS reasons;
DROP TABLE IF EXISTS answers;
DROP TABLE IF EXISTS words;
CREATE TABLE runs (
	path     TEXT PRIMARY KEY,
	size     INTEGER NOT NULL, -- of the file when it was read, in bytes
	modified INTEGER NOT NULL  -- and when it was changed last, in nanoseconds
);
CREATE TABLE headers (
	header INTEGER PRIMARY KEY,
	text   TEXT NOT NULL UNIQUE
);
CREATE TABLE dialogues (
	dialogue     INTEGER PRIMARY KEY,
	pass         INTEGER NOT NULL,     -- the reading of runs in which it was seen last
	run          TEXT NOT NULL,
	place        INTEGER NOT NULL,     -- among all dialogues
	equal        INTEGER NOT NULL,     -- a number of these turns, this agent and this queue
	satisfaction INTEGER,              -- hundredths, by the accepted profile; NULL where unscored
	why          TEXT NOT NULL,        -- what failed most, and the words that show it; empty where nothing did
	worst        INTEGER,              -- the rank in each order, from 1; NULL where it is in none
	differ       INTEGER,
	failing      INTEGER,
	missed       INTEGER,
	title        TEXT NOT NULL,        -- see report.Titles
	copies       INTEGER NOT NULL DEFAULT 1, -- the number of dialogues that are equal; 0 for all but the first of them
	-- from here on, values of row, which are NULL where it has none
	identity     TEXT NOT NULL UNIQUE AS (row ->> 'Identity') STORED, -- see run.Identity
	said         TEXT NOT NULL AS (row ->> 'Said') STORED,            -- see run.Key
	name         TEXT NOT NULL AS (row ->> 'Name') STORED,
	file         TEXT AS (row ->> 'File') STORED,
	agent        TEXT AS (row ->> 'Agent') STORED,
	queue        TEXT AS (row ->> 'Queue') STORED,
	day          TEXT AS (row ->> 'Day') STORED,
	overall      INTEGER AS (row ->> 'Overall') STORED,
	final        TEXT AS (row -> 'Final') STORED,
	row          TEXT NOT NULL         -- JSON, see indexed
);
CREATE INDEX dialogues_title ON dialogues(title);
CREATE INDEX dialogues_name ON dialogues(name);
CREATE INDEX dialogues_agent ON dialogues(agent);
CREATE INDEX dialogues_queue ON dialogues(queue);
CREATE INDEX dialogues_worst ON dialogues(worst);
CREATE INDEX dialogues_differ ON dialogues(differ);
CREATE INDEX dialogues_failing ON dialogues(failing);
CREATE INDEX dialogues_missed ON dialogues(missed);
CREATE INDEX dialogues_said ON dialogues(said);
CREATE INDEX dialogues_equal ON dialogues(equal);
CREATE TABLE records (
	dialogue INTEGER PRIMARY KEY,
	header   INTEGER NOT NULL,
	text     BLOB NOT NULL -- the line of the run, compressed (RFC 1951)
);
CREATE TABLE reasons (      -- the detectors that speak against a dialogue
	dialogue INTEGER NOT NULL,
	reason   TEXT NOT NULL,
	said     TEXT NOT NULL, -- where the first of its signals is, or the whole turn
	PRIMARY KEY (dialogue, reason)
) WITHOUT ROWID;
CREATE INDEX reasons_reason ON reasons(reason);
CREATE TABLE answers (      -- to the questions of scorecards, and states of claims
	dialogue INTEGER NOT NULL,
	answer   TEXT NOT NULL, -- with its question, such as "identified: no"
	PRIMARY KEY (dialogue, answer)
) WITHOUT ROWID;
CREATE INDEX answers_answer ON answers(answer);
CREATE VIRTUAL TABLE words USING fts5(text, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2');
CREATE TRIGGER dialogue_changed AFTER UPDATE OF row ON dialogues BEGIN
	DELETE FROM words WHERE rowid = old.dialogue;
	DELETE FROM reasons WHERE dialogue = old.dialogue;
	DELETE FROM answers WHERE dialogue = old.dialogue;
END;
CREATE TRIGGER dialogue_gone AFTER DELETE ON dialogues BEGIN
	DELETE FROM words WHERE rowid = old.dialogue;
	DELETE FROM reasons WHERE dialogue = old.dialogue;
	DELETE FROM answers WHERE dialogue = old.dialogue;
	DELETE FROM records WHERE dialogue = old.dialogue;
END;
-- What people wrote, and who is signed in, which is kept.
CREATE TABLE IF NOT EXISTS reviews (
	review       INTEGER PRIMARY KEY AUTOINCREMENT,
	identity     TEXT NOT NULL,
	reviewer     TEXT NOT NULL,
	at           TEXT NOT NULL,    -- RFC 3339, UTC
	satisfaction INTEGER NOT NULL, -- 1 to 5; 0 for none
	verdicts     TEXT NOT NULL,    -- JSON
	note         TEXT NOT NULL,
	flag         INTEGER NOT NULL,
	blind        INTEGER NOT NULL, -- the scores were hidden
	last         INTEGER NOT NULL, -- it is what this person says of the dialogue now
	undone       INTEGER NOT NULL DEFAULT 0, -- counts withdrawals, the latest highest; 0 if it counts
	answers      TEXT NOT NULL DEFAULT '{}' -- JSON
);
CREATE UNIQUE INDEX IF NOT EXISTS reviews_last ON reviews(identity, reviewer) WHERE last;
CREATE INDEX IF NOT EXISTS reviews_reviewer ON reviews(reviewer, review);
CREATE TABLE IF NOT EXISTS masks (   -- the masked names of reviewers
	digest TEXT PRIMARY KEY,     -- of the full name
	name   TEXT NOT NULL UNIQUE
);
CREATE TABLE IF NOT EXISTS moved (   -- the dialogues of reviews whose file has another name now
	was      TEXT PRIMARY KEY,
	identity TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS sessions ( -- of the browsers that are signed in
	cookie TEXT PRIMARY KEY,     -- a digest
	token  TEXT NOT NULL,        -- a digest
	begun  INTEGER NOT NULL      -- seconds since 1970
);
CREATE TABLE IF NOT EXISTS deleted (identity TEXT PRIMARY KEY);
CREATE TABLE IF NOT EXISTS profile (text BLOB NOT NULL); -- JSON: the one that was learnt and accepted, by which the queue is ranked
