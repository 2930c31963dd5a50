import fc from "fast-check";
import { expect, test } from "vitest";
import { parseHost } from "../src/host.js";

test.each([
  ["localhost", "http://localhost:11434"],
  ["localhost:8080", "http://localhost:8080"],
  ["gpu-box:80", "http://gpu-box"],
  [":8080", "http://127.0.0.1:8080"],
  ["0.0.0.0", "http://127.0.0.1:11434"],
  ["0.0.0.0:11435", "http://127.0.0.1:11435"],
  ["http://0.0.0.0:11434", "http://127.0.0.1:11434"],
  ["::", "http://[::1]:11434"],
  ["::1", "http://[::1]:11434"],
  ["[::1]:8080", "http://[::1]:8080"],
  ["fe80::1", "http://[fe80::1]:11434"],
  ["http://example.com", "http://example.com"],
  ["https://example.com", "https://example.com"],
  ["https://example.com:8443/ollama/", "https://example.com:8443/ollama"],
  ["HTTP://Example.com:11434/", "http://example.com:11434"],
  ["example.com/ollama", "http://example.com:11434/ollama"],
  ["http://user:pass@example.com:1", "http://user:pass@example.com:1"],
  [' "localhost:1234" ', "http://localhost:1234"],
])("%j is %s", (text, expected) => {
  expect(parseHost(text)).toBe(expected);
});

test.each(["", "http://", "ftp://example.com", "unix:///var/run/ollama.sock", "host:notaport", "a b"])(
  "%j is refused",
  (text) => {
    expect(() => parseHost(text)).toThrow(/is not an address of an Ollama server/);
  },
);

test("what comes out comes out again", () => {
  fc.assert(
    fc.property(fc.domain(), fc.integer({ min: 1, max: 65_535 }), (domain, port) => {
      const host = parseHost(`${domain}:${port}`);
      expect(parseHost(host)).toBe(host);
      expect(new URL(host).hostname).toBe(domain.toLowerCase());
    }),
  );
});
