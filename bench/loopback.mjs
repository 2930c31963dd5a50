// A cold process that answers "What is 2+2?" by one calculator call of a model server on loopback.
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { report, timeProcesses, versionOf } from "./lib/measure.mjs";

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const server = fork(path("./contenders/model-server.mjs"), {
  stdio: ["ignore", "inherit", "inherit", "ipc"],
});
const [{ url }] = await once(server, "message");
const home = mkdtempSync(join(tmpdir(), "openjarvis-bench-"));
try {
  const bin = path("../packages/openjarvis/dist/bin.js");
  const ask = ["ask", "--agent", "orchestrator", "--tools", "calculator", "--model", "m", "What is 2+2?"];
  const check = (out) => out.includes("4");
  const results = timeProcesses(
    {
      "node -e 0": { args: ["-e", "0"] },
      "jarvis ask --engine openai": { args: [bin, ...ask, "--engine", "openai"], check },
      "jarvis ask --engine ollama": { args: [bin, ...ask, "--engine", "ollama"], check },
      "AI SDK script, own calculator": { args: [path("./contenders/ai-sdk-ask.mjs")], check },
    },
    {
      env: { OPENJARVIS_HOME: home, OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: "none", OLLAMA_HOST: url },
    },
  );
  report("loopback", results, { ai: versionOf("ai") });
} finally {
  server.kill();
  rmSync(home, { recursive: true, force: true });
}
