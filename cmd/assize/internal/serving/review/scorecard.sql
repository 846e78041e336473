-- What version 4 adds to version 3.
ALTER TABLE dialogues ADD COLUMN checklist INTEGER; -- of the scorecard, hundredths; or NULL
ALTER TABLE dialogues ADD COLUMN answers TEXT;      -- JSON, see rubric.Checklist
ALTER TABLE dialogues ADD COLUMN failing INTEGER;   -- the rank by checklist, from 1
CREATE INDEX dialogues_failing ON dialogues(failing);
ALTER TABLE reviews ADD COLUMN answers TEXT NOT NULL DEFAULT '{}'; -- JSON
CREATE TABLE answers (    -- to the questions of scorecards
	dialogue INTEGER NOT NULL,
	answer   TEXT NOT NULL, -- with its question, such as "identified: no"
	PRIMARY KEY (dialogue, answer)
) WITHOUT ROWID;
CREATE INDEX answers_answer ON answers(answer);
