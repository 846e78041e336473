// The charts. Each takes a width and gives an SVG element.
const scale = [20, 40, 60, 80, 100];
const level = (l) => `var(--l${l})`;
const quiet = "var(--quiet)";

// stacked lays parts of rows side by side, each row as long as the others: rows are [name, parts], tones a fill for each part.
// A part leads to the address and the number of dialogues that to gives for the name of its row and its place.
function stacked(rows, fills, inks, width, to = () => []) {
  const left = 104, hollow = "var(--sheet)";
  const bars = rows.flatMap(([name, parts]) => {
    const whole = sum(parts);
    let from = 0;
    return parts.map((n, i) => {
      const [href, listed] = to(name, i);
      const bar = {name, from, to: from + (whole ? n / whole : 0), n, whole, fill: fills[i], ink: inks[i], href, listed};
      from = bar.to;
      return bar;
    });
  });
  return Plot.plot({
    width, height: 34 * rows.length + 26, marginLeft: left, marginRight: 22, marginTop: 4, marginBottom: 22,
    x: {domain: [0, 1], label: null, ticks: [0, .25, .5, .75, 1], tickFormat: (v) => 100 * v + " %", tickSize: 0},
    y: {domain: rows.map(([name]) => name), label: null, tickSize: 0, padding: .24},
    marks: [
      Plot.barX(bars.filter((b) => b.n), {y: "name", x1: "from", x2: "to", fill: (b) => b.fill, href: "href", title: (b) => b.href && listing(b.listed), insetRight: .5}),
      Plot.barX(bars.filter((b) => b.n && (b.fill === hollow || b.fill === "var(--rest)")), {y: "name", x1: "from", x2: "to", fill: "none", pointerEvents: "none", stroke: "var(--edge)", strokeDasharray: "4 2", inset: .75}),
      Plot.text(bars.filter((b) => (b.to - b.from) * (width - left) > 36), {
        y: "name", x: (b) => (b.from + b.to) / 2, text: (b) => percent(b.n, b.whole), fill: (b) => b.ink,
      }),
    ],
  });
}

// leads makes a mark that is not seen lead to the dialogues that another stands for.
const listing = (n) => `List ${counted(n, "dialogue")}`;
const leads = {href: "link", title: (m) => listing(m.n), fill: "currentColor", fillOpacity: 0};

// spread returns the mean of scores and their standard deviation, as of a whole population.
function spread(levels) {
  const n = Math.max(sum(levels), 1);
  const mean = sum(levels.map((k, i) => k * scale[i])) / n;
  return {mean, deviation: Math.sqrt(sum(levels.map((k, i) => k * (scale[i] - mean) ** 2)) / n)};
}

const charts = {
  "chart-overall": (width) => {
    const total = sum(data.overall.map((b) => b.n)), most = Math.max(...data.overall.map((b) => b.n), 1);
    return Plot.plot({
      width, height: 210, marginLeft: 40, marginRight: 96, marginTop: 4, marginBottom: 8,
      x: {axis: null, domain: [0, most]},
      y: {domain: data.overall.map((b) => b.name), label: null, tickSize: 0, padding: .22},
      marks: [
        Plot.barX(data.overall, {y: "name", x: "n", fill: (b) => level(b.name / 20)}),
        Plot.text(data.overall, {y: "name", x: "n", text: (b) => `${percent(b.n, total)}  (${count(b.n)})`, textAnchor: "start", dx: 6}),
        Plot.ruleX([0], {stroke: quiet}),
        Plot.barX(data.overall.filter((b) => b.link), {y: "name", x1: 0, x2: most, ...leads}),
      ],
    });
  },
  "chart-satisfaction": (width) => {
    const bins = data.satisfaction, most = Math.max(...bins.map((b) => b.n));
    return Plot.plot({
      width, height: 210, marginLeft: 44, marginRight: 12, marginTop: 20, marginBottom: 26,
      x: {domain: [1, 5], label: null, ticks: [1, 2, 3, 4, 5], tickFormat: String, tickSize: 0},
      y: {label: null, grid: true, ticks: wholes(bins.map((b) => b.n)), tickSize: 0, tickFormat: count},
      marks: [
        Plot.rect(bins, {x1: "from", x2: "to", y1: 0, y2: "n", fill: "var(--accent)", fillOpacity: .8, insetRight: .6}),
        Plot.ruleY([0], {stroke: quiet}),
        Plot.ruleX([data.mean], {stroke: "currentColor", strokeWidth: 1.5}),
        Plot.text([data.mean], {x: (m) => m, frameAnchor: "top", dy: -14, text: (m) => `mean ${m.toFixed(2)}`}),
        Plot.rect(bins.filter((b) => b.link), {x1: "from", x2: "to", y1: 0, y2: most, ...leads}),
      ],
    });
  },
  "chart-weeks": (width) => {
    const weeks = data.weeks.filter((w) => w.scored).map((w) => ({...w, ...w.satisfaction, day: new Date(w.name)}));
    const interval = weeks.filter((w) => w.high);
    return Plot.plot({
      width, height: 220, marginLeft: 44, marginRight: 30, marginTop: 12, marginBottom: 26,
      x: {type: "utc", label: null, tickSize: 0, ticks: weeks.length > 6 ? 6 : weeks.map((w) => w.day)},
      y: {domain: [1, 5], ticks: [1, 2, 3, 4, 5], tickFormat: String, label: null, grid: true, tickSize: 0},
      marks: [
        Plot.link(interval, {x: "day", y1: "low", y2: "high", stroke: "var(--accent)", strokeWidth: 1}),
        Plot.line(weeks, {x: "day", y: "value", stroke: "var(--accent)", strokeWidth: 2}),
        Plot.dot(weeks, {x: "day", y: "value", r: 4, fill: "var(--accent)"}),
        Plot.dot(weeks, {x: "day", y: "value", r: 12, ...leads}),
      ],
    });
  },
  "chart-levels": (width) => stacked( // of each level first what is not shown
    data.criteria.map((name, i) => [name, data.counts[i].levels.flatMap((n, l) => [data.counts[i].unshown[l], n - data.counts[i].unshown[l]])]),
    [1, 2, 3, 4, 5].flatMap((l) => ["var(--sheet)", level(l)]), [1, 2, 3, 4, 5].flatMap((l) => ["currentColor", `var(--on${l})`]), width,
    (name, i) => {
      const {levels, unshown} = data.counts[data.criteria.indexOf(name)];
      return i % 2 ? [`#criterion=${name}&score=${scale[i >> 1]}`, levels[i >> 1]] : [`#criterion=${name}&score=none`, sum(unshown)];
    }),
  "chart-means": (width) => {
    const rows = data.criteria.map((name, i) => {
      const {levels, unshown} = data.counts[i], all = spread(levels);
      return {name, ...all, shown: all.mean - sum(unshown.map((n, l) => n * scale[l])) / Math.max(sum(levels), 1)};
    });
    return Plot.plot({
      width, height: 34 * 6 + 26, marginLeft: 104, marginRight: 56, marginTop: 4, marginBottom: 22,
      x: {domain: [0, 100], label: null, ticks: [0, 20, 40, 60, 80, 100], tickSize: 0, grid: true},
      y: {domain: data.criteria, label: null, tickSize: 0, padding: .34},
      marks: [
        Plot.barX(rows, {y: "name", x: "shown", fill: "var(--accent)", fillOpacity: .7}),
        Plot.barX(rows.filter((r) => r.shown < r.mean), {y: "name", x1: "shown", x2: "mean", fill: "none", stroke: "var(--edge)", strokeDasharray: "4 2", inset: .75}),
        Plot.link(rows, {y: "name", x1: (r) => Math.max(0, r.mean - r.deviation), x2: (r) => Math.min(100, r.mean + r.deviation), stroke: "currentColor", strokeWidth: 1.5}),
        Plot.tickX(rows, {y: "name", x: "mean", stroke: "currentColor", strokeWidth: 2.5}),
        Plot.text(rows, {y: "name", frameAnchor: "right", dx: 50, textAnchor: "end", text: (r) => r.mean.toFixed(1)}),
        Plot.ruleX([0], {stroke: quiet}),
      ],
    });
  },
  "chart-critic": (width) => stacked(data.criteria.map((name, i) => [name, data.counts[i].rulings.slice(1)]),
    ["var(--rest)", level(3), level(4), level(2), level(5)], ["currentColor", "var(--on3)", "var(--on4)", "var(--on2)", "var(--on5)"], width),
  "chart-model": (width) => stacked(data.criteria.map((name, i) => [name, data.counts[i].verdicts]),
    [level(5), level(3), level(1)], ["var(--on5)", "var(--on3)", "var(--on1)"], width),
  "chart-apart": (width) => Plot.plot({
    width, height: 230, marginLeft: 44, marginRight: 12, marginTop: 8, marginBottom: 26,
    x: {domain: [0, 4.5], label: null, ticks: [0, 1, 2, 3, 4], tickSize: 0, tickFormat: String},
    y: {label: null, grid: true, ticks: wholes(data.apart), tickSize: 0, tickFormat: count},
    marks: [
      Plot.rect(data.apart, {x1: (_, i) => i / 2, x2: (_, i) => i / 2 + .5, y1: 0, y2: (n) => n, fill: "var(--accent)", fillOpacity: .8, insetRight: .6}),
      Plot.ruleY([0], {stroke: quiet}),
    ],
  }),
  "chart-spearman": (width) => {
    const rows = data.agreement.filter((c) => c.rho.value != null).map((c, i) => ({...c, ...c.rho, one: c.one.value, limit: c.limit.value, y: String(i)}));
    const known = rows.flatMap((r) => [r.low, r.high, r.value, r.one, r.limit]).filter((v) => v != null);
    const yardstick = (field, stroke, strokeDasharray) => Plot.tickX(rows.filter((r) => r[field] != null), {x: field, y: "y", stroke, strokeDasharray, strokeWidth: 1.5});
    return Plot.plot({
      width, height: 27 * rows.length + 28, marginLeft: 104, marginRight: 44, marginTop: 4, marginBottom: 24,
      x: {domain: [Math.min(0, ...known), Math.max(...known, .1)], label: null, grid: true, ticks: 4, tickSize: 0, tickFormat: short},
      y: {domain: rows.map((r) => r.y), label: null, tickSize: 0, padding: 0, tickFormat: (y) => shorten(rows[y].name, 15)},
      marks: [
        Plot.ruleX([0], {stroke: quiet}),
        yardstick("one", quiet, "4 3"),
        yardstick("limit", "currentColor"),
        Plot.link(rows.filter((r) => r.low != null), {x1: "low", x2: "high", y: "y", stroke: "var(--accent)", strokeWidth: 2}),
        Plot.dot(rows, {x: "value", y: "y", r: (r) => r.group ? 4 : 5.5, fill: "var(--accent)"}),
        Plot.text(rows, {y: "y", frameAnchor: "right", dx: 40, textAnchor: "end", text: (r) => short(r.value)}),
      ],
    });
  },
  "chart-scatter": (width) => {
    const rated = rows.map((_, i) => [value(i, "satisfaction"), value(i, "rating")].map(Number)).filter(([, people]) => people);
    const step = 1 / (rated.length > 1000 ? 20 : 100); // those that are nearer than this share a dot
    const places = new Map();
    rated.forEach(([satisfaction, people]) => {
      const x = Math.round(satisfaction / step), y = Math.round(people / step);
      places.set(`${x} ${y}`, {x: x * step, y: y * step, n: (places.get(`${x} ${y}`)?.n ?? 0) + 1});
    });
    const dots = [...places.values()], most = Math.max(...dots.map((d) => d.n));
    return Plot.plot({
      width, height: 300, marginLeft: 30, marginRight: 12, marginTop: 22, marginBottom: 38,
      x: {domain: [1, 5], ticks: [1, 2, 3, 4, 5], tickFormat: String, label: "satisfaction", labelAnchor: "center", labelArrow: "none", tickSize: 0, grid: true},
      y: {domain: [1, 5], ticks: [1, 2, 3, 4, 5], tickFormat: String, label: "people's mean", labelArrow: "none", tickSize: 0, grid: true},
      r: {type: "sqrt", domain: [0, most], range: [0, most === 1 ? 3 : 8]},
      marks: [
        Plot.line([[1, 1], [5, 5]], {stroke: quiet, strokeDasharray: "4 3"}),
        Plot.dot(dots, {x: "x", y: "y", r: "n", fill: "var(--accent)", fillOpacity: .45, stroke: "var(--accent)"}),
      ],
    });
  },
};

// byGroup draws the mean satisfaction of groups with their intervals, those with too few dialogues hollow.
const mostGroups = 20;
function byGroup(means, width) {
  const rows = means.map((m, i) => ({name: m.name, n: m.n, scored: m.scored, link: m.link, few: m.too_few, value: m.satisfaction.value, y: String(i), ...(m.satisfaction.high ? m.satisfaction : {})}));
  const known = rows.flatMap((r) => [r.low ?? r.value, r.high ?? r.value]);
  const domain = [Math.min(...known) - .1, Math.max(...known) + .1];
  const left = Math.min(150, 16 + 7.5 * Math.max(...rows.map((r) => shorten(r.name, 18).length)));
  return Plot.plot({
    width, height: 25 * rows.length + 34, marginLeft: left, marginRight: 96, marginTop: 6, marginBottom: 24,
    x: {domain, label: null, grid: true, ticks: Math.max(3, Math.floor((width - left - 96) / 60)), tickSize: 0},
    y: {type: "band", domain: rows.map((r) => r.y), label: null, tickSize: 0, padding: 0, tickFormat: (y) => shorten(rows[y].name, 18)},
    marks: [
      Plot.link(rows.filter((r) => r.low != null), {x1: "low", x2: "high", y: "y", stroke: "var(--accent)", strokeWidth: (r) => r.few ? 1 : 2}),
      Plot.dot(rows, {x: "value", y: "y", r: 5, fill: (r) => r.few ? "var(--sheet)" : "var(--accent)", stroke: "var(--accent)", strokeWidth: 1.5}),
      Plot.text(rows, {y: "y", frameAnchor: "right", dx: 92, textAnchor: "end", text: (r) => `${r.value.toFixed(2)}  n ${count(r.scored)}`, fill: (r) => r.few ? quiet : "currentColor"}),
      Plot.barX(rows.filter((r) => r.link), {y: "y", x1: domain[0], x2: domain[1], ...leads}),
    ],
  });
}

// shorten leaves out the middle of a name: names differ at their ends.
function shorten(name, most) {
  const signs = [...name];
  const half = most >> 1;
  return signs.length > most ? signs.slice(0, half).join("") + "…" + signs.slice(signs.length - most + half + 1).join("") : name;
}

// wholes returns the ticks of an axis that counts dialogues: whole numbers only.
const wholes = (counts) => {
  const most = Math.max(...counts, 1);
  return most <= 4 ? [...Array(most + 1).keys()] : 4;
};

// drawAll draws every chart that the page has a place for.
function drawAll() {
  for (const [id, chart] of Object.entries(charts)) draw(id, chart);
  (data.groups ?? []).forEach((g, i) => draw(`chart-groups-${i}`, (width) => byGroup(g.list.filter((m) => m.scored).slice(0, mostGroups), width)));
  const unshown = data.counts?.some((c) => sum(c.unshown)) ? [["hollow", "not shown"]] : [];
  key("chart-levels", [...scale.map((s, i) => [`k${i + 1}`, String(s)]), ...unshown]);
  key("chart-means", [["kmean", "mean"], ["kline", "one standard deviation to either side"], ...unshown]);
  key("chart-critic", (data.rulings ?? []).map((id, i) => [["k0", "k3", "k4", "k2", "k5"][i], id]));
  if (data.agreement) key("chart-spearman", [["kdot", "95 % interval"], ["kdash", "one annotator"], ["klimit", "limit"]]);
  key("chart-model", [["k5", "agree"], ["k3", "one level apart"], ["k1", "two or more"]]);
}
