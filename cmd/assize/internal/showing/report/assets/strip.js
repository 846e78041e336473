// The friction strip of a dialogue: a bar for each turn of the SYSTEM, down and red where it went wrong, up and blue
// where it went well. The cells come as the characters of a sparkline, lowest first.
const cells = "▁▂▃▄▅▆▇";

function strip(friction) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const steps = [...friction].map((c) => cells.indexOf(c));
  const n = Math.max(steps.length, 12);
  svg.setAttribute("class", "friction");
  svg.setAttribute("viewBox", `0 0 ${n * 10} 20`);
  svg.setAttribute("preserveAspectRatio", "none");
  svg.style.maxWidth = `${n * 16}px`;
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", tell(steps));
  steps.forEach((step, i) => {
    const bar = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    const height = Math.max(Math.abs(step - 3) * 3, 1.4);
    bar.setAttribute("class", "f" + step);
    bar.setAttribute("x", i * 10 + 1);
    bar.setAttribute("width", 8);
    bar.setAttribute("y", step > 3 ? 10 - height : 10);
    bar.setAttribute("height", height);
    svg.append(bar);
  });
  return svg;
}

// tell says in words what a strip shows.
function tell(steps) {
  const wrong = steps.filter((s) => s < 2).length;
  const where = steps.indexOf(Math.min(...steps)) + 1;
  if (!steps.length) return "no turns of the SYSTEM";
  return `${counted(steps.length, "turn")} of the SYSTEM, ${wrong} went wrong` + (wrong ? `, most at number ${where}` : "");
}
