import { connect } from "node:net";

const defaultPort = 11434;
const timeoutMs = 300;

/** A host and port to connect to. */
export interface Address {
  host: string;
  port: number;
}

/**
 * The address in what `OLLAMA_HOST` or `[engine.ollama] host` may hold: a host, with or without a port, or a URL.
 * Nothing when it is none; the engine itself says what is wrong with it.
 */
export function ollamaAddress(text: string | undefined): Address | undefined {
  const trimmed = (text ?? "").trim().replace(/^["']|["']$/g, "");
  if (trimmed === "") return { host: "127.0.0.1", port: defaultPort };
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed);
  const isBareIPv6 = /^[0-9a-f:]*:[0-9a-f:]*:[0-9a-f:.]*$/i.test(trimmed);
  const withHost = isBareIPv6 ? `[${trimmed}]` : /^:\d/.test(trimmed) ? `127.0.0.1${trimmed}` : trimmed;
  let url: URL;
  try {
    url = new URL(hasScheme ? trimmed : `http://${withHost}`);
  } catch {
    return undefined;
  }
  const everywhere: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (host === "") return undefined;
  const schemePort = url.protocol === "https:" ? 443 : 80;
  const isPort80 = /:80(\/|$)/.test(trimmed);
  const port = url.port !== "" ? Number(url.port) : hasScheme || isPort80 ? schemePort : defaultPort;
  return { host: everywhere[host] ?? host, port };
}

/** An address as a person reads it. */
export function showAddress({ host, port }: Address): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Whether something accepts connections at an address, within 0.3 seconds. */
export function answers({ host, port }: Address): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: timeoutMs });
    // A name server may be slower than the connection; the limit holds for both.
    const timer = setTimeout(() => end(false), timeoutMs);
    const end = (connected: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(connected);
    };
    socket.once("connect", () => end(true));
    socket.once("error", () => end(false));
    socket.once("timeout", () => end(false));
  });
}
