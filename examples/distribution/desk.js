#!/usr/bin/env node
import { createCli } from "@openjarvis/cli";

process.exitCode = await createCli({
  name: "desk",
  root: import.meta.url,
  defaults: { agent: "orchestrator", tools: ["calculator", "count_words"] },
}).run(process.argv.slice(2));
