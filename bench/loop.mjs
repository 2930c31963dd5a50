// A tool loop with an instant engine: the framework's own cost of a turn.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { report, spread, versionOf } from "./lib/measure.mjs";

const contenders = ["bare", "openjarvis", "ai-sdk"];
const turnCounts = [1, 10, 100];
const rounds = 3;
const script = fileURLToPath(new URL("./contenders/loop.mjs", import.meta.url));

const samples = {};
for (let round = 0; round < rounds; round += 1) {
  for (const contender of contenders) {
    for (const turns of turnCounts) {
      const args = [
        "--expose-gc",
        "--min-semi-space-size=512",
        "--max-semi-space-size=512",
        script,
        contender,
        `${turns}`,
      ];
      const child = spawnSync(process.execPath, args, { encoding: "utf8" });
      if (child.status !== 0) throw new Error(`${contender} ${turns}: ${child.stderr}`);
      samples[contender] ??= {};
      samples[contender][turns] ??= [];
      samples[contender][turns].push(JSON.parse(child.stdout));
    }
  }
}
const results = {};
for (const contender of contenders) {
  results[contender] = {};
  for (const turns of turnCounts) {
    const list = samples[contender][turns];
    const pick = (key) => list.map((sample) => sample[key]);
    results[contender][`${turns} turns`] = {
      wallMicrosPerTurn: spread(pick("wall"), 2),
      cpuMicrosPerTurn: spread(pick("cpu"), 2),
      kilobytesPerTurn: spread(pick("kilobytes"), 2),
      runsPerSecond100InFlightRatio: spread(pick("inFlightRatio"), 2),
      cpuRatioToAiSdk: spread(
        list.map((sample, index) => sample.cpu / samples["ai-sdk"][turns][index].cpu),
        3,
      ),
    };
  }
}
report("loop", results, { ai: versionOf("ai") });
