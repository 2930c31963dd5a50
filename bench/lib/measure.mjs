import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";

/** Median, minimum and maximum of a list of numbers, rounded to `digits`. */
export function spread(values, digits = 1) {
  const sorted = [...values].sort((a, b) => a - b);
  const round = (value) => Number(value.toFixed(digits));
  return {
    median: round(sorted[Math.floor(sorted.length / 2)]),
    min: round(sorted[0]),
    max: round(sorted.at(-1)),
  };
}

/** The machine and the versions a figure belongs to. */
export function environment(extra = {}) {
  return {
    date: new Date().toISOString(),
    node: process.version,
    cpu: cpus()[0]?.model,
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    ...extra,
  };
}

/** The version of an installed peer. */
export function versionOf(name) {
  return JSON.parse(readFileSync(new URL(`../node_modules/${name}/package.json`, import.meta.url), "utf8"))
    .version;
}

/**
 * Runs each command as a fresh process, in turns, and gives the milliseconds of wall and CPU time and the peak MiB of
 * each. `commands` is `{ name: { args, env, check(stdout) } }`; the first one is the floor that ratios refer to.
 */
export function timeProcesses(commands, { rounds = 15, env = {} } = {}) {
  const names = Object.keys(commands);
  const samples = Object.fromEntries(names.map((name) => [name, { wall: [], cpu: [], peak: [] }]));
  for (let round = -1; round < rounds; round += 1) {
    const order = names.map((_, index) => names[(index + Math.max(round, 0)) % names.length]);
    for (const name of order) {
      const { args, check } = commands[name];
      const started = performance.now();
      const child = spawnSync("/usr/bin/env", ["time", "-f", "@@%U %S %M", process.execPath, ...args], {
        encoding: "utf8",
        env: { ...process.env, ...env, ...commands[name].env },
      });
      const wall = performance.now() - started;
      if (child.status !== 0) throw new Error(`${name}: exit ${child.status}\n${child.stderr}`);
      if (check !== undefined && !check(child.stdout))
        throw new Error(`${name}: wrong output ${child.stdout}`);
      const [user, system, kilobytes] = child.stderr.split("@@").at(-1).trim().split(" ").map(Number);
      // The first round warms the disk cache and is not counted.
      if (round < 0) continue;
      samples[name].wall.push(wall);
      samples[name].cpu.push((user + system) * 1000);
      samples[name].peak.push(kilobytes / 1024);
    }
  }
  const floor = samples[names[0]].wall;
  return Object.fromEntries(
    names.map((name) => {
      const { wall, cpu, peak } = samples[name];
      const ratios = wall.map((value, index) => value / floor[index]);
      return [
        name,
        {
          wallMs: spread(wall),
          cpuMs: spread(cpu),
          peakMiB: spread(peak),
          wallRatioToFloor: spread(ratios, 2),
        },
      ];
    }),
  );
}

/** Prints a result as one JSON object. */
export function report(name, results, extra = {}) {
  console.log(JSON.stringify({ bench: name, environment: environment(extra), results }, null, 2));
}
