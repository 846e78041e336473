// Which dialogues are listed, and in which order.
const cases = data.cases;
const size = cases.id.length;
const transcripts = new Map(data.transcripts.map((t) => [t.n, t]));

// choices is up to how many files or groups a menu lists. Where there are more, a search finds the name.
const choices = 50;

const anything = {query: "", criterion: -1, most: 2, overall: 0, file: -1, groups: (data.groups ?? []).map(() => -1), only: "", sort: "satisfaction", down: false};

// values are what can be sorted by, the smaller the worse.
const values = {
  order: (i) => i,
  satisfaction: (i) => cases.satisfaction[i],
  overall: (i) => cases.overall[i],
  average: (i) => cases.average[i],
  people: (i) => cases.people[i] || 9,
  apart: (i) => -cases.apart[i],
  ...Object.fromEntries(data.criteria.map((_, c) => ["c" + c, (i) => Number(cases.final[i][c])])),
};

// only are the choices of dialogues that have something.
const only = {
  transcript: ["with a transcript", (i) => transcripts.has(i)],
  changed: ["changed by the Referee", (i) => cases.proposed[i] !== ""],
  flagged: ["flagged by the profile", (i) => cases.flagged[i]],
  contradicted: ["where rules contradict the model", (i) => cases.contradicts[i]],
};
if (!cases.flagged) delete only.flagged;
if (!cases.contradicts) delete only.contradicted;

// haystacks are the texts that a search looks through, made at the first search.
const haystacks = new Array(size);
function haystack(i) {
  if (haystacks[i] == null) {
    const said = transcripts.get(i)?.turns.map((t) => (t.text ?? []).map((p) => typeof p === "string" ? p : p[0]).join("")) ?? [];
    haystacks[i] = [cases.id[i], data.files[cases.file[i]], data.criteria[cases.failed[i]] ?? "", ...cases.why[i].filter((_, k) => k % 2), ...(data.groups ?? []).map((g) => g.list[g.member[i]].name), data.reasons[cases.reason[i]], ...said].join("\n").toLowerCase();
  }
  return haystacks[i];
}

// select gives the numbers of the dialogues that a state asks for, the worse first where equal. What is unscored comes last.
function select(state) {
  const words = state.query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = [];
  for (let i = 0; i < size; i++) {
    if (state.overall === "unscored" ? cases.overall[i] : state.overall && cases.overall[i] !== state.overall) continue;
    if (state.criterion >= 0 && !(Number(cases.final[i][state.criterion]) <= state.most)) continue;
    if (state.file >= 0 && cases.file[i] !== state.file) continue;
    if (state.groups.some((wanted, k) => wanted >= 0 && data.groups[k].member[i] !== wanted)) continue;
    if (state.only && !only[state.only][1](i)) continue;
    if (words.length && !words.every((w) => haystack(i).includes(w))) continue;
    found.push(i);
  }
  const value = values[state.sort], way = state.down ? -1 : 1;
  const scored = (i) => cases.overall[i] ? 0 : 1;
  return found.sort((a, b) => scored(a) - scored(b) || (scored(a) ? 0 : way * (value(a) - value(b))) || cases.rank[a] - cases.rank[b]);
}
