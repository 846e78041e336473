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
	identity     TEXT NOT NULL UNIQUE, -- see run.Identity
	said         TEXT NOT NULL,        -- see run.Key
	pass         INTEGER NOT NULL,     -- the reading of runs in which it was seen last
	run          TEXT NOT NULL,
	place        INTEGER NOT NULL,     -- among all dialogues
	number       INTEGER NOT NULL,
	name         TEXT NOT NULL,
	file         TEXT NOT NULL,
	agent        TEXT NOT NULL,        -- empty where the source does not say, as are queue and day
	queue        TEXT NOT NULL,
	day          TEXT NOT NULL,        -- 2024-05-31
	turns        INTEGER NOT NULL,
	satisfaction INTEGER,              -- hundredths; NULL where the dialogue is unscored, as are the next four
	average      INTEGER,
	overall      INTEGER,
	levels       TEXT,                 -- of the six criteria, such as 455213
	gap          INTEGER,              -- levels between rules and model, in hundredths; NULL without a model
	why          TEXT NOT NULL,        -- what failed most, and the words that show it; empty where nothing did
	rated        REAL,                 -- the mean of the ratings that the source has
	worst        INTEGER,              -- the rank in each order, from 1; NULL where it is in none
	differ       INTEGER
);
CREATE INDEX dialogues_name ON dialogues(name);
CREATE INDEX dialogues_agent ON dialogues(agent);
CREATE INDEX dialogues_queue ON dialogues(queue);
CREATE INDEX dialogues_worst ON dialogues(worst);
CREATE INDEX dialogues_differ ON dialogues(differ);
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
CREATE VIRTUAL TABLE words USING fts5(text, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2');
CREATE TABLE reviews (
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
	undone       INTEGER NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX reviews_last ON reviews(identity, reviewer) WHERE last;
CREATE INDEX reviews_reviewer ON reviews(reviewer, review);
CREATE TABLE deleted (identity TEXT PRIMARY KEY);
CREATE TABLE profile (text BLOB NOT NULL); -- JSON: the one that was learnt and accepted, by which the queue is ranked
