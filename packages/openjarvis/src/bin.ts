#!/usr/bin/env node
import { createCli } from "@openjarvis/cli";

process.exitCode = await createCli({ root: import.meta.url }).run(process.argv.slice(2));
