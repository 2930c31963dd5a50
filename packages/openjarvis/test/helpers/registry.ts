import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

/** A package registry on this machine, as much of one as npm needs to install from. */
export class TestRegistry {
  readonly #packages = new Map<string, { document: object; tarball: Buffer }>();
  readonly #server: Server;
  /** What was asked for and is not there. */
  readonly missing: string[] = [];
  /** Called in place of an answer about packages that are not there. */
  onMissing: ((path: string) => void) | undefined;

  constructor() {
    this.#server = createServer((request, response) => {
      const path = decodeURIComponent(new URL(request.url ?? "/", "http://registry").pathname);
      const found = [...this.#packages].find(([name]) => path === `/${name}` || path === `/${name}.tgz`);
      if (found === undefined) {
        this.missing.push(path);
        if (this.onMissing !== undefined) return this.onMissing(path);
        response.writeHead(404, { "content-type": "application/json" }).end('{"error":"not found"}');
      } else if (path.endsWith(".tgz")) {
        response.writeHead(200, { "content-type": "application/octet-stream" }).end(found[1].tarball);
      } else {
        response
          .writeHead(200, { "content-type": "application/json" })
          .end(JSON.stringify(found[1].document));
      }
    });
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Publishes the package in a folder. */
  publish(dir: string, facts: { user?: string; provenance?: boolean } = {}): void {
    const json = JSON.parse(readFileSync(join(dir, "package.json"), "utf8")) as {
      name: string;
      version: string;
    };
    const out = execFileSync("npm", ["pack", "--silent", "--ignore-scripts"], { cwd: dir, encoding: "utf8" });
    const tarball = readFileSync(join(dir, out.trim().split("\n").at(-1) ?? ""));
    const dist = {
      tarball: `${this.url}/${json.name}.tgz`,
      shasum: createHash("sha1").update(tarball).digest("hex"),
      integrity: `sha512-${createHash("sha512").update(tarball).digest("base64")}`,
      ...(facts.provenance === true
        ? { attestations: { url: "", provenance: { predicateType: "slsa" } } }
        : {}),
    };
    const version = {
      ...json,
      dist,
      ...(facts.user === undefined ? {} : { _npmUser: { name: facts.user } }),
    };
    const document = {
      name: json.name,
      "dist-tags": { latest: json.version },
      versions: { [json.version]: version },
      time: { [json.version]: "2026-01-01T00:00:00.000Z" },
    };
    this.#packages.set(json.name, { document, tarball });
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
