import { JarvisError } from "@openjarvis/core";

/**
 * The base URL of an API from what people write: with or without scheme, with a trailing slash, with the path of one
 * method, with or without `/v1`. A path that already has a version (`/v1`, `/api/paas/v4`, `/v1beta/openai`) is kept,
 * any other gets `/v1`. `0.0.0.0`, where servers listen, becomes this machine.
 *
 * Throws `OJ_OPTION` when it is no address.
 */
export function normalizeBaseUrl(text: string, option: string): string {
  const trimmed = text.trim().replace(/^["']|["']$/g, "");
  const url = toUrl(/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`, text, option);
  if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
  const path = url.pathname
    .replace(/\/(chat\/completions|completions|models|embeddings)\/?$/, "")
    .replace(/\/+$/, "");
  const single = path.replace(/(\/v1)+$/, "/v1");
  url.pathname = /\/v\d+[a-z0-9]*(\/|$)/.test(single) ? single : `${single}/v1`;
  return url.href.replace(/\/+$/, "");
}

/**
 * Whether an address is this machine or a private network: loopback, RFC 1918, link-local, shared (RFC 6598) and unique
 * local addresses, names without a dot, and names under `.localhost`, `.local`, `.lan`, `.internal`, `.home.arpa`.
 */
export function isPrivateAddress(baseUrl: string): boolean {
  const host = new URL(baseUrl).hostname.toLowerCase().replace(/\.$/, "");
  if (host.startsWith("[")) return /^\[(::1|f[cd]|fe[89ab]|::ffff:(7f|a[0-9a-f]{2}:|c0a8:))/.test(host);
  if (/^[\d.]+$/.test(host)) {
    return /^(127|10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./.test(
      host,
    );
  }
  return !host.includes(".") || /\.(localhost|local|lan|internal|home\.arpa)$/.test(host);
}

function toUrl(text: string, original: string, option: string): URL {
  let url: URL | undefined;
  try {
    url = new URL(text);
  } catch {
    url = undefined;
  }
  if (url !== undefined && ["http:", "https:"].includes(url.protocol) && url.hostname !== "") return url;
  throw new JarvisError("OJ_OPTION", `${option} is not a base URL: "${original}".`, {
    hint: 'Write it as "https://host/v1" or "host:port".',
  });
}
