import { defaultServerConditions } from "vite";
import { defineConfig } from "vitest/config";

// Tests run against the sources of sibling packages; only tests that start `dist/` programs need a build.
const conditions = ["@openjarvis/source", ...defaultServerConditions];

export default defineConfig({
  define: { __PACKAGE_VERSION__: JSON.stringify("0.0.0-source") },
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ["packages/*/test/**/*.test.ts", "tests/{structure,documents}/**/*.test.ts"],
    pool: "forks",
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
