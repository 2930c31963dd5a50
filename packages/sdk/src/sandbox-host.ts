import { type CodeSandbox, errorText, isJarvisError, JarvisError, SandboxRegistry } from "@openjarvis/core";
import type { PluginHost } from "./plugin-host.js";

/** The sandboxes of one system: loaded and made when a language is first needed, one of each, closed with the system. */
export class SandboxHost {
  readonly #plugins: PluginHost;
  readonly #sandboxes = new Map<string, Promise<CodeSandbox>>();
  #closed = false;

  constructor(plugins: PluginHost) {
    this.#plugins = plugins;
  }

  /** The sandbox for a language. Throws `OJ_SANDBOX_NOT_FOUND` or `OJ_SANDBOX_NOT_INSTALLED` when there is none. */
  readonly get = (language: string): Promise<CodeSandbox> => {
    const existing = this.#sandboxes.get(language);
    if (existing !== undefined) return existing;
    if (this.#closed) {
      return Promise.reject(new JarvisError("OJ_CLOSED", "The system was closed before this call."));
    }
    const made = this.#create(language);
    this.#sandboxes.set(language, made);
    made.catch(() => this.#sandboxes.delete(language));
    return made;
  };

  /** Closes what was made and gives what could not be closed. */
  async close(): Promise<JarvisError[]> {
    this.#closed = true;
    const made = [...this.#sandboxes.values()];
    const outcomes = await Promise.allSettled(made.map(async (sandbox) => (await sandbox).close()));
    return outcomes.flatMap((outcome) =>
      outcome.status === "rejected" ? [asJarvisError(outcome.reason)] : [],
    );
  }

  async #create(language: string): Promise<CodeSandbox> {
    await this.#plugins.load({ sandboxes: [language] });
    return SandboxRegistry.create<CodeSandbox>(language);
  }
}

function asJarvisError(error: unknown): JarvisError {
  if (isJarvisError(error)) return error;
  return new JarvisError("OJ_INTERNAL", `A sandbox could not be closed: ${errorText(error)}`, {
    cause: error,
  });
}
