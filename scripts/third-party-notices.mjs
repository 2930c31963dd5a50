// Writes the licences of the packages that a build has bundled.
//
//   node third-party-notices.mjs [dist]
//
// Reads every `metafile-*.json` that tsup left in the folder (esbuild's metafile), finds the packages whose code is
// really in the output, and writes `THIRD_PARTY_NOTICES.txt` from the licence and notice files they ship. Removes the
// metafiles, which are no part of a published package.
//
// Some packages declare a licence and ship no text of it. For those the package that bundles them keeps the text of
// their repository in `licenses/<name>.txt` beside `dist`, with `__` for the `/` of a scope. Fails when there is none.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const dist = resolve(process.argv[2] ?? "dist");
const metafiles = readdirSync(dist)
  .filter((name) => /^metafile-.*\.json$/.test(name))
  .map((name) => join(dist, name));
if (metafiles.length === 0)
  fail(`${dist} holds no metafile-*.json: set \`metafile: true\` in tsup.config.ts.`);

const packages = new Map();
for (const file of metafiles) {
  for (const input of bundledInputs(JSON.parse(readFileSync(file, "utf8")))) {
    const found = packageOf(resolve(input));
    packages.set(`${found.name}@${found.version}`, found);
  }
}
if (packages.size === 0) fail(`The build of ${dist} bundles no other package: drop this step.`);

const sections = [...packages.keys()].sort().map((id) => section(id, packages.get(id)));
const head = "This package contains code of the following packages, under their own licences.\n";
writeFileSync(
  join(dist, "THIRD_PARTY_NOTICES.txt"),
  `${[head, ...sections].join(`\n${"-".repeat(80)}\n\n`)}`,
);
for (const file of metafiles) rmSync(file);
console.log(`THIRD_PARTY_NOTICES.txt: ${[...packages.keys()].sort().join(", ")}`);

/** The files of other packages that put at least one byte into an output. */
function bundledInputs(metafile) {
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs));
  return inputs
    .filter(([path, { bytesInOutput }]) => bytesInOutput > 0 && path.includes("node_modules/"))
    .map(([path]) => path);
}

/** The nearest folder above a file whose package.json has a name and a version; nested ones only mark a module type. */
function packageOf(file) {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const path = join(folder, "package.json");
    if (!existsSync(path)) continue;
    const { name, version, license } = JSON.parse(readFileSync(path, "utf8"));
    if (name !== undefined && version !== undefined) return { folder, name, version, license };
  }
  return fail(`${file} belongs to no package.`);
}

function section(id, { folder, name, license }) {
  const shipped = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)([.-].*)?$/i.test(file));
  const files = shipped.sort().map((file) => join(folder, file));
  const kept = join(dist, "..", "licenses", `${name.replace("/", "__")}.txt`);
  if (existsSync(kept)) files.push(kept);
  else if (shipped.every((file) => /^notice/i.test(file)))
    fail(`${id} ships no licence file: keep its text in ${kept}.`);
  const texts = files.map((file) => readFileSync(file, "utf8").trim());
  return `${id}${license === undefined ? "" : ` (${license})`}\n\n${texts.join("\n\n")}\n`;
}

function fail(message) {
  console.error(`third-party-notices: ${message}`);
  process.exit(1);
}
