import { isJarvisError } from "@openjarvis/core";
import { type NpmOptions, runNpm } from "./npm.js";

/** Who published a version, and whether the registry knows from which source it was built. */
export async function publisherText(name: string, version: string, npm: NpmOptions): Promise<string> {
  if (version.startsWith("file:")) return "nowhere; it comes from this machine";
  if (!/^\d/.test(version)) return `nowhere; it comes from ${version}`;
  try {
    const fields = ["_npmUser", "dist.attestations"];
    const output = await runNpm(["view", `${name}@${version}`, ...fields, "--json"], {
      ...npm,
      timeoutMs: 15_000,
    });
    const facts = (output.trim() === "" ? {} : JSON.parse(output)) as Record<string, unknown>;
    const user = facts._npmUser;
    const who =
      typeof user === "string" ? user.replace(/ ?<.*/, "") : (user as { name?: string } | undefined)?.name;
    const provenance = facts["dist.attestations"] === undefined ? "without provenance" : "with provenance";
    return `by ${who ?? "an unnamed user"}, ${provenance}`;
  } catch (error) {
    if (isJarvisError(error, "OJ_ABORTED")) throw error;
    return "the registry does not say by whom";
  }
}
