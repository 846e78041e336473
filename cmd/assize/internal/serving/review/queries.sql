{{/* The queries of the store; those that need values are templates. */}}

{{/* the reviews of dialogue d that count as ratings */}}
{{define "current"}}FROM reviews r WHERE r.identity = d.identity AND r.last AND r.satisfaction > 0{{end}}

{{define "mine"}}EXISTS (SELECT 1 {{template "current"}} AND r.reviewer = @reviewer){{end}}

{{/* the condition that a Filter selects dialogue d, of equal ones the first unless by a reviewer;
finding hidden dialogues by their scores would reveal the scores */}}
{{define "selected"}}
{{if .By}}EXISTS (SELECT 1 {{template "current"}} AND r.reviewer = @by)
{{else}}d.copies > 0{{end}}
{{if .Agent}}AND d.agent = @agent{{end}}
{{if .Queue}}AND d.queue = @queue{{end}}
{{if .Run}}AND d.run = @run{{end}}
{{if .From}}AND d.day >= @from{{end}}
{{if .To}}AND d.day <> '' AND d.day <= @to{{end}}
{{if .Reason}}AND d.dialogue IN (SELECT dialogue FROM reasons WHERE reason = @reason){{end}}
{{if .Answer}}AND d.dialogue IN (SELECT dialogue FROM answers WHERE answer = @answer){{end}}
{{if .Match}}AND d.equal IN (SELECT equal FROM dialogues WHERE dialogue IN
	(SELECT rowid FROM words WHERE words MATCH @words)){{end}}
{{if .Satisfaction.From}}AND d.satisfaction >= @least{{end}}
{{if .Satisfaction.To}}AND d.satisfaction < @below{{end}}
{{if .Overall}}AND d.overall = @overall{{end}}
{{if .Low}}AND d.final ->> @criterion < 60{{end}}
{{if or .Low .Reason .Answer .Satisfaction.To .Overall}}AND (NOT @blind OR {{template "mine"}}){{end}}
{{if eq .Rank "differ" "missed" "failing"}}AND d.{{.Rank}} IS NOT NULL{{end}}
{{if eq .State "todo"}}AND NOT {{template "mine"}}
	AND (SELECT count(*) {{template "current"}}) < 1 + (d.identity < @twice)
{{else if eq .State "done"}}AND {{template "mine"}}
{{else if eq .State "second"}}AND NOT {{template "mine"}} AND EXISTS (SELECT 1 {{template "current"}})
{{else if eq .State "flagged"}}
	AND EXISTS (SELECT 1 FROM reviews r WHERE r.identity = d.identity AND r.last AND r.flag)
{{end}}
{{end}}

{{/* the columns of a dialogue d that readRow reads */}}
{{define "row"}}d.row, coalesce(d.satisfaction, 0){{end}}

{{/* the version of the schema, and the number of tables and indexes */}}
{{define "version"}}
SELECT (SELECT user_version FROM pragma_user_version), (SELECT count(*) FROM sqlite_schema)
{{end}}

{{define "seen"}}
SELECT EXISTS (SELECT 1 FROM runs WHERE path = ? AND size = ? AND modified = ?)
{{end}}

{{define "reviewers"}}SELECT DISTINCT reviewer FROM reviews ORDER BY reviewer{{end}}

{{define "reviewed"}}SELECT DISTINCT identity FROM reviews ORDER BY identity{{end}}

{{define "said"}}SELECT said FROM reasons WHERE dialogue = ? AND reason = ?{{end}}

{{define "apart"}}
SELECT identity FROM reviews WHERE last AND identity NOT IN (SELECT identity FROM dialogues)
{{end}}

{{define "other reviews"}}
SELECT count(*) FROM other.reviews
WHERE last AND identity IN (SELECT identity FROM main.dialogues)
{{end}}

{{/* moves the reviews of dialogues that were not seen in a pass to those with the same name and words
in a file of another name, if there is one */}}
{{define "follow"}}
CREATE TEMP TABLE pairs AS SELECT was, here FROM (
	SELECT o.identity AS was, n.identity AS here, count(*) OVER (PARTITION BY o.identity) AS heres,
		count(*) OVER (PARTITION BY n.identity) AS wases
	FROM dialogues o JOIN dialogues n USING (said, name)
	WHERE o.pass <> {{.}} AND n.pass = {{.}} AND o.identity IN (SELECT identity FROM reviews)
		AND n.identity NOT IN (SELECT identity FROM reviews))
WHERE heres = 1 AND wases = 1;
UPDATE reviews SET identity = here FROM pairs WHERE identity = was;
UPDATE moved SET identity = here FROM pairs WHERE moved.identity = pairs.was;
INSERT OR REPLACE INTO moved SELECT was, here FROM pairs;
DELETE FROM moved WHERE was IN (SELECT here FROM pairs);
DROP TABLE pairs;
{{end}}

{{define "enter"}}
INSERT INTO dialogues (pass, run, place, equal, satisfaction, why, title, row)
VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (identity) DO UPDATE SET pass = excluded.pass,
	run = excluded.run, place = excluded.place, equal = excluded.equal,
	satisfaction = excluded.satisfaction, why = excluded.why, title = excluded.title,
	row = excluded.row
RETURNING dialogue
{{end}}

{{define "enter record"}}
INSERT OR REPLACE INTO records SELECT ?, header, ? FROM headers WHERE text = ?
{{end}}

{{define "copies"}}
UPDATE dialogues SET copies = iif(place = a.first, a.n, 0)
FROM (SELECT equal, min(place) AS first, count(*) AS n FROM dialogues GROUP BY equal) AS a
WHERE a.equal = dialogues.equal AND copies <> iif(place = a.first, a.n, 0)
{{end}}

{{define "no rank"}}
UPDATE dialogues SET {{.}} = NULL
WHERE {{.}} IS NOT NULL AND dialogue NOT IN (SELECT value FROM json_each(?))
{{end}}

{{define "rank"}}
UPDATE dialogues SET {{.}} = j.key + 1 FROM json_each(?) AS j
WHERE dialogue = j.value AND {{.}} IS NOT j.key + 1
{{end}}

{{define "titles"}}
UPDATE dialogues SET title = j.value FROM json_each(?) AS j
WHERE dialogue = j.key AND title <> j.value
{{end}}


{{define "rated"}}
SELECT count(*), count(DISTINCT d.said) FROM dialogues d
WHERE d.satisfaction IS NOT NULL AND EXISTS (SELECT 1 {{template "current"}})
{{end}}

{{define "overview"}}
SELECT {{template "row"}}, EXISTS (SELECT 1 {{template "current"}})
FROM dialogues d WHERE {{template "selected" .}} ORDER BY d.place
{{end}}

{{define "themes"}}
SELECT e.reason, count(*) AS n FROM dialogues d JOIN reasons e USING (dialogue)
WHERE {{template "selected" .}} GROUP BY 1 ORDER BY n DESC, 1 LIMIT @limit
{{end}}

{{define "progress"}}
SELECT r.reviewer, count(*) FILTER (WHERE r.satisfaction > 0), sum(r.flag),
	replace(substr(max(r.at), 1, 16), 'T', ' ')
FROM reviews r JOIN dialogues d USING (identity) WHERE r.last GROUP BY 1 ORDER BY 1
{{end}}

{{/* the counts by state, in one pass over the few dialogues with reviews */}}
{{define "count"}}
SELECT (SELECT count(*) FROM dialogues d WHERE {{template "selected" .}}),
	(SELECT coalesce(sum(max(d.copies - 1, 0)), 0) FROM dialogues d WHERE {{template "selected" .}}),
	coalesce(sum(t.mine OR t.n >= 1 + (d.identity < @twice)), 0), coalesce(sum(t.mine), 0),
	coalesce(sum(t.flag), 0), coalesce(sum(t.n > 0 AND NOT t.mine), 0)
FROM (SELECT identity, sum(satisfaction > 0) AS n,
	max(satisfaction > 0 AND reviewer = @reviewer) AS mine, max(flag) AS flag
	FROM reviews WHERE last GROUP BY identity) t
JOIN dialogues d ON t.identity = d.identity WHERE {{template "selected" .}}
{{end}}

{{define "dialogues"}}
SELECT {{template "row"}}, d.dialogue, d.title,
	(SELECT count(*) FROM dialogues e WHERE e.title = d.title), d.copies,
	coalesce((SELECT group_concat(title, ', ') FROM (SELECT e.title FROM dialogues e
		WHERE e.equal = d.equal AND e.dialogue <> d.dialogue AND d.copies + e.copies > 0
		ORDER BY e.place LIMIT 20))
		|| iif(d.copies > 21, ', and ' || (d.copies - 21) || ' more', ''), ''), d.why,
	coalesce((SELECT r.satisfaction {{template "current"}} AND r.reviewer = @reviewer), 0),
	EXISTS (SELECT 1 FROM reviews r WHERE r.identity = d.identity AND r.reviewer = @reviewer
		AND r.satisfaction > 0),
	(SELECT count(*) FROM reviews r WHERE r.identity = d.identity AND r.last AND r.flag),
	coalesce((SELECT group_concat(r.reviewer, char(10) ORDER BY r.reviewer) {{template "current"}}
		AND r.reviewer <> @reviewer), '')
FROM dialogues d
{{end}}

{{define "list"}}
{{template "dialogues"}} WHERE {{template "selected" .}}
ORDER BY d.{{.Rank}} NULLS LAST LIMIT @limit OFFSET @offset
{{end}}

{{define "rank of"}}coalesce((SELECT {{.Rank}} FROM dialogues WHERE dialogue = @dialogue), 0){{end}}

{{define "after"}}
{{template "dialogues"}} WHERE {{template "selected" .}} AND d.{{.Rank}} > {{template "rank of" .}}
ORDER BY d.{{.Rank}} NULLS LAST LIMIT 1
{{end}}

{{define "before"}}
{{template "dialogues"}} WHERE {{template "selected" .}} AND d.{{.Rank}} < {{template "rank of" .}}
ORDER BY d.{{.Rank}} DESC NULLS LAST LIMIT 1
{{end}}

{{define "find"}}
{{template "dialogues"}} WHERE (d.name = @name OR d.identity = @name) ORDER BY d.{{.Rank}} NULLS LAST
{{end}}

{{/* the values of a column; answers are sorted by name, so that those to a question are together */}}
{{define "choices"}}
SELECT {{.}}, count(*) AS n FROM dialogues d {{if eq . "reason" "answer"}}JOIN {{.}}s USING (dialogue)
{{end}}WHERE d.copies > 0 AND {{.}} <> ''
{{if eq . "reason" "answer"}}AND (NOT @blind OR {{template "mine"}}){{end}}
GROUP BY 1 ORDER BY {{if ne . "answer"}}n DESC, {{end}}1 LIMIT 100
{{end}}

{{define "save"}}
INSERT INTO reviews (identity, reviewer, at, satisfaction, verdicts, note, flag, blind, answers, last)
VALUES (?,?,?,?,?,?,?,?,?,1)
{{end}}

{{/* the review to withdraw, or the one that was withdrawn last unless another followed */}}
{{define "undo"}}
SELECT review, identity, satisfaction,
	coalesce((SELECT title FROM dialogues d WHERE d.identity = r.identity), '')
FROM reviews r WHERE reviewer = ?1 AND ?2 IN ('', identity)
{{if .}}
	AND undone AND review > (SELECT coalesce(max(review), 0) FROM reviews
		WHERE reviewer = ?1 AND ?2 IN ('', identity) AND NOT undone)
	ORDER BY undone DESC, review LIMIT 1
{{else}}
	AND NOT undone ORDER BY review DESC LIMIT 1
{{end}}
{{end}}

{{define "withdraw"}}
UPDATE reviews SET undone = iif(?, 0, (SELECT max(undone) + 1 FROM reviews)) WHERE review = ?
{{end}}

{{define "not last"}}
UPDATE reviews SET last = 0 WHERE identity = ? AND reviewer = ? AND last
{{end}}

{{define "last"}}
UPDATE reviews SET last = 1 WHERE review = (SELECT max(review) FROM reviews
	WHERE identity = ? AND reviewer = ? AND NOT undone)
{{end}}

{{define "taken"}}
SELECT EXISTS (SELECT 1 FROM masks WHERE name = ?1)
	OR EXISTS (SELECT 1 FROM reviews WHERE reviewer = ?1)
{{end}}

{{define "reviews"}}
SELECT r.identity, coalesce(d.name, ''), coalesce(d.file, ''), r.reviewer, r.at,
	r.satisfaction, r.verdicts, r.note, r.flag, r.blind, r.answers
FROM reviews r LEFT JOIN dialogues d USING (identity) WHERE {{.}} ORDER BY r.review
{{end}}

{{define "scored"}}FROM dialogues d WHERE d.overall IS NOT NULL AND {{template "selected" .}}{{end}}

{{/* the second number is that before the first unrated one; 'g' is after all hexadecimal digits */}}
{{define "sample"}}
SELECT count(*), coalesce(sum(d.identity < coalesce((SELECT min(d.identity) {{template "scored" .}}
	AND NOT EXISTS (SELECT 1 {{template "current"}})), 'g')), 0)
{{template "scored" .}}
{{end}}

{{define "skipped"}}
SELECT identity, title FROM (SELECT d.title, d.identity, EXISTS (SELECT 1 {{template "current"}}) AS rated
	{{template "scored" .}} ORDER BY d.identity LIMIT @limit)
WHERE NOT rated AND identity < (SELECT max(d.identity) {{template "scored" .}}
	AND EXISTS (SELECT 1 {{template "current"}}))
ORDER BY identity
{{end}}

{{define "drawn"}}SELECT d.identity {{template "scored" .}} ORDER BY d.identity LIMIT @limit{{end}}

{{define "agreement"}}
SELECT r.identity, title, file, json_group_array(r.reviewer ORDER BY r.reviewer),
	json_group_array(r.satisfaction ORDER BY r.reviewer)
FROM reviews r JOIN dialogues USING (identity)
WHERE r.last AND r.satisfaction > 0 AND (NOT ?1 OR EXISTS (SELECT 1 FROM reviews b
	WHERE b.identity = r.identity AND b.reviewer = r.reviewer
		AND b.satisfaction = r.satisfaction AND b.blind AND NOT b.undone))
GROUP BY r.identity HAVING count(*) > 1 ORDER BY r.identity
{{end}}
