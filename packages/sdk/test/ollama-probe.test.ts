import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { answers, ollamaAddress, showAddress } from "../src/ollama-probe.js";

describe("the address of Ollama", () => {
  const cases: [string | undefined, string][] = [
    [undefined, "127.0.0.1:11434"],
    ["", "127.0.0.1:11434"],
    ["10.0.0.5", "10.0.0.5:11434"],
    ["ollama.lan:1234", "ollama.lan:1234"],
    [":8080", "127.0.0.1:8080"],
    ["0.0.0.0", "127.0.0.1:11434"],
    ["0.0.0.0:99", "127.0.0.1:99"],
    ["localhost:80", "localhost:80"],
    ["http://ollama.lan", "ollama.lan:80"],
    ["https://ollama.lan/api/", "ollama.lan:443"],
    ["https://user:pw@ollama.lan:8443", "ollama.lan:8443"],
    ["::1", "[::1]:11434"],
    ["[::1]:99", "[::1]:99"],
    ["[::]:99", "[::1]:99"],
    ['"10.0.0.5:1"', "10.0.0.5:1"],
  ];

  for (const [text, expected] of cases) {
    it(`${JSON.stringify(text)} is ${expected}`, () => {
      const address = ollamaAddress(text);
      expect(address && showAddress(address)).toBe(expected);
    });
  }

  it("is none for what is no address", () => {
    for (const text of ["http://", "a b", "http://a b", ":::", "host:port"])
      expect(ollamaAddress(text), text).toBeUndefined();
  });
});

describe("asking whether something answers", () => {
  it("says yes for an open port and no for a closed one", async () => {
    const server = createServer((socket) => socket.end());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    const target = { host: "127.0.0.1", port: address.port };
    expect(await answers(target)).toBe(true);
    await new Promise((resolve) => server.close(resolve));
    expect(await answers(target)).toBe(false);
  });

  it("gives up on a host that never answers, and on a name that means nothing", async () => {
    expect(await answers({ host: "192.0.2.1", port: 11434 })).toBe(false);
    expect(await answers({ host: "no-such-host.invalid", port: 1 })).toBe(false);
  });
});
