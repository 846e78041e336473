package run

import (
	"time"

	"assize/rubric/dialogue"
)

// The columns of a source that name the agent and the queue, in lower case, the surest first.
var (
	agentColumns = []string{"agent", "agent name", "agent_name", "assignee", "assigned to", "assignee name", "owner", "rep"}
	queueColumns = []string{"queue", "team", "group", "department", "inbox", "channel", "skill"}
	dayColumns   = []string{"created_at", "created at", "created", "created time", "date", "opened at", "opened", "start time",
		"started_at", "time", "timestamp", "updated_at", "closed at"}
)

// Agent gives who served the customer; "" where the source does not say.
func (r *Row) Agent() string { return r.first(agentColumns) }

// Queue gives the queue that the dialogue came through; "" where the source does not say.
func (r *Row) Queue() string { return r.first(queueColumns) }

// first gives the value of the first of some columns that the source has; "" for none.
func (r *Row) first(columns []string) string {
	for _, name := range columns {
		if value, ok := r.Meta.Value(name); ok {
			return value
		}
	}
	return ""
}

// Day gives the day of the dialogue, as 2024-05-31; "" where the source does not say, or 03/12/2024 could be two days and
// dates, "us" or "eu", does not tell which.
func (r *Row) Day(dates string) string {
	for _, name := range dayColumns {
		value, _ := r.Meta.Value(name)
		at, ok := dialogue.ParseTime(value)
		if !ok || !at.HasDate {
			continue
		}
		on := at.US
		if at.OnlyEU || !at.OnlyUS && dates == "eu" {
			on = at.EU
		}
		if at.US == at.EU || at.OnlyUS || at.OnlyEU || dates != "" {
			return time.UnixMilli(on).UTC().Format(time.DateOnly)
		}
	}
	return ""
}
