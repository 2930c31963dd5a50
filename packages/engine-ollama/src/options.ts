import { checkInteger, checkNumber, checkOptionKeys, JarvisError } from "@openjarvis/core";
import { resolveHost } from "./host.js";

/** Options of {@link OllamaEngine}; in config.toml they are the keys of `[engine.ollama]` in snake_case. */
export interface OllamaEngineOptions {
  /** Address of the server: `host`, `host:port` or a URL. @default OLLAMA_HOST, else http://127.0.0.1:11434 */
  host?: string;
  /**
   * Tokens of prompt and answer together (`num_ctx`).
   * @default JARVIS_NUM_CTX, else `num_ctx` of the model's Modelfile, else what the model was trained with, at most 16384
   */
  numCtx?: number;
  /** Whether, or how hard, a reasoning model thinks before it answers. @default the model's own default */
  think?: boolean | "low" | "medium" | "high";
  /** How long the server keeps the model loaded: seconds, or a text such as "10m"; -1 is for ever. @default the server's */
  keepAlive?: string | number;
  /** More model options as the Ollama API names them (`seed`, `top_p`, `repeat_penalty`). */
  modelOptions?: Readonly<Record<string, unknown>>;
  /** Longest silence of the server in seconds before a call fails; 0 waits for ever. @default 600 */
  timeoutSeconds?: number;
  /** Longest wait of `health` in seconds. @default 2 */
  healthTimeoutSeconds?: number;
  /** Headers sent with every request, for servers behind a proxy that asks for a key. */
  headers?: Readonly<Record<string, string>>;
}

/** Options as the engine uses them. */
export interface ResolvedOptions {
  host: string;
  numCtx: number | undefined;
  think: OllamaEngineOptions["think"];
  keepAlive: string | number | undefined;
  modelOptions: Readonly<Record<string, unknown>>;
  timeoutSeconds: number;
  healthTimeoutSeconds: number;
  headers: Readonly<Record<string, string>>;
}

const known = [
  "host",
  "numCtx",
  "think",
  "keepAlive",
  "modelOptions",
  "timeoutSeconds",
  "healthTimeoutSeconds",
  "headers",
] as const satisfies readonly (keyof OllamaEngineOptions)[];

/** Checks options and fills in defaults and environment. Throws `OJ_OPTION`. */
export function resolveOptions(
  options: OllamaEngineOptions,
  env: NodeJS.ProcessEnv = process.env,
): ResolvedOptions {
  checkOptionKeys('engine "ollama"', options, known);
  const { timeoutSeconds = 600, healthTimeoutSeconds = 2, modelOptions = {}, headers = {} } = options;
  const numCtx = options.numCtx ?? numberFrom(env.JARVIS_NUM_CTX);
  if (numCtx !== undefined) checkInteger("numCtx (JARVIS_NUM_CTX)", numCtx, 1);
  checkNumber("timeoutSeconds", timeoutSeconds, 0, 86_400);
  checkNumber("healthTimeoutSeconds", healthTimeoutSeconds, 0.001, 86_400);
  if (![undefined, true, false, "low", "medium", "high"].includes(options.think)) {
    throw new JarvisError(
      "OJ_OPTION",
      `think must be true, false, "low", "medium" or "high"; it is ${String(options.think)}.`,
    );
  }
  return {
    host: resolveHost(options.host, env),
    numCtx,
    think: options.think,
    keepAlive: options.keepAlive,
    modelOptions,
    timeoutSeconds,
    healthTimeoutSeconds,
    headers,
  };
}

function numberFrom(text: string | undefined): number | undefined {
  return text === undefined || text.trim() === "" ? undefined : Number(text);
}
