// The calculator beside mathjs: time to be ready, to evaluate, and to refuse hostile input.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { report, spread, versionOf } from "./lib/measure.mjs";

const script = fileURLToPath(new URL("./contenders/calculator.mjs", import.meta.url));
const samples = { openjarvis: [], mathjs: [] };
for (let round = 0; round < 5; round += 1) {
  for (const name of Object.keys(samples)) {
    const child = spawnSync(process.execPath, [script, name], { encoding: "utf8" });
    if (child.status !== 0) throw new Error(`${name}: ${child.stderr}`);
    samples[name].push(JSON.parse(child.stdout));
  }
}
const hostile = spawnSync(process.execPath, [script, "hostile"], { encoding: "utf8" });
if (hostile.status !== 0) throw new Error(`hostile: ${hostile.stderr}`);
const results = {
  ...Object.fromEntries(
    Object.entries(samples).map(([name, list]) => [
      name,
      {
        readyMs: spread(list.map((sample) => sample.readyMs)),
        microsPerEvaluation: spread(
          list.map((sample) => sample.micros),
          2,
        ),
      },
    ]),
  ),
  hostile: JSON.parse(hostile.stdout),
};
report("calculator", results, { mathjs: versionOf("mathjs") });
