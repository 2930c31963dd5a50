import { createHash } from "node:crypto";
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { errorText, JarvisError } from "@openjarvis/core";

/** Names and versions of the packages added to the plugin home, as its package.json has them. */
export type Dependencies = Readonly<Record<string, string>>;

/** The folder of the plugins a person added: an npm project of its own. */
export class PluginHome {
  readonly dir: string;

  constructor(dir: string) {
    this.dir = dir;
  }

  /** The folder of packages that did not come from a registry. */
  get localDir(): string {
    return join(this.dir, "local");
  }

  /**
   * Keeps a tarball, which `move` takes away from where it is. Its name here holds a part of its checksum, so that
   * another build of a version never takes the place of one that is installed. Resolves with that name.
   */
  keepTarball(path: string, { move }: { move: boolean }): string {
    const sum = createHash("sha256").update(readFileSync(path)).digest("hex").slice(0, 8);
    const name = `${basename(path).replace(/\.(tgz|tar\.gz)$/, "")}-${sum}.tgz`;
    if (move) renameSync(path, join(this.localDir, name));
    else copyFileSync(path, join(this.localDir, name));
    return name;
  }

  /** What was added. Empty when nothing ever was. */
  dependencies(): Dependencies {
    const file = join(this.dir, "package.json");
    if (!existsSync(file)) return {};
    try {
      const { dependencies } = JSON.parse(readFileSync(file, "utf8")) as { dependencies?: Dependencies };
      return dependencies ?? {};
    } catch (error) {
      throw new JarvisError("OJ_PLUGIN_INSTALL", `${file} cannot be read: ${errorText(error)}`, {
        cause: error,
        hint: `Mend it, or remove ${this.dir} and add the plugins again.`,
      });
    }
  }

  /** The version that is really there; nothing when the package is not. */
  installedVersion(name: string): string | undefined {
    try {
      const text = readFileSync(join(this.dir, "node_modules", name, "package.json"), "utf8");
      const { version } = JSON.parse(text) as { version?: unknown };
      return typeof version === "string" ? version : undefined;
    } catch {
      // Not installed.
      return undefined;
    }
  }

  /** Removes the tarballs that package.json does not name. */
  #sweepTarballs(): void {
    const used = new Set(Object.values(this.dependencies()).map((version) => basename(version)));
    for (const file of readdirSync(this.localDir)) {
      if (!used.has(file)) rmSync(join(this.localDir, file), { recursive: true, force: true });
    }
  }

  /**
   * Makes the folder, and does `work` while no other process changes it. What `work` changes in package.json and the
   * lock file is put back when it fails.
   */
  async change<T>(work: () => Promise<T>): Promise<T> {
    mkdirSync(this.localDir, { recursive: true, mode: 0o700 });
    chmodSync(this.dir, 0o700);
    const manifest = join(this.dir, "package.json");
    if (!existsSync(manifest)) writeFileSync(manifest, newManifest);
    const unlock = this.#lock();
    const saved = [manifest, join(this.dir, "package-lock.json")].map((file) => ({
      file,
      text: existsSync(file) ? readFileSync(file) : undefined,
    }));
    try {
      return await work();
    } catch (error) {
      for (const { file, text } of saved) {
        if (text === undefined) rmSync(file, { force: true });
        else writeFileSync(file, text);
      }
      throw error;
    } finally {
      this.#sweepTarballs();
      unlock();
    }
  }

  #lock(): () => void {
    const file = join(this.dir, ".lock");
    for (let attempt = 0; attempt < 2; attempt += 1) {
      try {
        const handle = openSync(file, "wx", 0o600);
        writeFileSync(handle, String(process.pid));
        closeSync(handle);
        return () => rmSync(file, { force: true });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
        const owner = Number(readFileSync(file, "utf8"));
        if (isAlive(owner)) throw busyError(owner);
        rmSync(file, { force: true });
      }
    }
    throw busyError(0);
  }
}

const newManifest = `${JSON.stringify(
  {
    name: "openjarvis-plugins",
    private: true,
    description: "Plugins added with `jarvis plugins add`.",
    dependencies: {},
  },
  undefined,
  2,
)}\n`;

function busyError(owner: number): JarvisError {
  const who = owner > 0 ? ` (process ${owner})` : "";
  return new JarvisError("OJ_PLUGIN_INSTALL", `Another jarvis is changing the plugins${who}.`, {
    hint: "Wait until it is done, then try again.",
  });
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
