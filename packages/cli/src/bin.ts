#!/usr/bin/env node
import { createCli } from "./create-cli.js";

process.exitCode = await createCli({ root: import.meta.url, name: "openjarvis-cli" }).run(
  process.argv.slice(2),
);
