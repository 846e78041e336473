-- What version 5 adds to version 4. All runs are read again for it.
ALTER TABLE dialogues ADD COLUMN copies INTEGER NOT NULL DEFAULT 1; -- the number of dialogues with these turns; 0 for all but the first of them
CREATE INDEX dialogues_said ON dialogues(said);
DELETE FROM runs;
