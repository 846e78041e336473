// Bundles what entry.js names into ../assets/plot.min.js, the notices of all that is in it included:
//
//	npm ci --ignore-scripts && npm run build
//
// npm run check tells whether the bundle in the repository is what this makes. The same versions, which
// package-lock.json holds, give the same bytes.
import {readFile, readdir, writeFile} from "node:fs/promises";
import {build} from "esbuild";

const target = new URL("../assets/plot.min.js", import.meta.url);

const {outputFiles: [bundle], metafile} = await build({
  absWorkingDir: import.meta.dirname,
  entryPoints: ["entry.js"],
  bundle: true,
  minify: true,
  format: "iife",
  globalName: "Plot",
  target: "es2020",
  charset: "ascii",
  legalComments: "none", // the notices stand in front, whole
  metafile: true,
  write: false,
});

const used = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs))
  .filter(([, input]) => input.bytesInOutput > 0)
  .map(([name]) => name.match(/^node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1])
  .filter(Boolean);

// notices gathers the licences: packages that have the same terms and the same holder share one.
const notices = new Map();
for (const name of [...new Set(used)].sort()) {
  const folder = new URL(`node_modules/${name}/`, import.meta.url);
  const {version, license} = JSON.parse(await readFile(new URL("package.json", folder), "utf8"));
  const file = (await readdir(folder)).find((f) => /^(un)?licen[sc]e(\.|$)/i.test(f));
  if (!file) throw new Error(`${name} has no licence`);
  const text = (await readFile(new URL(file, folder), "utf8")).replaceAll("\r", "").replaceAll("*/", "* /").trim();
  const packages = notices.get(text) ?? [];
  packages.push(`${name} ${version} (${license})`);
  notices.set(text, packages);
}
const head = [...notices].map(([text, packages]) => `${packages.join(", ")}\n\n${text}`).join("\n\n---\n\n");
const made = `/*! Bundled from these packages, each under the terms that follow its name.\n\n${head}\n*/\n${bundle.text}`;

if (process.argv.includes("--check")) {
  if ((await readFile(target, "utf8")) !== made) throw new Error("assets/plot.min.js is not what build.mjs makes; want npm run build");
} else {
  await writeFile(target, made);
}
console.log(`${made.length} bytes, ${[...notices.values()].flat().length} packages`);
