import { errorText, JarvisError } from "@openjarvis/core";

/** The server an exchange goes to, as errors describe it. */
export interface ServerIdentity {
  /** As messages name it ("Ollama"). */
  server: string;
  /** What to do when nothing answers. */
  unreachableHint: string;
}

const unreachable = new Set([
  "ECONNREFUSED",
  "EAI_AGAIN",
  "EADDRNOTAVAIL",
  "EHOSTDOWN",
  "EHOSTUNREACH",
  "ENETDOWN",
  "ENETUNREACH",
  "ENOTFOUND",
  "EPROTO",
  "ETIMEDOUT",
]);

/** Whether a connection of the pool turned out to be closed by the server while it was idle. */
export function isStaleConnection(error: unknown): boolean {
  return ["ECONNRESET", "EPIPE"].includes(codeOf(error));
}

/** The typed error for a connection that failed before or while the server answered. */
export function connectionError(
  error: unknown,
  { server, unreachableHint }: ServerIdentity,
  { address, answering }: { address: string; answering: boolean },
): JarvisError {
  const code = codeOf(error);
  const details = { address, systemCode: code };
  if (answering) {
    const message = `${server} at ${address} broke off in the middle of its answer: ${errorText(error)}.`;
    return new JarvisError("OJ_ENGINE_PROTOCOL", message, {
      hint: "Its log says why; asking again may work.",
      cause: error,
      details,
    });
  }
  if (unreachable.has(code) || code.startsWith("ERR_TLS") || /CERT|SELF_SIGNED|UNABLE_TO/.test(code)) {
    const message = `${server} does not answer at ${address}: ${errorText(error)}.`;
    return new JarvisError("OJ_ENGINE_UNREACHABLE", message, {
      hint: unreachableHint,
      cause: error,
      details,
    });
  }
  const message = code.startsWith("HPE_")
    ? `What answers at ${address} does not speak HTTP: ${errorText(error)}.`
    : `${server} at ${address} closed the connection without an answer: ${errorText(error)}.`;
  return new JarvisError("OJ_ENGINE_PROTOCOL", message, { cause: error, details });
}

function codeOf(error: unknown): string {
  const { code, errors } = error as { code?: unknown; errors?: unknown };
  if (typeof code === "string") return code;
  // A name with several addresses fails with one error for each.
  return Array.isArray(errors) && errors.length > 0 ? codeOf(errors[0]) : "";
}
