import { errorText, JarvisError } from "@openjarvis/core";
import { defaultCacheDir } from "./cache-folder.js";
import { childCommand } from "./child-command.js";
import { findInstallation, type Installation } from "./install.js";
import { inspectNode, type NodeRuntime } from "./node-runtime.js";
import { ProcessGoneError, PythonProcess } from "./python-process.js";
import { SnapshotStore } from "./snapshot-store.js";

/** How interpreters are started. */
export interface LauncherOptions {
  /** The folder of memory snapshots; `false` for none. */
  cacheDir: string | false | undefined;
  nodePath: string | undefined;
  unsafe: boolean;
  networkNamespace: boolean;
  startTimeoutMs: number;
}

interface Prepared {
  node: NodeRuntime;
  installation: Installation;
  store: SnapshotStore | undefined;
}

/** Starts the processes of interpreters, and keeps the snapshot they start from. */
export class Launcher {
  readonly #options: LauncherOptions;
  readonly #processes = new Set<PythonProcess>();
  #prepared: Promise<Prepared> | undefined;
  /** The start that makes the snapshot; others wait for it, because starting from it is much faster. */
  #making: Promise<void> | undefined;
  #saving: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(options: LauncherOptions) {
    this.#options = options;
  }

  /**
   * Starts an interpreter that serves nobody yet. Rejects with `OJ_PLUGIN_LOAD`, or `OJ_CLOSED` after `close()`.
   *
   * @param options.background whether the start does not keep this process alive
   */
  async start({ background = false } = {}): Promise<PythonProcess> {
    this.#prepared ??= this.#prepare();
    const prepared = await this.#prepared;
    const { store } = prepared;
    if (store === undefined || store.exists) return await this.#launch(prepared, background);
    if (this.#making !== undefined) {
      await this.#making;
      return await this.#launch(prepared, background);
    }
    const first = this.#launch(prepared, background);
    this.#making = first.then(
      () => this.#saving,
      // What failed is told to who asked for the first; the next one tries again.
      () => undefined,
    );
    try {
      return await first;
    } finally {
      void this.#making.then(() => {
        this.#making = undefined;
      });
    }
  }

  /** Ends every process. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#processes].map((process) => process.end()));
    await this.#saving;
  }

  async #prepare(): Promise<Prepared> {
    const { cacheDir, nodePath } = this.#options;
    const installation = findInstallation();
    const node = await inspectNode(nodePath);
    if (cacheDir === false) return { node, installation, store: undefined };
    const { pyodideVersion, runnerHash } = installation;
    const origin = { pyodideVersion, runnerHash, nodeMajor: node.major };
    const store = new SnapshotStore(cacheDir ?? defaultCacheDir(), origin);
    if (store.problem === undefined) return { node, installation, store };
    warn(store.problem);
    return { node, installation, store: undefined };
  }

  async #launch({ node, installation, store }: Prepared, background: boolean): Promise<PythonProcess> {
    const { unsafe, networkNamespace, startTimeoutMs } = this.#options;
    if (this.#closed) throw new JarvisError("OJ_CLOSED", "The Python sandbox was closed before this call.");
    const { pyodideDir } = installation;
    const config = { pyodideDir, snapshotFile: store?.file ?? "", snapshotKey: store?.key ?? "" };
    const command = childCommand({ node, installation, config, unsafe, networkNamespace });
    const process = new PythonProcess(command, {
      cwd: pyodideDir,
      onSnapshot: (parts) => {
        if (store !== undefined) this.#saving = this.#saving.then(() => save(store, parts));
      },
    });
    process.background = background;
    this.#processes.add(process);
    void process.closed.then(() => this.#processes.delete(process));
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      process.kill();
    }, startTimeoutMs);
    if (background) timer.unref();
    try {
      await process.ready();
      return process;
    } catch (error) {
      if (!(error instanceof ProcessGoneError)) throw error;
      if (this.#closed) throw new JarvisError("OJ_CLOSED", "The Python sandbox was closed while it started.");
      const reason = late ? `it was not ready after ${startTimeoutMs} ms` : error.message;
      throw new JarvisError("OJ_PLUGIN_LOAD", `The Python sandbox did not start: ${reason}`, {
        cause: error,
        hint: `It was started with ${node.path} and Pyodide in ${pyodideDir}.`,
      });
    } finally {
      clearTimeout(timer);
    }
  }
}

async function save(store: SnapshotStore, parts: readonly Uint8Array[]): Promise<void> {
  try {
    await store.save(parts);
  } catch (error) {
    warn(errorText(error));
  }
}

/** The sandbox works without a snapshot, only slower; that must not go unnoticed. */
function warn(reason: string): void {
  process.emitWarning(
    `The memory snapshot of the Python sandbox cannot be kept, so that each start takes seconds: ${reason}.`,
    { type: "OpenJarvisWarning", detail: "Set the option cacheDir to a folder that only you can write to." },
  );
}
