import { checkInteger, checkNumber, checkOptionKeys, JarvisError } from "@openjarvis/core";
import { isPrivateAddress, normalizeBaseUrl } from "./base-url.js";
import { type Preset, presetFor } from "./presets.js";

/** Options of {@link OpenAIEngine}; in config.toml they are the keys of `[engine.<id>]` in snake_case. */
export interface OpenAIEngineOptions {
  /**
   * `openai`, `vllm`, `sglang`, `llamacpp_server`, `lmstudio`, or any other name for a server whose `baseUrl` is given.
   * It also names the environment variables: `<ID>_BASE_URL`, `<ID>_HOST`, `<ID>_API_KEY`.
   * @default "openai"
   */
  engineId?: string;
  /** Address of the API. @default `<ID>_BASE_URL`, else `<ID>_HOST`, else the address the server has by default */
  baseUrl?: string;
  /** Sent as a bearer token; without one no Authorization header is sent. @default `<ID>_API_KEY` */
  apiKey?: string;
  /** Headers sent with every request. */
  headers?: Readonly<Record<string, string>>;
  /** More fields of the request as the API names them (`top_p`, `seed`, `reasoning_effort`). */
  modelOptions?: Readonly<Record<string, unknown>>;
  /** Longest silence of the server in seconds before a call fails; 0 waits for ever. @default 600 */
  timeoutSeconds?: number;
  /** Longest wait of `health` in seconds. @default 2, hosted 5 */
  healthTimeoutSeconds?: number;
  /**
   * How often a call that failed before its first word, by a rate limit, an overloaded server or a lost connection, is
   * made again. The wait is what the server asks for (up to 60 s; longer is an error), else 0.5 s, doubled each time.
   * @default 2 when hosted, else 0
   */
  maxRetries?: number;
}

/** Options as the engine uses them. */
export interface ResolvedOptions {
  engineId: string;
  preset: Preset;
  baseUrl: string;
  apiKey: string | undefined;
  /** The environment variable a key is looked for in. */
  keyVariable: string;
  hosted: boolean;
  headers: Readonly<Record<string, string>>;
  modelOptions: Readonly<Record<string, unknown>>;
  timeoutSeconds: number;
  healthTimeoutSeconds: number;
  maxRetries: number;
}

const known = [
  "engineId",
  "baseUrl",
  "apiKey",
  "headers",
  "modelOptions",
  "timeoutSeconds",
  "healthTimeoutSeconds",
  "maxRetries",
] as const satisfies readonly (keyof OpenAIEngineOptions)[];

/** Checks options and fills in defaults and environment. Throws `OJ_OPTION`. */
export function resolveOptions(
  options: OpenAIEngineOptions,
  env: NodeJS.ProcessEnv = process.env,
): ResolvedOptions {
  const { engineId = "openai", headers = {}, modelOptions = {}, timeoutSeconds = 600 } = options;
  checkOptionKeys(`engine "${engineId}"`, options, known);
  if (!/^[a-z][a-z0-9_-]*$/i.test(engineId)) {
    throw new JarvisError("OJ_OPTION", `engineId must be letters, digits, "_" and "-"; it is "${engineId}".`);
  }
  const preset = presetFor(engineId);
  const variable = (suffix: string): string => `${engineId.toUpperCase().replaceAll("-", "_")}_${suffix}`;
  const baseUrl = baseUrlOf(options.baseUrl, [variable("BASE_URL"), variable("HOST")], preset, engineId, env);
  const hosted = preset.hosted && !isPrivateAddress(baseUrl);
  const { healthTimeoutSeconds = hosted ? 5 : 2, maxRetries = hosted ? 2 : 0 } = options;
  checkNumber("timeoutSeconds", timeoutSeconds, 0, 86_400);
  checkNumber("healthTimeoutSeconds", healthTimeoutSeconds, 0.001, 86_400);
  checkInteger("maxRetries", maxRetries, 0, 10);
  return {
    engineId,
    preset,
    baseUrl,
    apiKey: (options.apiKey ?? env[variable("API_KEY")])?.trim() || undefined,
    keyVariable: variable("API_KEY"),
    hosted,
    headers,
    modelOptions,
    timeoutSeconds,
    healthTimeoutSeconds,
    maxRetries,
  };
}

function baseUrlOf(
  option: string | undefined,
  variables: readonly string[],
  preset: Preset,
  engineId: string,
  env: NodeJS.ProcessEnv,
): string {
  if (option !== undefined) return normalizeBaseUrl(option, "baseUrl");
  for (const name of variables) {
    const value = env[name]?.trim();
    if (value) return normalizeBaseUrl(value, name);
  }
  if (preset.baseUrl !== undefined) return preset.baseUrl;
  throw new JarvisError("OJ_OPTION", `Engine "${engineId}" needs the base URL of its server.`, {
    hint: `Set \`baseUrl\` or ${variables[0] ?? ""}.`,
  });
}
