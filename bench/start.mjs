// The cold start of whole processes against bare Node.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { report, timeProcesses } from "./lib/measure.mjs";

const bin = fileURLToPath(new URL("../packages/openjarvis/dist/bin.js", import.meta.url));
const home = mkdtempSync(join(tmpdir(), "openjarvis-bench-"));
try {
  const ask = ["ask", "--agent", "orchestrator", "--tools", "calculator", "What is 15% of 340?"];
  const results = timeProcesses(
    {
      "node -e 0": { args: ["-e", "0"] },
      "jarvis --version": { args: [bin, "--version"] },
      "jarvis --help": { args: [bin, "--help"], check: (out) => out.includes("ask") },
      "jarvis tool list": { args: [bin, "tool", "list"], check: (out) => out.includes("calculator") },
      "jarvis ask (rules, calculator)": { args: [bin, ...ask], check: (out) => out.includes("51") },
    },
    // No Ollama answers on this port, so that the rules engine does.
    { env: { OPENJARVIS_HOME: home, OLLAMA_HOST: "http://127.0.0.1:9" } },
  );
  report("start", results);
} finally {
  rmSync(home, { recursive: true, force: true });
}
