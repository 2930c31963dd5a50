import { checkInteger, checkNumber, createId, type SandboxLimits } from "@openjarvis/core";
import type { DockerOptions } from "./options.js";
import type { CommandLine } from "./process-runner.js";

/** What the client needs to find the daemon. */
const passedOn = ["PATH", "HOME", "DOCKER_HOST", "DOCKER_CONTEXT", "DOCKER_CONFIG", "XDG_RUNTIME_DIR"];

/** `docker run` for a program: no network, nothing writable but a small /tmp, no capabilities, and bounds. */
export function dockerCommand(code: string, limits: SandboxLimits, options: DockerOptions = {}): CommandLine {
  const { image = "python:3.12-slim", cpus = 1, pidsLimit = 100 } = options;
  const memoryBytes = limits.memoryBytes ?? 512 * 1024 * 1024;
  checkNumber("docker.cpus", cpus, 0.01, 1_024);
  checkInteger("docker.pidsLimit", pidsLimit, 1, 100_000);
  checkInteger("limits.memoryBytes", memoryBytes, 6 * 1024 * 1024);
  const name = `openjarvis-${createId("code").replaceAll(/[^A-Za-z0-9_.-]/g, "-")}`;
  const env = Object.fromEntries(
    passedOn.flatMap((key) => {
      const value = process.env[key];
      return value === undefined ? [] : [[key, value]];
    }),
  );
  const bounds = [
    ...["--network", "none", "--memory", String(memoryBytes), "--memory-swap", String(memoryBytes)],
    ...["--cpus", String(cpus), "--pids-limit", String(pidsLimit), "--read-only"],
    ...["--tmpfs", "/tmp:rw,noexec,nosuid,size=64m", "--workdir", "/tmp"],
    ...["--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--user", "65534:65534"],
  ];
  return {
    args: ["run", "--rm", "--name", name, ...bounds, image, "python", "-I", "-c", code],
    env,
    killArgs: ["kill", name],
  };
}
