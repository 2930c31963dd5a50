// Adds up the JSON reports of the test runs and prints the one line that CI reads. Fails when nothing ran.
// Usage: node scripts/test-summary.mjs REPORT...
import { readFileSync } from "node:fs";

let passed = 0;
let failed = 0;
for (const file of process.argv.slice(2)) {
  const report = JSON.parse(readFileSync(file, "utf8"));
  passed += report.numPassedTests;
  failed += report.numFailedTests;
  // A file that could not even be collected holds no failed test, yet it has failed.
  for (const { status, assertionResults } of report.testResults) {
    if (status === "failed" && !assertionResults.some((result) => result.status === "failed")) failed += 1;
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(passed > 0 && failed === 0 ? 0 : 1);
