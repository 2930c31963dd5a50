import { type CodeSandbox, JarvisError, SandboxRegistry } from "@openjarvis/core";
import type { MakeSandbox } from "./options.js";

const packages: Readonly<Record<string, string>> = {
  python: "@openjarvis/sandbox-pyodide",
  javascript: "@openjarvis/sandbox-quickjs",
};

/** The sandboxes of a tool, one of each language, made when they are first needed. */
export class Sandboxes {
  readonly #given: MakeSandbox | undefined;
  /** Those this made itself. */
  readonly #own = new Map<string, CodeSandbox>();
  #closed = false;

  constructor(given: MakeSandbox | undefined) {
    this.#given = given;
  }

  /** The sandbox for a language. Throws `OJ_SANDBOX_NOT_INSTALLED` when none is registered. */
  async get(language: string): Promise<CodeSandbox> {
    if (this.#closed) throw new JarvisError("OJ_CLOSED", "The code interpreter was closed before this call.");
    if (this.#given !== undefined) return this.#given(language);
    const existing = this.#own.get(language);
    if (existing !== undefined) return existing;
    if (!SandboxRegistry.contains(language)) throw notInstalled(language);
    const made = SandboxRegistry.create<CodeSandbox>(language);
    this.#own.set(language, made);
    return made;
  }

  /** Closes the sandboxes this made itself. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#own.values()].map((sandbox) => sandbox.close()));
  }
}

function notInstalled(language: string): JarvisError {
  const name = packages[language];
  const registered = SandboxRegistry.keys().join(", ") || "none";
  if (name === undefined) {
    return new JarvisError("OJ_SANDBOX_NOT_FOUND", `No sandbox runs ${language}. Registered: ${registered}.`);
  }
  const install = `jarvis plugins add ${name}`;
  return new JarvisError(
    "OJ_SANDBOX_NOT_INSTALLED",
    `Running ${language} needs ${name}, which is not loaded. Install it: ${install} (in a program: npm install ${name}, and import it).`,
    { hint: `Run: ${install}`, details: { language, package: name } },
  );
}
