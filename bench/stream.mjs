// CPU of a streamed answer of 512 pieces through engine and agent, beside the bare clients.
import { fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { report, spread, versionOf } from "./lib/measure.mjs";

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const server = fork(path("./contenders/model-server.mjs"), {
  stdio: ["ignore", "inherit", "inherit", "ipc"],
});
const [{ url }] = await once(server, "message");
const contenders = ["openai-client", "openjarvis-openai", "ollama-client", "openjarvis-ollama", "ai-sdk"];
const samples = Object.fromEntries(contenders.map((name) => [name, []]));
try {
  for (let round = 0; round < 5; round += 1) {
    for (const name of contenders) {
      const child = spawnSync(process.execPath, [path("./contenders/stream.mjs"), name, url], {
        encoding: "utf8",
      });
      if (child.status !== 0) throw new Error(`${name}: ${child.stderr}`);
      samples[name].push(JSON.parse(child.stdout).cpuMs);
    }
  }
} finally {
  server.kill();
}
const ratio = (name, base) =>
  spread(
    samples[name].map((value, index) => value / samples[base][index]),
    2,
  );
report(
  "stream",
  {
    cpuMsPerAnswer: Object.fromEntries(contenders.map((name) => [name, spread(samples[name], 2)])),
    ratios: {
      "openjarvis-openai to openai-client": ratio("openjarvis-openai", "openai-client"),
      "openjarvis-ollama to ollama-client": ratio("openjarvis-ollama", "ollama-client"),
      "openjarvis-openai to ai-sdk": ratio("openjarvis-openai", "ai-sdk"),
    },
  },
  { ai: versionOf("ai"), openai: versionOf("openai"), ollama: versionOf("ollama") },
);
