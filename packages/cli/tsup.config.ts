import { readdirSync, rmSync } from "node:fs";
import { defineConfig, type Options } from "tsup";
import { base } from "../../tsup.base.js";

// The builds run side by side, so none of them may clean the folder.
rmSync("dist", { recursive: true, force: true });

// Bundled CommonJS asks for Node's own modules with `require`.
const banner = {
  js: 'import { createRequire as __createRequire } from "node:module";\nconst require = __createRequire(import.meta.url);',
};

// Start-up is a matter of file count: what `--help` needs is one file, and what `ask` needs one more. A few small modules
// are in several of the files for that; none of them holds state.

/** `--help` and `--version`. */
const entry: Options = {
  ...base,
  clean: false,
  splitting: false,
  entry: ["src/index.ts", "src/bin.ts"],
  external: [/\/run-program\.js$/],
};

/** The parser of the command line, and `ask`. */
const program: Options = {
  ...base,
  clean: false,
  splitting: false,
  entry: ["src/run-program.ts"],
  external: [/^\.\/commands\/(?!ask\.js)/],
  noExternal: ["commander"],
  minifyWhitespace: true,
  minifySyntax: true,
  metafile: true,
  banner,
  esbuildPlugins: [
    {
      // commander starts other programs for subcommands of their own, which there are none of here.
      name: "no-child-process",
      setup(build) {
        build.onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
          importer.includes("commander") ? { path: "none", namespace: "none" } : undefined,
        );
        build.onLoad({ filter: /.*/, namespace: "none" }, () => ({ contents: "module.exports = {};" }));
      },
    },
  ],
};

/** The other commands, each loaded when it runs. */
const commands: Options = {
  ...base,
  clean: false,
  entry: {
    ...Object.fromEntries(
      readdirSync("src/commands")
        .filter((file) => file !== "ask.ts")
        .map((file) => [`commands/${file.replace(/\.ts$/, "")}`, `src/commands/${file}`]),
    ),
    "commands/plugin-probe": "src/plugin-probe.ts",
  },
  esbuildOptions(options) {
    options.chunkNames = "commands/[name]-[hash]";
  },
};

export default defineConfig([entry, program, commands]);
