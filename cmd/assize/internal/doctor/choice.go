package doctor

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"assize/localllm"
)

// Best gives the trial of the model that does best among those that are worth anything: by verdict, then by AUC, then by
// time. It is nil for none.
func Best(trials []*Trial) *Trial {
	var best *Trial
	for _, t := range trials {
		if t.Verdict() < SecondOpinion {
			continue
		}
		if best == nil || better(t, best) {
			best = t
		}
	}
	return best
}

func better(a, b *Trial) bool {
	f, g := a.Measure(), b.Measure()
	return cmp.Or(cmp.Compare(a.Verdict(), b.Verdict()), cmp.Compare(f.AUC, g.AUC), cmp.Compare(g.Seconds, f.Seconds)) > 0
}

// floor is the size from which a model was measured to carry any signal: 1.5 billion parameters, give or take what is
// rounded. Of half a billion and less, scores were noise.
const floor = 1.4e9

// Candidate gives the installed model that is most worth a trial: the largest on this machine with a chat template, at
// least as large as any that was measured to be of use. It is empty for none.
func Candidate(models []localllm.Installed, tried []*Trial) string {
	var name string
	most := 0.0
	for _, m := range models {
		was := slices.ContainsFunc(tried, func(t *Trial) bool { return t.Identity.Name == m.Name })
		if n := parameters(m.Parameters); CanPlay(m) && !was && n >= floor && n > most {
			name, most = m.Name, n
		}
	}
	return name
}

// CanPlay reports whether a model can play an agent without anything leaving the server's machine.
func CanPlay(m localllm.Installed) bool { return m.Template && !m.Remote }

// parameters reads a number of parameters such as 1.5B or 134.52M; 0 for what it cannot read.
func parameters(s string) float64 {
	unit := map[byte]float64{'K': 1e3, 'M': 1e6, 'B': 1e9, 'T': 1e12}
	if s == "" {
		return 0
	}
	times, ok := unit[strings.ToUpper(s)[len(s)-1]]
	n, err := strconv.ParseFloat(s[:len(s)-1], 64)
	if !ok || err != nil || n < 0 || math.IsNaN(n) || math.IsInf(n, 0) {
		return 0
	}
	return n * times
}

// about words a duration that is only estimated: 40 s, 25 min, 1 h 20 min, 3 days.
func about(d time.Duration) string {
	switch minutes := int(math.Round(d.Minutes())); {
	case d < 2*time.Minute:
		return fmt.Sprintf("about %.0f s", d.Seconds())
	case minutes < 60:
		return fmt.Sprintf("about %d min", minutes)
	case minutes < 48*60:
		return fmt.Sprintf("about %d h %d min", minutes/60, minutes%60)
	}
	return fmt.Sprintf("about %.0f days", d.Hours()/24)
}
