// The parts of Observable Plot that the report draws with. Whatever is not named here is not in the bundle.
export {barX, cell, dot, dotX, line, link, plot, rect, ruleX, ruleY, text, tickX} from "@observablehq/plot";
