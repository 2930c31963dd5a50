import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import manifest from "../../package.json" with { type: "json" };

const conditions = ["@openjarvis/source"];
const root = fileURLToPath(new URL("../..", import.meta.url));

/** An ES module with all it needs in `folder`, for a plain node to run; the package itself may be imported by its name. */
export async function bundle(entry: string, folder: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: "silent",
    root,
    define: { __PACKAGE_VERSION__: JSON.stringify(manifest.version) },
    resolve: { conditions, alias: { [manifest.name]: join(root, "src/index.ts") } },
    ssr: { noExternal: true, resolve: { conditions } },
    build: { ssr: entry, outDir: folder, emptyOutDir: false, target: "node20" },
  });
  const { output } = built as { output: { fileName: string; isEntry?: boolean }[] };
  return join(folder, output.find(({ isEntry }) => isEntry === true)?.fileName ?? "");
}
