package rubric

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/rubric/dialogue"
)

var update = flag.Bool("update", false, "rewrite the golden parts of testdata")

// TestReferee runs the cases in testdata/referee, one txtar file each. A criterion that card does
// not list scores 80 with a real quote; one that rulings does not list must be agreed. The audit
// section is golden.
func TestReferee(t *testing.T) {
	files, err := filepath.Glob("testdata/referee/*.txtar")
	require.NoError(t, err)
	ruled := map[Ground]bool{}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			c := readCase(t, file)
			e, err := c.rubric.Settle(c.lies, c.card, c.critique)
			require.NoError(t, err)
			assert.Equal(t, c.want, describe(e.Rulings), c.reason)
			for _, r := range e.Rulings {
				ruled[r.Ground] = true
			}
			audit := []byte(strings.Join(e.Decisions(), "\n") + "\n")
			if i := section(c.archive, "audit"); i < 0 {
				c.archive.Files = append(c.archive.Files, txtar.File{Name: "audit", Data: audit})
			} else if !*update {
				assert.Equal(t, string(c.archive.Files[i].Data), string(audit))
			} else {
				c.archive.Files[i].Data = audit
			}
			if *update {
				require.NoError(t, os.WriteFile(file, txtar.Format(c.archive), 0o644))
			}
			require.GreaterOrEqual(t, section(c.archive, "audit"), 0, "run with -update")
		})
	}
	for _, g := range []Ground{noObjection, notOnScale, tooFar, notSaid, notBorneOut, signalled,
		notQuoted, notShown} {
		assert.True(t, ruled[g], "no case is ruled on the ground %q", g)
	}
}

// refereeCase is a case in testdata/referee.
type refereeCase struct {
	archive  *txtar.Archive
	reason   string
	rubric   Rubric
	lies     Case
	card     Scorecard
	critique Critique
	want     string
}

func section(a *txtar.Archive, name string) int {
	return slices.IndexFunc(a.Files, func(f txtar.File) bool { return f.Name == name })
}

func readCase(t *testing.T, file string) refereeCase {
	a, err := txtar.ParseFile(file)
	require.NoError(t, err)
	reason, ok := strings.CutPrefix(string(a.Comment), "reason: ")
	require.True(t, ok && strings.TrimSpace(reason) != "",
		"a reason must be given: cite PROTOCOL.md")
	c := refereeCase{archive: a, reason: reason, rubric: protocol()}
	want := map[string]string{}
	for _, f := range a.Files {
		for line := range strings.Lines(string(f.Data)) {
			line = strings.TrimSuffix(line, "\n")
			word := strings.Fields(line)
			switch f.Name {
			case "transcript":
				role, text, ok := strings.Cut(line, ": ")
				require.True(t, ok, line)
				c.lies.Dialogue.Turns = append(c.lies.Dialogue.Turns,
					dialogue.Turn{Role: map[string]dialogue.Role{"USER": dialogue.User,
						"SYSTEM": dialogue.System}[role], Text: text})
			case "card":
				head, claim, quotes := fields(t, line)
				c.card[criterion(t, head[0])] = Rating{Score: score(t, head[1]), Claim: claim,
					Quotes: quotes}
			case "critique":
				head, claim, quotes := fields(t, line)
				kind := map[string]ObjectionKind{"contradicts": Contradicts,
					"missing-evidence": MissingEvidence}[head[2]]
				require.Equal(t, head[2], kind.String())
				c.critique[criterion(t, head[0])] = Objection{Suggested: score(t, head[1]),
					Kind: kind, Claim: claim, Quotes: quotes, By: "rules"}
			case "signals":
				turn, err := strconv.Atoi(word[2])
				require.NoError(t, err)
				points, err := ParseHundredths(word[3])
				require.NoError(t, err)
				var set Set
				for name := range strings.SplitSeq(word[1], ",") {
					set |= SetOf(criterion(t, name))
				}
				c.lies.Signals = append(c.lies.Signals, Signal{ID: word[0], Criteria: set,
					Turn: turn, Points: points})
			case "demands":
				c.rubric.Demands[criterion(t, word[0])][score(t, word[1]).Level()] = word[2:]
			case "caps":
				c.rubric.Caps[criterion(t, word[0])] = map[string]Score{word[1]: score(t, word[2])}
			case "rulings":
				want[word[0]] = line
			case "audit":
			default:
				require.Fail(t, "unknown section "+f.Name)
			}
		}
	}
	require.GreaterOrEqual(t, section(a, "rulings"), 0, "the wanted rulings must be given")
	for i := range c.card {
		if c.card[i].Score == 0 {
			c.card[i] = Rating{Score: 80, Claim: "it went as it should",
				Quotes: []Quote{Excerpt(1, c.lies.Dialogue.Turns[0].Text, 0, 0)}}
		}
		name := Criterion(i).String()
		if want[name] == "" {
			want[name] = fmt.Sprintf("%s R1-agreed no-objection %d %d", name, c.card[i].Score,
				c.card[i].Score)
		}
		c.want += want[name] + "\n"
	}
	return c
}

// fields splits `TaskSuccess 60 contradicts | claim | 3 "words"; 4 "words"`.
func fields(t *testing.T, line string) (head []string, claim string, quotes []Quote) {
	part := strings.Split(line, "|")
	require.Len(t, part, 3, line)
	for s := range strings.SplitSeq(part[2], ";") {
		if s = strings.TrimSpace(s); s != "" {
			var q Quote
			_, err := fmt.Sscanf(s, "%d %q", &q.Turn, &q.Text)
			require.NoError(t, err, s)
			quotes = append(quotes, q)
		}
	}
	return strings.Fields(part[0]), strings.TrimSpace(part[1]), quotes
}

func criterion(t *testing.T, s string) Criterion {
	c, err := ParseCriterion(s)
	require.NoError(t, err)
	return c
}

func score(t *testing.T, s string) Score {
	n, err := strconv.ParseUint(s, 10, 8)
	require.NoError(t, err)
	return Score(n)
}

// describe formats rulings as in the cases.
func describe(rulings [NumCriteria]Ruling) string {
	var b strings.Builder
	for i, r := range rulings {
		fmt.Fprintf(&b, "%v %v %v %d %d", Criterion(i), r.ID, r.Ground, r.Before, r.After)
		for j, q := range r.Quotes {
			fmt.Fprintf(&b, "%s%d %q", []string{" | ", "; "}[min(j, 1)], q.Turn, q.Text)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// trials is the number of random cases for each law.
const trials = 20_000

func TestDecideIsIdempotent(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range trials {
		r, c, card, critique := trial(rnd)
		final, _ := r.Decide(c, card, critique)
		again, rulings := r.Decide(c, final, critique)
		require.Equal(t, final, again)
		for i, ruling := range rulings {
			require.Contains(t, []RulingID{Agreed, Ambiguous}, ruling.ID, "%v", Criterion(i))
		}
	}
}

func TestDecideScoresAreProposedAndQuoted(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	seen := map[RulingID]int{}
	for range trials {
		r, c, card, critique := trial(rnd)
		final, rulings := r.Decide(c, card, critique)
		for i, ruling := range rulings {
			seen[ruling.ID]++
			require.Equal(t, card[i].Score, ruling.Before)
			require.Equal(t, final[i].Score, ruling.After)
			if ruling.ID == Agreed || ruling.ID == Ambiguous {
				require.Equal(t, card[i], final[i])
				require.Empty(t, ruling.Quotes)
				continue
			}
			require.Equal(t, critique[i].Suggested, final[i].Score)
			require.Equal(t, critique[i].Claim, final[i].Claim)
			require.NotEqual(t, card[i].Score, final[i].Score)
			require.NotEmpty(t, ruling.Quotes)
			require.NotEmpty(t, final[i].Quotes)
			for _, q := range slices.Concat(ruling.Quotes, final[i].Quotes) {
				require.True(t, q.Verify(c.Dialogue), "%v", q)
			}
		}
	}
	for id := Agreed; id <= Majority; id++ {
		assert.Greater(t, seen[id], trials/200, "%v must be put to the test", id)
	}
}

func TestDecideDoesNotDependOnOrder(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for range trials {
		r, c, card, critique := trial(rnd)
		final, rulings := r.Decide(c, card, critique)
		to := rnd.Perm(NumCriteria)
		r2, c2, card2, critique2 := r, Case{Dialogue: c.Dialogue}, card, critique
		for i, j := range to {
			r2.Demands[j], r2.Caps[j], card2[j], critique2[j] = r.Demands[i], r.Caps[i], card[i],
				critique[i]
		}
		for _, s := range c.Signals {
			var set Set
			for _, k := range s.Criteria.List() {
				set |= SetOf(Criterion(to[k]))
			}
			s.Criteria = set
			c2.Signals = append(c2.Signals, s)
		}
		final2, rulings2 := r2.Decide(c2, card2, critique2)
		for i, j := range to {
			require.Equal(t, final[i], final2[j])
			require.Equal(t, rulings[i], rulings2[j])
		}
	}
}

func TestDecideIsPure(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	for range 1000 {
		r, c, card, critique := trial(rnd)
		before := fmt.Sprint(r, c, card, critique)
		one, err := r.Settle(c, card, critique)
		require.NoError(t, err)
		two, err := r.Settle(c, card, critique)
		require.NoError(t, err)
		require.Equal(t, one.AppendDebate(nil), two.AppendDebate(nil))
		require.Equal(t, before, fmt.Sprint(r, c, card, critique),
			"the arguments must stay as they were")
	}
}
