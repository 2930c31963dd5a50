import { execFileSync } from "node:child_process";
import { mkdir, symlink } from "node:fs/promises";
import { createServer } from "node:net";
import { homedir } from "node:os";
import type { ToolResult } from "@openjarvis/core";
import { tempDir } from "@openjarvis/testing";
import { afterAll, describe, expect, it } from "vitest";
import { FileReadTool } from "../src/index.js";

const dir = await tempDir();
afterAll(() => dir.remove());
await dir.write("a/notes.txt", "one\ntwo\nthree\n");
await dir.write("a-evil/x", "not for you");
await dir.write("b/x", "not for you either");
await mkdir(dir.join("a/folder"));
const tool = new FileReadTool({ allowedDirs: [dir.join("a")] });
const read = (path: string, more: Record<string, unknown> = {}): Promise<ToolResult> =>
  tool.execute({ path, ...more });

async function refused(path: string, message: RegExp, more: Record<string, unknown> = {}): Promise<void> {
  const { success, content } = await read(path, more);
  expect({ success, content }).toEqual({ success: false, content: expect.stringMatching(message) });
  expect(content).not.toContain("not for you");
}

describe("a file in an allowed folder", () => {
  it("is read, with its path and size", async () => {
    const path = dir.join("a/notes.txt");
    expect(await read(path)).toMatchObject({
      success: true,
      content: "one\ntwo\nthree\n",
      metadata: { path, size_bytes: 14, total_lines: 3 },
    });
  });

  it("is read by a tool without limits, and by one whose folder is written with a slash or a link", async () => {
    const path = dir.join("a/notes.txt");
    await symlink(dir.join("a"), dir.join("way"));
    for (const options of [{}, { allowedDirs: [`${dir.join("a")}/`] }, { allowedDirs: [dir.join("way")] }]) {
      expect(await new FileReadTool(options).execute({ path })).toMatchObject({ success: true });
    }
    expect(await new FileReadTool({ allowedDirs: [] }).execute({ path })).toMatchObject({ success: false });
  });

  it("is read when it is empty", async () => {
    const path = await dir.write("a/empty.txt", "");
    expect(await read(path)).toMatchObject({ success: true, content: "", metadata: { size_bytes: 0 } });
    expect(await read(path, { max_lines: 3 })).toMatchObject({ success: true, content: "" });
  });

  it("is read up to 1,048,576 bytes, and not with one more", async () => {
    const exact = await dir.write("a/exact.txt", "x".repeat(1_048_576));
    expect((await read(exact)).content).toHaveLength(1_048_576);
    await refused(await dir.write("a/more.txt", "x".repeat(1_048_577)), /too large.*1048577.*1048576/);
  });

  it("stops when the call is cancelled", async () => {
    const result = await tool.execute({ path: dir.join("a/notes.txt") }, { signal: AbortSignal.abort() });
    expect(result.success).toBe(false);
  });
});

describe("lines", () => {
  it.each([
    [{ max_lines: 2 }, "one\ntwo\n[Lines 1 to 2 of 3. Go on with offset 3.]"],
    [{ max_lines: "2" }, "one\ntwo\n[Lines 1 to 2 of 3. Go on with offset 3.]"],
    [{ offset: 2, max_lines: 1 }, "two\n[Lines 2 to 2 of 3. Go on with offset 3.]"],
    [{ offset: 3 }, "three\n\n[Lines 3 to 3 of 3.]"],
    [{ max_lines: 3 }, "one\ntwo\nthree\n"],
    [{ max_lines: 1_000_000 }, "one\ntwo\nthree\n"],
  ])("%j", async (options, content) => {
    expect(await read(dir.join("a/notes.txt"), options)).toMatchObject({ success: true, content });
  });

  it("are refused in numbers that mean none", async () => {
    for (const max_lines of [0, -1, 1.5, "many"]) {
      await refused(dir.join("a/notes.txt"), /max_lines/, { max_lines });
    }
    await refused(dir.join("a/notes.txt"), /3 lines; line 4 is after its end/, { offset: 4 });
  });

  it("may end in CRLF, and a byte order mark is dropped", async () => {
    const bytes = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from("a\r\nb\r\nc")]);
    const path = await dir.write("a/crlf.txt", bytes);
    expect((await read(path)).content).toBe("a\r\nb\r\nc");
    expect((await read(path, { max_lines: 2 })).content).toBe(
      "a\r\nb\n[Lines 1 to 2 of 3. Go on with offset 3.]",
    );
  });
});

describe("a file outside the allowed folders", () => {
  it("is refused by whatever way", async () => {
    await symlink("/etc/hostname", dir.join("a/link"));
    await symlink(dir.join("b"), dir.join("a/linked-folder"));
    await symlink(dir.join("b/missing"), dir.join("a/dangling"));
    for (const path of [
      "/etc/passwd",
      dir.join("a-evil/x"),
      `${dir.join("a")}/../b/x`,
      dir.join("a/link"),
      dir.join("a/linked-folder/x"),
      `${dir.join("a")}/../../../../../../etc/passwd`,
      "~/x",
      "/proc/self/environ",
    ]) {
      await refused(path, /^Access denied: .* is not inside a folder that may be read/);
    }
  });

  it("does not show whether it exists", async () => {
    const words = async (name: string) =>
      (await read(dir.join(name))).content.replaceAll(dir.join(name), "PATH");
    expect(await words("b/missing")).toBe(await words("b/x"));
    expect(await words("a/linked-folder/missing")).toBe(await words("a/linked-folder/x"));
    await refused(dir.join("a/missing"), /^File not found/);
  });
});

describe("secrets", () => {
  const names = [
    ".env",
    ".ENV.local",
    "prod.env",
    "server.pem",
    "TLS.KEY",
    "id_ed25519",
    "id_ecdsa",
    ".npmrc",
    ".git-credentials",
    ".aws/config",
    ".ssh/known_hosts",
    ".kube/config",
    "credentials",
    "my-service-account-1.json",
    "shadow",
  ];

  it.each(names)("are refused: %s", async (name) => {
    await refused(await dir.write(`a/${name}`, "not for you"), /^Access denied: .* is sensitive/);
    await refused(dir.join(`a/none/${name}`), /sensitive|not found/i);
  });

  it("are refused behind a link with a harmless name, and a harmless file behind a secret's name", async () => {
    await dir.write("a/.env", "not for you");
    await symlink(dir.join("a/.env"), dir.join("a/harmless.txt"));
    await symlink(dir.join("a/notes.txt"), dir.join("a/x.pem"));
    await refused(dir.join("a/harmless.txt"), /sensitive/);
    await refused(dir.join("a/x.pem"), /sensitive/);
    for (const path of ["/proc/self/environ", "/etc/shadow"]) {
      const { success, content } = await new FileReadTool().execute({ path });
      expect([success, content]).toEqual([false, expect.stringMatching(/sensitive/)]);
    }
  });

  it("are not suspected in names that only resemble them", async () => {
    for (const name of ["environment.md", "keys.md", "monkey.txt", "shadows.txt", "env.ts"]) {
      expect(await read(await dir.write(`a/${name}`, "fine"))).toMatchObject({ content: "fine" });
    }
  });
});

describe("what is no text file", () => {
  it("is refused at once: a pipe, a socket, a folder, a device", async () => {
    const pipe = dir.join("a/pipe");
    execFileSync("mkfifo", [pipe]);
    const server = createServer().listen(dir.join("a/socket"));
    await new Promise((resolve) => server.once("listening", resolve));
    try {
      for (const path of [pipe, dir.join("a/socket"), dir.join("a/folder"), dir.join("a")]) {
        await refused(path, /^Not a regular file/);
      }
    } finally {
      server.close();
    }
    const device = await new FileReadTool().execute({ path: "/dev/zero" });
    expect(device).toMatchObject({ success: false, content: expect.stringMatching(/^Not a regular file/) });
  });

  it.each([
    ["UTF-16 little endian", Buffer.from("\ufeffhéllo", "utf16le"), /UTF-16/],
    ["UTF-16 big endian", Buffer.from("\ufeffhi", "utf16le").swap16(), /UTF-16/],
    ["Latin-1", Buffer.from([0x63, 0x61, 0x66, 0xe9]), /another encoding, or binary/],
    ["binary", Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1]), /binary file/],
    ["half a character", Buffer.from([0xe2, 0x82]), /another encoding, or binary/],
  ])("is refused, never garbled: %s", async (name, bytes, reason) => {
    const path = await dir.write(`a/${name.replaceAll(" ", "-")}.txt`, bytes);
    await refused(path, /^Not UTF-8/);
    await refused(path, reason);
  });

  it("is read by its bytes, not by the size the system tells", async () => {
    const { content, metadata } = await new FileReadTool().execute({ path: "/proc/self/status" });
    expect(content).toMatch(/^Name:/);
    expect(metadata.size_bytes).toBe(Buffer.byteLength(content));
  });
});

describe("odd paths", () => {
  it.each([
    ["/tmp/a\0.txt", /NUL character/],
    ["", /path/],
    [".", /Access denied/],
    ["file:///tmp/a/x", /Access denied/],
    ["x".repeat(5_000), /path/],
    [`/${"x".repeat(4_000)}`, /Access denied|too long/],
  ])("are results, not exceptions: %j", (path, message) => refused(path, message));

  it("may begin with ~ for the user's folder", async () => {
    const { content } = await new FileReadTool({ allowedDirs: ["~"] }).execute({
      path: "~/surely-missing-file",
    });
    expect(content).toBe(`File not found: ${homedir()}/surely-missing-file`);
  });
});
