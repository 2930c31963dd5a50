import { defineConfig } from "vitest/config";

// Installs packed tarballs as users do; slow, and in need of a package registry for third-party dependencies.
export default defineConfig({
  test: {
    include: ["tests/packed/**/*.test.ts"],
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
