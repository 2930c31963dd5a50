import { JarvisError } from "@openjarvis/core";

const defaultPort = 11434;

/**
 * The base URL for what `OLLAMA_HOST` and the `host` option may hold: `host`, `host:port`, `:port`, an IPv6 address, or
 * a URL with or without a path. The addresses a server listens on everywhere (`0.0.0.0`, `::`) become those of this
 * machine. Without a scheme the port is 11434; with one it is the scheme's, as in Ollama itself.
 *
 * Throws `OJ_OPTION` when it is no address.
 */
export function parseHost(text: string): string {
  const trimmed = text.trim().replace(/^["']|["']$/g, "");
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed);
  const url = toUrl(hasScheme ? trimmed : `http://${withHost(trimmed)}`, text);
  if (!hasScheme && url.port === "" && !/:80(\/|$)/.test(trimmed)) url.port = String(defaultPort);
  if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
  if (url.hostname === "[::]") url.hostname = "[::1]";
  const login = url.username === "" ? "" : `${url.username}${url.password === "" ? "" : `:${url.password}`}@`;
  return `${url.protocol}//${login}${url.host}${url.pathname.replace(/\/+$/, "")}`;
}

/** The address to use: the option, else `OLLAMA_HOST`, else Ollama's default. */
export function resolveHost(option: string | undefined, env: NodeJS.ProcessEnv = process.env): string {
  const fromEnv = env.OLLAMA_HOST?.trim();
  return parseHost(option ?? (fromEnv || `127.0.0.1:${defaultPort}`));
}

function withHost(address: string): string {
  if (address.startsWith(":") && !address.startsWith("::")) return `127.0.0.1${address}`;
  // A bare IPv6 address; with a port it needs brackets to be told apart.
  return /^[0-9a-f:]*:[0-9a-f:]*:[0-9a-f:.]*$/i.test(address) ? `[${address}]` : address;
}

function toUrl(text: string, original: string): URL {
  let url: URL | undefined;
  try {
    url = new URL(text);
  } catch {
    url = undefined;
  }
  if (url !== undefined && ["http:", "https:"].includes(url.protocol) && url.hostname !== "") return url;
  throw new JarvisError("OJ_OPTION", `"${original}" is not an address of an Ollama server.`, {
    hint: 'Write it as "host", "host:port" or "https://host/path", in `host` or OLLAMA_HOST.',
  });
}
